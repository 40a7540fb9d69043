import Positioning
import Testing

@testable import LocationProviders

/// Which day it is: G09, G10.
@Suite struct NMEADateTests {
    func rmc(_ time: String, _ date: String) -> String {
        nmea("GPRMC,\(time),A,5430.0000,N,00330.0000,E,10.0,90.0,\(date),,,A")
    }
    func gga(_ time: String) -> String {
        nmea("GPGGA,\(time),5430.0000,N,00330.0000,E,1,08,1.2,10.0,M,45.0,M,,")
    }
    func times(_ text: String, utc: UTCInstant? = nil, dates: NMEADateRule = .live) -> [UTCInstant?] {
        epochs(text, reference: utc, dates: dates).map { $0.location?.timestamp }
    }
    static let rollover = 1024.0 * 7 * 86_400
    static let rolled = "$GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,160407,,,A*53\r\n"

    @Test("G09: a date 1024 weeks back is put right, by the host's clock or by the day of the release")
    func g09Rollover() {
        #expect(times(Self.rolled, utc: noon) == [noon])
        // A host without clock shows 1970, which is not trusted.
        #expect(times(Self.rolled, utc: nil) == [noon])
        #expect(times(Self.rolled, utc: noon + 86_400.0 * 400) == [noon])
        // Years later the host's clock decides which 1024 weeks.
        #expect(times(Self.rolled, utc: noon + Self.rollover) == [noon + Self.rollover])
        // Two rollovers back, and one ahead by the century of two digits.
        #expect(times(rmc("120000.00", "310887"), utc: noon) == [noon])
        #expect(times(rmc("120000.00", "150746"), utc: noon) == [noon])
        #expect(times(rmc("120000.00", "301126"), utc: noon) == [noon])
    }

    @Test("G09: corrections are counted") func g09Counted() {
        var reader = NMEAEpochReader(uere: 5, dates: .live)
        let now = MonotonicInstant(nanoseconds: 0)
        let text = Self.rolled + rmc("120001.00", "160407") + rmc("120002.00", "301126")
        lines(Array(text.utf8)) { span, line in reader.read(span, line, now: now, utc: nil) { _ in } }
        _ = reader.finish(utc: nil)
        #expect(reader.correctedDates == 2)
    }

    @Test(
        "G09: a date before the release is none; the host's clock tells the day where it is trusted",
        arguments: [
            "060180", "220899", "010118",
        ])
    func g09Insane(date: String) {
        let found = epochs(rmc("120000.00", date), reference: nil, dates: .live)
        #expect(found.first?.location != nil)
        #expect(found.first?.location?.timestamp == nil)
        #expect(times(rmc("120000.00", date), utc: noon + 3600.0) == [noon])
        // Held until it is sane.
        let later = rmc("120000.00", date) + rmc("120001.00", date) + rmc("120002.00", "301126") + gga("120003.00")
        #expect(times(later) == [nil, nil, noon + 2.0, noon + 3.0])
    }

