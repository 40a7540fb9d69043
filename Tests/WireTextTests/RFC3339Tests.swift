import Foundation
import Testing
import WireText

@Suite struct RFC3339Tests {
    private func parse(_ text: String) -> Int64? { RFC3339.milliseconds(Array(text.utf8).span) }

    private func write(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: 24) { (out: inout OutputSpan<UInt8>) in out.append(timestamp: milliseconds) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Walks every day of the calendar, counting by its rules alone.
    @Test func agreesWithACalendarCountedDayByDay() {
        var milliseconds = RFC3339.range.lowerBound
        var disagreements = 0
        for year in 0...9999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in [1, length] {
                    let text = padded(year, 4) + "-" + padded(month + 1, 2) + "-" + padded(day, 2) + "T12:34:56.789Z"
                    let instant = milliseconds + Int64(day - 1) * 86_400_000 + 45_296_789
                    if parse(text) != instant || write(instant) != text { disagreements += 1 }
                }
                milliseconds += Int64(length) * 86_400_000
            }
        }
        #expect(disagreements == 0)
        #expect(milliseconds == RFC3339.range.upperBound + 1)
        #expect(parse("1970-01-01T00:00:00Z") == 0)
    }

    private func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: digits - text.count) + text
    }

    @Test(
        arguments: [
            ("2026-11-30T03:40:00.200Z", 1_796_010_000_200), ("2026-11-30T03:40:00Z", 1_796_010_000_000),
            ("2026-11-30T05:10:00.2+01:30", 1_796_010_000_200), ("2026-11-29T23:40:00-04:00", 1_796_010_000_000),
            ("2026-11-30T03:40:00.200999999Z", 1_796_010_000_200), ("2026-11-30T03:40:00-00:00", 1_796_010_000_000),
            ("2026-12-31T23:59:60.5Z", 1_798_761_599_999), ("2027-01-01T00:59:60+01:00", 1_798_761_599_999),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ] as [(String, Int64)])
    func reads(text: String, milliseconds: Int64) { #expect(parse(text) == milliseconds) }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T03:40:00", "2026-11-30 03:40:00Z", "2026-11-30t03:40:00Z", "2026-11-30T03:40:00z",
        "2026-11-30T03:40Z", "2026-11-30T03:40:00.Z", "2026-11-30T03:40:00,2Z", "2026-11-30T24:00:00Z",
        "2026-11-30T03:60:00Z", "2026-11-30T03:40:61Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-11-31T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-00T00:00:00Z",
        "2026-11-30T03:40:00+0100", "2026-11-30T03:40:00+24:00", "2026-11-30T03:40:00+01:00x", "2026-11-30T03:40:00ZZ",
        "26-11-30T03:40:00Z", "+2026-11-30T03:40:0Z", "2026-1a-30T03:40:00Z", "1796040000", "2026-11-30T03:40:00+01:",
    ])
    func refuses(text: String) { #expect(parse(text) == nil) }

    @Test func clampsWhatHasNoFourDigitYear() {
        #expect(write(.max) == "9999-12-31T23:59:59.999Z")
        #expect(write(.min) == "0000-01-01T00:00:00.000Z")
    }
}
