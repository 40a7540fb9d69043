/// Timestamps of RFC 3339 as milliseconds since the Unix epoch.
public enum RFC3339 {
    /// The instants that can be written: the years 0000 to 9999.
    public static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Reads `YYYY-MM-DDThh:mm:ss[.f…]` with `Z` or `±hh:mm`, nothing else; `nil` for anything else.
    ///
    /// Digits after the milliseconds are dropped. A leap second becomes the last millisecond before it, so that time
    /// does not go backwards.
    public static func milliseconds(_ text: borrowing Span<UInt8>) -> Int64? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let century = pair(text, 0), let yearOfCentury = pair(text, 2), let month = pair(text, 5),
            let day = pair(text, 8), let hour = pair(text, 11), let minute = pair(text, 14),
            let second = pair(text, 17)
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var index = 19
        var milliseconds: Int64 = 0
        if text[index] == UInt8(ascii: ".") {
            index += 1
            let first = index
            var weight: Int64 = 100
            while index < text.count, let digit = digit(text, index) {
                milliseconds += digit * weight
                weight /= 10
                index += 1
            }
            guard index > first else { return nil }
        }
        guard let offset = offset(text, index) else { return nil }
        if second == 60 { milliseconds = -1 }
        let minutes = (daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + milliseconds
    }

    /// The offset from UTC in minutes, up to the end of the text.
    private static func offset(_ text: borrowing Span<UInt8>, _ index: Int) -> Int64? {
        guard index < text.count else { return nil }
        if text[index] == UInt8(ascii: "Z") { return index + 1 == text.count ? 0 : nil }
        guard index + 6 == text.count, text[index + 3] == UInt8(ascii: ":"), let hours = pair(text, index + 1),
            let minutes = pair(text, index + 4), hours < 24, minutes < 60
        else { return nil }
        switch text[index] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    @inline(__always)
    private static func digit(_ text: borrowing Span<UInt8>, _ index: Int) -> Int64? {
        let digit = text[index] &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }

    @inline(__always)
    private static func pair(_ text: borrowing Span<UInt8>, _ index: Int) -> Int64? {
        guard let tens = digit(text, index), let ones = digit(text, index + 1) else { return nil }
        return tens * 10 + ones
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, days_from_civil); years 0 to 9999.
    static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years begin in March, so that the leap day comes last; 400 years are added to stay above zero.
        let shifted = (month <= 2 ? year - 1 : year) + 400
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 - 146_097
    }

    /// The date that is `days` from 1970-01-01 (civil_from_days).
    static func date(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
