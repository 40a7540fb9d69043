import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@Suite struct ReportJSONTests {
    private func encoded(_ report: Report) -> [UInt8] {
        var bytes: [UInt8] = []
        ReportJSON.encode(report, into: &bytes)
        return bytes
    }

    private func decode(_ members: String) throws -> Report {
        try ReportJSON.decode(Array("{\"v\":1,\"inst\":\"i\",\"boot\":1,\"seq\":1,\(members)}".utf8))
    }

    private func code(_ members: String) -> WireError.Code? {
        do {
            _ = try decode(members)
            return nil
        } catch { return (error as? WireError)?.code }
    }

    @Test func writesTheExampleOfTheContract() {
        let example =
            #"{"v":1,"inst":"k3f9a2","boot":17,"seq":4711,"time":"2026-11-30T03:40:00.200Z","#
            + #""lat":52.5200081,"lon":13.4049543,"hacc":3.2,"alt":34.5,"altRef":"msl","vacc":5.1,"#
            + #""speed":13.9,"sacc":0.3,"course":271.3,"cacc":2.1,"fix":"3d","sats":11,"hdop":0.9,"#
            + #""src":"gpsd","motion":"moving","trigger":"error","due":75,"bound":15}"#
        #expect(String(decoding: encoded(ReportSamples.full), as: UTF8.self) == example)
    }

    @Test func roundTripsEveryField() throws {
        var samples = ReportSamples(random: SeededGenerator(seed: 1))
        for _ in 0..<5000 {
            let report = samples.next()
            let decoded = try ReportJSON.decode(encoded(report))
            try #require(decoded == report)
        }
    }

    @Test func trueZerosSurvive() throws {
        var report = ReportSamples.full
        report.draft.location.coordinate = Coordinate(latitude: 0, longitude: 0)
        report.draft.location.course = 0
        report.draft.location.speed = 0
        report.draft.location.altitude = 0
        let decoded = try ReportJSON.decode(encoded(report))
        #expect(decoded == report)
        #expect(decoded.location.course == 0 && decoded.location.speed == 0)
    }

    @Test func foundationReadsWhatIsWritten() throws {
        var samples = ReportSamples(random: SeededGenerator(seed: 2))
        for _ in 0..<2000 {
            let report = samples.next()
            let location = report.location
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(encoded(report))) as? [String: Any])
            func close(_ key: String, _ value: Double?) -> Bool {
                guard let value else { return object[key] == nil }
                guard let number = object[key] as? NSNumber else { return false }
                return abs(number.doubleValue - value) <= abs(value) * 1e-14
            }
            #expect(object["v"] as? Int == 1)
            #expect(object["inst"] as? String == report.identity.instance)
            #expect((object["boot"] as? NSNumber)?.uint64Value == report.identity.boot)
            #expect((object["seq"] as? NSNumber)?.uint64Value == report.identity.sequence)
            #expect(close("lat", location.coordinate.latitude) && close("lon", location.coordinate.longitude))
            #expect(close("hacc", location.horizontalAccuracy) && close("vacc", location.verticalAccuracy))
            #expect(close("speed", location.speed) && close("sacc", location.speedAccuracy))
            #expect(close("course", location.course) && close("cacc", location.courseAccuracy))
            #expect(close("alt", location.altitude) && close("hdop", location.hdop))
            #expect(close("due", report.draft.due) && close("bound", report.draft.bound))
            #expect(close("up", report.draft.uptime) && close("sats", location.satellitesUsed.map(Double.init)))
            #expect(object["src"] as? String == location.source)
            #expect((object["unreliable"] as? [String])?.isEmpty != true)
            #expect((object["unreliable"] != nil) == !location.isReliable)
            #expect((object["altRef"] != nil) == (location.altitude != nil))
            #expect(object["trigger"] as? String == report.draft.trigger?.rawValue)
            #expect(object["motion"] as? String == report.draft.motion?.rawValue)
        }
    }

    @Test func neverWritesWhatIsNoNumber() throws {
        for value in [Double.nan, .infinity, -.infinity, -1] {
            var report = ReportSamples.full
            report.draft.location.horizontalAccuracy = value
            report.draft.location.verticalAccuracy = value
            report.draft.location.speed = value
            report.draft.location.course = value
            report.draft.location.courseAccuracy = value
            report.draft.location.speedAccuracy = value
            let text = String(decoding: encoded(report), as: UTF8.self)
            for key in ["hacc", "vacc", "speed", "course", "cacc", "sacc", "null", "nan", "inf"] {
                #expect(!text.contains("\"\(key)\""), "\(text)")
            }
        }
        var report = ReportSamples.full
        report.draft.location.coordinate.latitude = .nan
        report.draft.location.unreliable = .coordinate
        let decoded = try ReportJSON.decode(encoded(report))
        #expect(decoded.location.coordinate.latitude.isNaN && decoded.location.coordinate.longitude.isNaN)
        #expect(decoded.location.unreliable == .coordinate)
    }

    @Test func aTinyAccuracyIsNotRoundedToNone() throws {
        var report = ReportSamples.full
        report.draft.location.horizontalAccuracy = 1e-9
        #expect(try ReportJSON.decode(encoded(report)).location.horizontalAccuracy == 0.001)
    }

    @Test func aCourseIsNeverRoundedTo360() throws {
        var report = ReportSamples.full
        for course in [359.95, 359.99, 360] {
            report.draft.location.course = course
            #expect(try ReportJSON.decode(encoded(report)).location.course == 0)
        }
        report.draft.location.course = 359.94
        #expect(try ReportJSON.decode(encoded(report)).location.course == 359.9)
    }

    @Test("S04: a missing optional field is unknown") func s04AMissingOptionalFieldIsUnknown() throws {
        let report = try decode(#""lat":54.5,"lon":3.5"#)
        #expect(report.location.coordinate == Coordinate(latitude: 54.5, longitude: 3.5))
        #expect(report.location.horizontalAccuracy == nil && report.location.speed == nil && report.draft.due == nil)
        #expect(report.location.unreliable == .accuracy)
    }

    @Test(
        "S04: wrong kinds are refused, never half-read",
        arguments: [
            (#""lat":"54.5","lon":3"#, WireError.Code.type), (#""lat":"54,5","lon":3"#, .type),
            (#""lat":54,5,"lon":3"#, .syntax),
            (#""lat":54.5,"lon":[3]"#, .type), (#""lat":54.5"#, .missing), (#""lon":54.5"#, .missing),
            (#""lat":1,"lon":2,"hacc":"5""#, .type), (#""lat":1,"lon":2,"sim":1"#, .type),
            (#""lat":1,"lon":2,"fix":3"#, .type),
            (#""lat":1,"lon":2,"time":1796040000"#, .type), (#""lat":1,"lon":2,"time":1796040000000"#, .type),
            (#""lat":1,"lon":2,"time":"1796040000""#, .value), (#""lat":1,"lon":2,"time":"2026-11-30""#, .value),
            (#""lat":1,"lon":2,"seq":0"#, .value), (#""lat":1,"lon":2,"seq":-1"#, .value),
            (#""lat":1,"lon":2,"seq":1.5"#, .type),
            (#""lat":1,"lon":2,"boot":99999999999999999999"#, .value), (#""lat":1,"lon":2,"inst":"""#, .value),
            (#""lat":1,"lon":2,"unreliable":"noFix""#, .type), (#""lat":1e999,"lon":2"#, .value),
            (#""lat":NaN,"lon":2"#, .syntax), (#""lat":1,"lon":2,"v":2"#, .version),
            (#""lat":1,"lon":2,"v":"1""#, .type), (#""lat":1,"lon":2,"ext":{"a":[1,}}"#, .syntax),
        ])
    func s04WrongKindsAreRefusedNeverHalfRead(members: String, code: WireError.Code) {
        #expect(self.code(members) == code)
    }

    @Test("S04: unknown keys and words are passed over") func s04UnknownKeysAndWordsArePassedOver() throws {
        let report = try decode(
            #""_type":"x","lat":1,"lon":2,"hacc":5,"ext":{"a":[1,{"lat":9}],"lat":7},"fix":"5d","trigger":"why","motion":"flying","src":null,"x":null"#
        )
        #expect(report.location.coordinate == Coordinate(latitude: 1, longitude: 2))
        #expect(report.location.fix == .unknown && report.draft.trigger == nil && report.draft.motion == nil)
        #expect(report.location.isReliable)
    }

    @Test func aNewerVersionIsNamedWhateverElseIsWrong() {
        for text in [#"{"lat":"x","v":7}"#, #"{"v":2}"#, #"{"seq":{},"v":2,"#] {
            #expect(throws: WireError(.version, in: .report, key: "v")) { try ReportJSON.decode(Array(text.utf8)) }
        }
    }

    @Test func anUnknownReasonIsAReason() throws {
        #expect(try decode(#""lat":1,"lon":2,"hacc":5,"unreliable":["later"]"#).location.unreliable == .other)
        #expect(try decode(#""lat":1,"lon":2,"hacc":5,"unreliable":[]"#).location.isReliable)
    }

    @Test func anUnknownAltitudeReferenceVoidsTheAltitude() throws {
        #expect(try decode(#""lat":1,"lon":2,"alt":3,"altRef":"moon""#).location.altitude == nil)
        #expect(try decode(#""lat":1,"lon":2,"alt":3"#).location.altitude == 3)
    }

    @Test func numbersThatTheirKeyCannotMeanAreUnknown() throws {
        let report = try decode(
            #""lat":1,"lon":2,"hacc":-1,"vacc":-1,"speed":-0.5,"course":361,"cacc":-1,"sacc":-3,"hdop":-1,"sats":-4,"due":-1,"bound":0,"up":1e300"#
        )
        let location = report.location
        #expect(location.horizontalAccuracy == nil && location.verticalAccuracy == nil && location.speed == nil)
        #expect(location.course == nil && location.courseAccuracy == nil && location.speedAccuracy == nil)
        #expect(location.hdop == nil && location.satellitesUsed == nil)
        #expect(report.draft.due == nil && report.draft.bound == nil && report.draft.uptime == nil)
        #expect(try decode(#""lat":1,"lon":2,"due":1e300"#).draft.due == nil)
    }

    @Test(arguments: [
        #""lat":91,"lon":0,"hacc":5"#, #""lat":10,"lon":-181,"hacc":5"#, #""lat":1e300,"lon":0,"hacc":5"#,
    ])
    func anIncorrectCoordinateIsUnreliableWhoeverForgotToSaySo(members: String) throws {
        #expect(try decode(members).location.unreliable == .coordinate)
    }

    @Test func theLastOfDuplicateKeysWins() throws {
        let report = try decode(#""lat":1,"lon":2,"lat":3,"unreliable":["noFix"],"unreliable":["clock"],"hacc":4"#)
        #expect(report.location.coordinate.latitude == 3)
        #expect(report.location.unreliable == .clock)
    }

    @Test func saysWhatIsMissing() {
        for (text, key) in [
            (#"{"inst":"i","boot":1,"seq":1,"lat":1,"lon":2}"#, "v"),
            (#"{"v":1,"boot":1,"seq":1,"lat":1,"lon":2}"#, "inst"),
            (#"{"v":1,"inst":"i","seq":1,"lat":1,"lon":2}"#, "boot"),
            (#"{"v":1,"inst":"i","boot":1,"lat":1,"lon":2}"#, "seq"),
        ] {
            #expect(throws: WireError(.missing, in: .report, key: key)) { try ReportJSON.decode(Array(text.utf8)) }
        }
    }

    @Test func refusesOtherForms() {
        #expect(throws: WireError(.empty, in: .report)) { try ReportJSON.decode([]) }
        #expect(throws: WireError(.encoding, in: .report)) { try ReportJSON.decode([0x0A, 1, 2]) }
        #expect(throws: WireError(.size, in: .report)) {
            try ReportJSON.decode(Array(#"{"v":1,"x":""#.utf8) + [UInt8](repeating: 0x20, count: 1 << 16))
        }
        #expect(throws: WireError(.size, in: .report)) {
            try ReportJSON.decode(Array((#"{"x":"# + String(repeating: "[", count: 9000)).utf8))
        }
    }

    @Test func anExcerptHoldsNoCoordinates() {
        let excerpt = WireError.excerpt(Array("{\"lat\":52.5200081,\"x\":\"\u{1}ü\"}".utf8))
        #expect(excerpt == "{\"lat\":##.#######,\"x\":\"???\"}")
        #expect(WireError.excerpt([UInt8](repeating: 0x41, count: 500)).count == 61)
    }

    @Test("S04: mutated payloads never trap") func s04NeverTrapsOnMutatedPayloads() {
        var samples = ReportSamples(random: SeededGenerator(seed: 3))
        var refused = 0
        for _ in 0..<20_000 {
            let payload = mutate(encoded(samples.next()), &samples.random)
            do {
                let report = try ReportJSON.decode(payload)
                // What is accepted can be written and read again.
                #expect((try? ReportJSON.decode(encoded(report))) != nil)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1000)
    }

    @Test("S04: the output is the same under another locale") func s04OutputIsTheSameUnderAnotherLocale() {
        let before = encoded(ReportSamples.full)
        let old = unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) } ?? "C"
        defer { _ = unsafe setlocale(LC_ALL, old) }
        // Where the locale is not installed the call changes nothing, and there is nothing to show.
        _ = unsafe setlocale(LC_ALL, "de_DE.UTF-8")
        #expect(encoded(ReportSamples.full) == before)
        #expect((try? ReportJSON.decode(before)) == ReportSamples.full)
        // Also on the path of long numbers.
        #expect(try! decode(#""lat":52.520008100000000001234,"lon":2"#).location.coordinate.latitude == 52.5200081)
    }
}
