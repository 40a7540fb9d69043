import Positioning
import Testing

@testable import LocationProviders

/// Numbers and times as logs have them.
@Suite struct LogTextTests {
    func number(_ text: String, comma: Bool = false) -> Double? {
        let bytes = Array(text.utf8)
        return DecimalText.read(bytes.span, 0..<bytes.count, comma: comma)
    }

    func time(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return TimeText.read(bytes.span, 0..<bytes.count)?.milliseconds
    }

    @Test(arguments: [
        "0", "-0.5", "+7", "52.5200081", ".5", "5.", "007.250", "1e3", "-1.5E-3", "123456789012345678901234567890",
        "0.1234567890123456789012345", " 4.5\t", "000000000000000000000000000001.5",
    ])
    func numbersAreWhatTheStandardLibraryMakesOfThem(text: String) throws {
        #expect(number(text) == Double(text.trimmingPrefix(" ").replacing("\t", with: "")))
    }

    @Test(arguments: ["", " ", "-", "+", ".", "1.2.3", "1,5", "12a", "0x10", "inf", "nan", "1e", "1e999", "--1", "1 2"])
    func whatIsNoNumberIsNone(text: String) { #expect(number(text) == nil) }

    @Test func aCommaIsADecimalSeparatorWhereItIsAllowed() {
        #expect(number("52,5", comma: true) == 52.5)
        #expect(number("1,5e2", comma: true) == 150)
        #expect(number("1,2,3", comma: true) == nil)
        #expect(number("1.234,5", comma: true) == nil)
    }

    @Test(arguments: [
        ("2026-11-30T12:00:00Z", 0), ("2026-11-30T12:00:00.25Z", 250), ("2026-11-30t12:00:00.2509999z", 250),
        ("2026-11-30 12:00:00", 0), ("2026/11/30 12:00:00,5", 500), ("2026-11-30T13:00:00+01:00", 0),
        ("2026-11-30T07:30:00-0430", 0), ("2026-11-30T14:00:00.001+02", 1), (" 2026-11-30T12:00:00Z\r", 0),
    ])
    func timesAreUTCWhateverTheirZone(text: String, milliseconds: Int64) {
        #expect(time(text) == noon.milliseconds + milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T12:00", "2026-02-30T12:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T12:00:61Z",
        "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00Zx", "2026-11/30T12:00:00Z", "26-11-30T12:00:00Z",
        "2026-11-30X12:00:00Z", "2026-11-30T12:00:00+1", "1796040000",
    ])
    func whatIsNoTimeIsNone(text: String) { #expect(time(text) == nil) }

    @Test func G10_aLeapSecondIsTheLastMillisecondBeforeIt() {
        #expect(time("2016-12-31T23:59:60Z") == 1_483_228_799_999)
        #expect(time("1969-12-31T23:59:59.500Z") == -500)
        #expect(time("1957-10-04T19:28:34Z") == -386_310_686_000)
    }
}