    @Test("G09: recordings keep their dates") func g09Recorded() {
        #expect(times(Self.rolled, utc: noon, dates: .asRecorded) == [noon + -Self.rollover])
        #expect(
            times(rmc("120000.00", "060180"), dates: .asRecorded).first??.milliseconds == 316_008_000_000)
    }

    /// Time of day in the sentence, how far the host's clock is from midnight, and where the fix is: seconds.
    static let hostClocks: [(time: String, host: Double, fix: Double)] = [
        ("235959.00", -1, -1), ("235959.00", 0.7, -1), ("235959.00", 43_000, -1), ("000000.00", -0.2, 0),
        ("000000.00", 0.7, 0), ("000000.00", -43_000, 0), ("000000.00", 43_000, 0),
    ]

    @Test("G10: the host's clock may be off around midnight", arguments: hostClocks)
    func g10HostClock(time: String, host: Double, fix: Double) {
        let midnight = noon + 43_200.0
        #expect(times(gga(time), utc: midnight + host) == [midnight + fix])
    }

    @Test("G10: midnight between the sentences of a stream, whichever has the date") func g10Midnight() {
        let midnight = noon + 43_200.0
        let expected: [UTCInstant?] = [midnight + -1.0, midnight, midnight + 1.0]
        #expect(times(rmc("235959.00", "301126") + gga("000000.00") + gga("000001.00")) == expected)
        #expect(
            times(gga("235959.00") + rmc("235959.00", "301126") + gga("000000.00") + rmc("000001.00", "011226"))
                == expected)
        // The receiver changes its date a second late, or a second early.
        #expect(times(rmc("235959.00", "301126") + rmc("000000.00", "301126") + rmc("000001.00", "011226")) == expected)
        #expect(
            times(rmc("235958.00", "301126") + rmc("235959.00", "011226") + rmc("000000.00", "011226"))
                == [midnight + -2.0, midnight + -1.0, midnight])
        // Without RMC the host's clock counts, whose midnight comes a second late.
        var found: [UTCInstant?] = []
        var reader = NMEAEpochReader(uere: 5, dates: .live)
        for (index, time) in ["235958.00", "235959.00", "000000.00", "000001.00"].enumerated() {
            lines(Array(gga(time).utf8)) { span, line in
                let now = MonotonicInstant(nanoseconds: Int64(index + 1) * 1_000_000_000)
                let utc = midnight + (Double(index) - 3)
                reader.read(span, line, now: now, utc: utc) { found.append($0.location?.timestamp) }
            }
        }
        #expect(found.prefix(3) == [midnight + -2.0, midnight + -1.0, midnight])
    }

    @Test("G10: leap second, then the same time again: never back, never lost") func g10LeapSecond() {
        let text =
            rmc("235959.00", "311226") + "$GPRMC,235960.00,A,5430.0000,N,00330.0000,E,10.0,90.0,311226,,,A*5A\r\n"
            + rmc("235960.50", "311226") + rmc("000000.00", "010127")
        let found = times(text).compactMap { $0?.milliseconds }
        #expect(found.first == 1_798_761_599_000 && found.last == 1_798_761_600_000)
        #expect(found == found.sorted() && found.count >= 3)
        let gga = times(rmc("235959.00", "311226") + gga("235960.00") + gga("000000.00")).compactMap {
            $0?.milliseconds
        }
        #expect(gga == [1_798_761_599_000, 1_798_761_599_999, 1_798_761_600_000])
    }

    @Test func zdaGivesTheDateWhereNothingElseDoes() {
        let zda = nmea("GPZDA,120001.25,30,11,2026,00,00")
        #expect(times(gga("120000.00") + zda + gga("120001.00")) == [noon, noon + 1.0])
        #expect(times(zda + gga("120001.00")) == [noon + 1.0])
        // The century of ZDA's four digits, and its rollover.
        #expect(times(nmea("GPZDA,120001.25,16,04,2007,00,00") + gga("120001.00")) == [noon + 1.0])
        #expect(times(nmea("GPZDA,120001.25,31,04,2026,00,00") + gga("120001.00")) == [nil])
    }

    @Test func noDateIsNoTimestamp() {
        #expect(times(gga("120000.00")) == [nil])
        #expect(times(nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,,,,A")) == [nil])
    }

    /// A stream that lost its RMC goes on for days: the monotonic clock counts them.
    @Test func theDayGoesOnWithoutDates() {
        var stream = LiveStream()
        stream.send(rmc("120000.00", "301126"))
        stream.wait(until: stream.clock + 3 * 86_400_000)
        stream.send(gga("110000.00"))
        stream.wait(until: stream.clock + 1000)
        #expect(stream.locations.map(\.timestamp) == [noon, noon + (3 * 86_400.0 - 3600)])
    }
}
