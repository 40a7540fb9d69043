internal import Positioning

/// The comma-separated fields of one sentence, read strictly from left to right, each in one pass. A damaged field sets
/// ``isDamaged``, which voids the sentence; an empty one, and one behind the last, is `nil`.
struct NMEAFields: ~Copyable {
    private var position: Int
    private let end: Int
    private(set) var isDamaged = false

    /// - Parameter range: from behind the sentence's first comma to its asterisk.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Whether all fields were read.
    var isAtEnd: Bool { position > end }

    /// A second reader at the same place.
    func peek() -> NMEAFields { NMEAFields(min(position, end)..<end) }

    mutating func damaged<T>() -> T? {
        isDamaged = true
        return nil
    }

    mutating func skip(_ count: Int, _ bytes: Span<UInt8>) {
        for _ in 0..<count { _ = next(bytes) }
    }

    /// The next field as it stands.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = min(position, end)
        var stop = start
        while stop < end, bytes[stop] != Self.comma { stop &+= 1 }
        position = stop &+ 1
        return start..<stop
    }

    mutating func letter(_ bytes: Span<UInt8>) -> UInt8? {
        if isEmpty(bytes) { return nil }
        let letter = bytes[position]
        return endsField(bytes, at: position &+ 1) ? letter : damaged()
    }

    /// The mode indicator of NMEA 2.3 and later.
    mutating func mode(_ bytes: Span<UInt8>) -> NMEAMode? {
        guard let letter = letter(bytes) else { return nil }
        return NMEAMode(letter) ?? damaged()
    }

    /// A decimal number, possibly negative.
    mutating func decimal(_ bytes: Span<UInt8>) -> Double? {
        if isEmpty(bytes) { return nil }
        guard bytes[position] == UInt8(ascii: "-") else { return magnitude(bytes) }
        position &+= 1
        if isEmpty(bytes) { return damaged() }
        return magnitude(bytes).map { -$0 }
    }

    /// A decimal number of zero or more.
    mutating func magnitude(_ bytes: Span<UInt8>) -> Double? {
        if isEmpty(bytes) { return nil }
        guard let number = number(bytes), endsField(bytes, at: position) else { return damaged() }
        return number
    }

    /// Degrees in [0, 360]; 360 is 0.
    mutating func course(_ bytes: Span<UInt8>) -> Double? {
        guard let degrees = magnitude(bytes) else { return nil }
        if degrees > 360 { return damaged() }
        return degrees == 360 ? 0 : degrees
    }

    /// A whole number of at most four digits.
    mutating func count(_ bytes: Span<UInt8>) -> Int? {
        if isEmpty(bytes) { return nil }
        let start = position
        let value = digits(bytes)
        guard position > start, position - start <= 4, endsField(bytes, at: position) else { return damaged() }
        return Int(truncatingIfNeeded: value)
    }

    /// `hhmmss` with any fraction, as milliseconds since midnight.
    mutating func time(_ bytes: Span<UInt8>) -> Int32? {
        if isEmpty(bytes) { return nil }
        let start = position
        let clock = Int32(truncatingIfNeeded: digits(bytes))
        let (hours, minutes, seconds) = (clock / 10_000, clock / 100 % 100, clock % 100)
        guard position - start == 6, hours < 24, minutes < 60, seconds <= 60 else { return damaged() }
        var milliseconds: Int32 = 0
        if position < end, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            var weight: Int32 = 100
            while position < end, bytes[position] &- UInt8(ascii: "0") <= 9 {
                milliseconds &+= Int32(bytes[position] &- UInt8(ascii: "0")) &* weight
                weight /= 10
                position &+= 1
            }
        }
        guard endsField(bytes, at: position) else { return damaged() }
        let whole = (hours &* 60 &+ minutes) &* 60_000
        // A leap second has no place on the UTC scale of timestamps: it is the last millisecond of its minute.
        return seconds == 60 ? whole &+ 59_999 : whole &+ seconds &* 1000 &+ milliseconds
    }

    /// `ddmmyy`, as days since 1970; years 80 to 99 are of the last century.
    mutating func date(_ bytes: Span<UInt8>) -> Int32? {
        if isEmpty(bytes) { return nil }
        let start = position
        let date = Int(truncatingIfNeeded: digits(bytes))
        let (day, month, year) = (date / 10_000, date / 100 % 100, date % 100)
        guard position - start == 6, endsField(bytes, at: position),
            let days = CivilDate.days(year: year + (year < 80 ? 2000 : 1900), month: month, day: day)
        else { return damaged() }
        return Int32(truncatingIfNeeded: days)
    }

    /// `ddmm.m,N,dddmm.m,E`: all four fields or none of them.
    mutating func coordinate(_ bytes: Span<UInt8>) -> Coordinate? {
        if isEmpty(bytes) {
            for _ in 0..<3 where !isEmpty(bytes) { return damaged() }
            return nil
        }
        guard let y = angle(bytes, digits: 4, UInt8(ascii: "N"), UInt8(ascii: "S")),
            let x = angle(bytes, digits: 5, UInt8(ascii: "E"), UInt8(ascii: "W"))
        else { return damaged() }
        let coordinate = Coordinate(latitude: y, longitude: x)
        return coordinate.isCorrect ? coordinate : damaged()
    }
}

