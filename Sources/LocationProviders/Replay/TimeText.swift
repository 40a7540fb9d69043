internal import Positioning

/// Times in logs, as people and programs write them.
enum TimeText {
    /// Reads `YYYY-MM-DD` (or with `/`), `T` or a space, `hh:mm:ss[.f…]`, and `Z`, an offset from UTC (`+01:00`,
    /// `+0100`, `+01`) or nothing, which is UTC too; white space around it allowed. `nil` for anything else.
    ///
    /// Digits behind the milliseconds are dropped. A leap second becomes the last millisecond before it (G10).
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UTCInstant? {
        var text = Cursor(DecimalText.trimmed(bytes, range))
        guard let date = date(bytes, &text), let mark = text.next(bytes),
            mark == UInt8(ascii: "T") || mark == UInt8(ascii: "t") || mark == UInt8(ascii: " "),
            let time = timeOfDay(bytes, &text), let offset = offset(bytes, &text), text.isAtEnd
        else { return nil }
        return UTCInstant(milliseconds: date * CivilDate.millisecondsPerDay + time - offset)
    }

    /// A date alone, in days since 1970-01-01.
    static func readDate(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        var text = Cursor(DecimalText.trimmed(bytes, range))
        guard let days = date(bytes, &text), text.isAtEnd else { return nil }
        return days
    }

    /// A time of day alone, in milliseconds since midnight UTC; with an offset it may be before or after that day.
    static func readTimeOfDay(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        var text = Cursor(DecimalText.trimmed(bytes, range))
        guard let time = timeOfDay(bytes, &text), let offset = offset(bytes, &text), text.isAtEnd else { return nil }
        return time - offset
    }

    private static func date(_ bytes: Span<UInt8>, _ text: inout Cursor) -> Int64? {
        guard let year = text.number(bytes, digits: 4), let mark = text.next(bytes),
            mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/"), let month = text.number(bytes, digits: 2),
            text.next(bytes) == mark, let day = text.number(bytes, digits: 2)
        else { return nil }
        return CivilDate.days(year: year, month: month, day: day)
    }

    private static func timeOfDay(_ bytes: Span<UInt8>, _ text: inout Cursor) -> Int64? {
        guard let hour = text.number(bytes, digits: 2), hour < 24, text.next(bytes) == UInt8(ascii: ":"),
            let minute = text.number(bytes, digits: 2), minute < 60, text.next(bytes) == UInt8(ascii: ":"),
            let second = text.number(bytes, digits: 2), second <= 60
        else { return nil }
        var milliseconds = 0
        if text.take(UInt8(ascii: "."), bytes) || text.take(UInt8(ascii: ","), bytes) {
            var weight = 100
            guard let first = text.number(bytes, digits: 1) else { return nil }
            milliseconds = first * weight
            while let digit = text.number(bytes, digits: 1) {
                weight /= 10
                milliseconds += digit * weight
            }
        }
        let time = (hour * 60 + minute) * 60_000
        return Int64(second == 60 ? time + 59_999 : time + second * 1000 + milliseconds)
    }

    /// Milliseconds that the written time is ahead of UTC.
    private static func offset(_ bytes: Span<UInt8>, _ text: inout Cursor) -> Int64? {
        if text.isAtEnd || text.take(UInt8(ascii: "Z"), bytes) || text.take(UInt8(ascii: "z"), bytes) { return 0 }
        guard let sign = text.next(bytes), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = text.number(bytes, digits: 2), hours < 24
        else { return nil }
        _ = text.take(UInt8(ascii: ":"), bytes)
        let minutes = text.isAtEnd ? 0 : text.number(bytes, digits: 2)
        guard let minutes, minutes < 60 else { return nil }
        let offset = Int64(hours * 60 + minutes) * 60_000
        return sign == UInt8(ascii: "+") ? offset : -offset
    }

    private struct Cursor {
        var rest: Range<Int>

        init(_ range: Range<Int>) { rest = range }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func next(_ bytes: Span<UInt8>) -> UInt8? {
            guard let first = rest.first else { return nil }
            rest = (first + 1)..<rest.upperBound
            return bytes[first]
        }

        mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
            guard let first = rest.first, bytes[first] == byte else { return false }
            rest = (first + 1)..<rest.upperBound
            return true
        }

        /// Exactly so many digits; nothing is taken where there are fewer.
        mutating func number(_ bytes: Span<UInt8>, digits: Int) -> Int? {
            guard rest.count >= digits else { return nil }
            var value = 0
            for index in rest.prefix(digits) {
                let digit = bytes[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            rest = (rest.lowerBound + digits)..<rest.upperBound
            return value
        }
    }
}
