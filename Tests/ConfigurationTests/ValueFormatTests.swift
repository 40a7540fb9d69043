import Testing

@testable import Configuration

private func outcome<Value>(_ format: ValueFormat<Value>, _ text: String) -> Result<Value, InvalidValue> {
    do { return .success(try format.read(text)) } catch { return .failure(error) }
}

private func message<Value>(_ format: ValueFormat<Value>, _ text: String) -> String? {
    if case .failure(let error) = outcome(format, text) { error.message } else { nil }
}

private enum Policy: String, CaseIterable { case publish, drop }

@Suite struct ValueFormatTests {
    @Test(arguments: [
        ("250ms", Duration.milliseconds(250)), ("10s", .seconds(10)), ("5min", .seconds(300)), ("2h", .seconds(7200)),
        ("30d", .seconds(2_592_000)), ("0s", .zero), ("1.5s", .milliseconds(1500)), ("5 s", .seconds(5)),
        ("0.1ms", .microseconds(100)), ("+1s", .seconds(1)),
    ])
    func durations(text: String, value: Duration) throws {
        #expect(try ValueFormat<Duration>.duration().read(text) == value)
    }

    @Test(arguments: [
        ("5", "\"5\" has no unit; write for example 5s"), ("0", "\"0\" has no unit; write for example 0s"),
        ("5m", "\"5m\" has the unknown unit \"m\"; write 5min"),
        ("5sec", "\"5sec\" has the unknown unit \"sec\"; write 5s"),
        ("5S", "\"5S\" has the unknown unit \"S\"; write 5s"),
        ("5x", "\"5x\" has the unknown unit \"x\"; use one of ms, s, min, h, d, for example 5s"),
        ("soon", "\"soon\" is no number; write for example 5s"), ("", "\"\" is no number; write for example 5s"),
        ("1,5s", "\"1,5s\" has a comma; the decimal separator is a point, for example 1.5"),
        ("-1s", "-1s is less than 0s; write 0s to 1h"), ("61min", "61min is more than 1h; write 0s to 1h"),
        ("nan", "\"nan\" is no number; write for example 5s"), (".", "\".\" is no number; write for example 5s"),
        ("1e3s", "\"1e3s\" has the unknown unit \"e3s\"; use one of ms, s, min, h, d, for example 5s"),
    ])
    func aWrongDurationSaysWhatWouldBeRight(text: String, expected: String) {
        #expect(message(.duration(in: .zero ... .seconds(3600)), text) == expected)
    }

    @Test func hugeNumbersAreOutOfRangeAndDoNotTrap() {
        #expect(message(ValueFormat<Duration>.duration(), String(repeating: "9", count: 400) + "d") != nil)
        #expect(message(ValueFormat<Duration>.duration(), "99999999999999999999d") != nil)
        #expect(message(ValueFormat<Int>.size(), "99999999999999999999GB") != nil)
        #expect(message(ValueFormat<Int>.integer(in: 0...10), "99999999999999999999") != nil)
    }

    @Test func quantitiesHaveTheirOwnUnits() {
        #expect(outcome(.distance(), "100m") == .success(100))
        #expect(outcome(.distance(), "1.5km") == .success(1500))
        #expect(outcome(.speed(), "90m/s") == .success(90))
        #expect(outcome(.speed(), "36km/h") == .success(10))
        #expect(outcome(.angle(), "15deg") == .success(15))
        #expect(outcome(.size(), "64MB") == .success(64_000_000))
        #expect(outcome(.size(), "8kB") == .success(8000))
        #expect(outcome(.size(), "1MiB") == .success(1_048_576))
        #expect(outcome(.rate(), "20/s") == .success(20))
        #expect(outcome(.rate(), "120/min") == .success(2))
        #expect(outcome(.dataRate(), "8kB/s") == .success(8000))
        #expect(outcome(.dataRate(), "0MB/day") == .success(0))
        #expect(outcome(.dataRate(), "86.4kB/day") == .success(1))
        #expect(message(.speed(), "50") == "\"50\" has no unit; write for example 50m/s")
        #expect(message(.speed(), "50kmh") == "\"50kmh\" has the unknown unit \"kmh\"; write 50km/h")
        #expect(message(.angle(), "400deg") == "400deg is more than 360deg; write 0deg to 360deg")
        #expect(message(.size(), "64") == "\"64\" has no unit; write for example 64MB")
        #expect(message(.rate(), "20Hz") == "\"20Hz\" has the unknown unit \"Hz\"; write 20/s")
        #expect(message(.dataRate(), "8KB/s") == "\"8KB/s\" has the unknown unit \"KB/s\"; write 8kB/s")
        for size in ["MB", "M"] {
            #expect(
                message(.dataRate(), "5" + size)
                    == "\"5\(size)\" has the unknown unit \"\(size)\"; write 5MB/day or 5MB/h or 5MB/min or 5MB/s")
        }
        #expect(message(.speed(), "50 km") == "\"50 km\" has the unknown unit \"km\"; write 50km/h")
        #expect(message(.angle(), "10°") == "\"10°\" has the unknown unit \"°\"; write 10deg")
    }

    @Test func integersHaveNoUnitAndARange() {
        #expect(outcome(.integer(in: -5...5), "-5") == .success(-5))
        #expect(message(.integer(in: 1...100), "0") == "0 is not from 1 to 100")
        #expect(message(.integer(in: 1...100), "1.0") == "\"1.0\" is no whole number; write one from 1 to 100")
        #expect(message(.integer(in: 1...100), "0x1") == "\"0x1\" is no whole number; write one from 1 to 100")
        #expect(message(.integer(in: 1...100), "-") == "\"-\" is no whole number; write one from 1 to 100")
        #expect(outcome(.number(in: 0...10), "2.5") == .success(2.5))
        #expect(message(.number(in: 0...10), "2.5s") == "\"2.5s\" has a unit; write the number alone")
    }

    @Test func booleansAreTrueOrFalseAndTheOldWordsAreExplained() {
        #expect(outcome(.bool, "true") == .success(true))
        #expect(message(.bool, "yes") == "\"yes\" is no boolean; write true")
        #expect(message(.bool, "Off") == "\"Off\" is no boolean; write false")
        #expect(message(.bool, "maybe") == "\"maybe\" is no boolean; write true or false")
    }

    @Test func choicesSuggestTheNearest() {
        let format = ValueFormat<Policy>.choice()
        #expect(format.name == "publish | drop")
        #expect(outcome(format, "drop") == .success(.drop))
        #expect(message(format, "pubish") == "\"pubish\" is not one of publish | drop; did you mean publish?")
        #expect(message(format, "retain") == "\"retain\" is not one of publish | drop")
    }

    @Test func textsKeepWhatATerminalWouldObeyOutOfMessages() {
        #expect(outcome(.string, "") == .success(""))
        #expect(message(.path, "") == "is empty; write a path, for example /etc/fixcast/ca.pem")
        #expect(
            message(.path, "/a\u{1B}[2J") == "\"/a\\u{1b}[2J\" has a control character; write one line of text")
        #expect(message(.bool, String(repeating: "x", count: 1000))?.count ?? 0 < 120)
    }

    @Test func aRuleCanBeAdded() {
        let even = ValueFormat<Int>.integer(in: 0...100).checked("even number", example: "2") {
            number throws(InvalidValue) -> String in
            guard number.isMultiple(of: 2) else { throw InvalidValue("\(number) is odd") }
            return "#\(number)"
        }
        #expect(outcome(even, "4") == .success("#4"))
        #expect(message(even, "5") == "5 is odd")
        #expect(message(even, "500") == "500 is not from 0 to 100")
    }
}