extension NMEAFields {
    private static let comma = UInt8(ascii: ",")

    /// Whether the field at ``position`` is empty, which is passed then.
    private mutating func isEmpty(_ bytes: Span<UInt8>) -> Bool {
        if position < end, bytes[position] != Self.comma { return false }
        position = min(position, end) &+ 1
        return true
    }

    /// Whether the field ends here, which is passed then.
    private mutating func endsField(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        guard index >= end || bytes[index] == Self.comma else { return false }
        position = index &+ 1
        return true
    }

    /// Reads digits; more than 19 overflow.
    @inline(__always)
    private mutating func digits(_ bytes: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        var index = position
        while index < end {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
        }
        position = index
        return value
    }

    /// Reads digits behind a decimal point: `kept` of them are in `value`, at most `limit`; the others are below what a
    /// Double tells apart.
    @inline(__always)
    private mutating func fraction(_ bytes: Span<UInt8>, limit: Int) -> (value: UInt64, kept: Int) {
        let start = position
        var value: UInt64 = 0
        var index = start
        let last = min(end, start &+ limit)
        while index < last {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt64(digit)
            index &+= 1
        }
        let kept = index - start
        while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
        position = index
        return (value, kept)
    }

    /// A number without sign; `nil` when it has no digit, or more before the point than a Double tells apart.
    @inline(__always)
    private mutating func number(_ bytes: Span<UInt8>) -> Double? {
        let start = position
        let whole = digits(bytes)
        let wholeDigits = position - start
        guard wholeDigits <= 18 else { return nil }
        guard position < end, bytes[position] == UInt8(ascii: ".") else {
            return wholeDigits > 0 ? Double(whole) : nil
        }
        position &+= 1
        let (fraction, kept) = fraction(bytes, limit: 18 - wholeDigits)
        guard wholeDigits + kept > 0 else { return nil }
        return Double(whole &* Self.integerPower(kept) &+ fraction) / Self.power(kept)
    }

    /// Degrees and minutes with their hemisphere: two fields.
    @inline(__always)
    private mutating func angle(
        _ bytes: Span<UInt8>, digits wholeDigits: Int, _ positive: UInt8, _ negative: UInt8
    ) -> Double? {
        let start = position
        let whole = digits(bytes)
        guard position - start == wholeDigits else { return nil }
        var (minutes, decimals) = (whole % 100, 0)
        if position < end, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            let (fraction, kept) = fraction(bytes, limit: 15)
            minutes = minutes &* Self.integerPower(kept) &+ fraction
            decimals = kept
        }
        guard endsField(bytes, at: position), let hemisphere = letter(bytes),
            hemisphere == positive || hemisphere == negative
        else { return nil }
        let exactMinutes = Double(minutes) / Self.power(decimals)
        guard exactMinutes < 60 else { return nil }
        let value = Double(whole / 100) + exactMinutes / 60
        return hemisphere == positive ? value : -value
    }

    /// Exact powers of ten; a switch, which becomes a table without a global's first-use check.
    @inline(__always)
    private static func power(_ exponent: Int) -> Double {
        switch exponent {
        case 0: 1
        case 1: 1e1
        case 2: 1e2
        case 3: 1e3
        case 4: 1e4
        case 5: 1e5
        case 6: 1e6
        case 7: 1e7
        case 8: 1e8
        case 9: 1e9
        case 10: 1e10
        case 11: 1e11
        case 12: 1e12
        case 13: 1e13
        case 14: 1e14
        case 15: 1e15
        case 16: 1e16
        case 17: 1e17
        default: 1e18
        }
    }

    private static func integerPower(_ exponent: Int) -> UInt64 {
        UInt64(power(exponent))
    }
}
