internal import Positioning

/// The comma-separated fields of one sentence, read strictly from left to right. A damaged field sets ``isDamaged``,
/// which voids the sentence; an empty one is `nil`.
struct NMEAFields: ~Copyable {
    private var position: Int
    private let end: Int
    private(set) var isDamaged = false

    /// - Parameter range: from behind the sentence's first comma to its asterisk.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next field; empty ones behind the last.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        guard start < end else { return end..<end }
        var stop = start
        while stop < end, bytes[stop] != UInt8(ascii: ",") { stop += 1 }
        position = stop + 1
        return start..<stop
    }

    mutating func skip(_ count: Int, _ bytes: Span<UInt8>) {
        for _ in 0..<count { _ = next(bytes) }
    }

    /// A second reader at the same place.
    func peek() -> NMEAFields { NMEAFields(position..<max(position, end)) }

    mutating func damaged<T>() -> T? {
        isDamaged = true
        return nil
    }

    mutating func letter(_ bytes: Span<UInt8>) -> UInt8? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        return field.count == 1 ? bytes[field.lowerBound] : damaged()
    }

    mutating func mode(_ bytes: Span<UInt8>) -> NMEAMode? {
        guard let letter = letter(bytes) else { return nil }
        return NMEAMode(letter) ?? damaged()
    }

    /// A decimal number, possibly negative.
    mutating func decimal(_ bytes: Span<UInt8>) -> Double? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        return Self.decimal(bytes, field, signed: true) ?? damaged()
    }

    /// A decimal number of zero or more.
    mutating func magnitude(_ bytes: Span<UInt8>) -> Double? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        return Self.decimal(bytes, field, signed: false) ?? damaged()
    }

    /// Degrees in [0, 360]; 360 is 0.
    mutating func course(_ bytes: Span<UInt8>) -> Double? {
        guard let degrees = magnitude(bytes) else { return nil }
        if degrees > 360 { return damaged() }
        return degrees == 360 ? 0 : degrees
    }

    /// A whole number of at most four digits.
    mutating func count(_ bytes: Span<UInt8>) -> Int? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        return field.count <= 4 ? Self.digits(bytes, field) ?? damaged() : damaged()
    }

    /// `hhmmss` with any fraction, as milliseconds since midnight.
    mutating func time(_ bytes: Span<UInt8>) -> Int32? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        let start = field.lowerBound
        guard field.count >= 6, let hours = Self.digits(bytes, start..<(start + 2)),
            let minutes = Self.digits(bytes, (start + 2)..<(start + 4)),
            let seconds = Self.digits(bytes, (start + 4)..<(start + 6)), hours < 24, minutes < 60, seconds <= 60
        else { return damaged() }
        var milliseconds = 0
        if field.count > 6 {
            guard bytes[start + 6] == UInt8(ascii: "."),
                let fraction = Self.fraction(bytes, (start + 7)..<field.upperBound)
            else { return damaged() }
            milliseconds = fraction
        }
        let whole = (hours * 60 + minutes) * 60
        // A leap second has no place on the UTC scale of timestamps: it is the last millisecond of its minute.
        return Int32(seconds == 60 ? whole * 1000 + 59_999 : (whole + seconds) * 1000 + milliseconds)
    }

    /// `ddmmyy`, as days since 1970; years 80 to 99 are of the last century.
    mutating func date(_ bytes: Span<UInt8>) -> Int32? {
        let field = next(bytes)
        if field.isEmpty { return nil }
        let start = field.lowerBound
        guard field.count == 6, let day = Self.digits(bytes, start..<(start + 2)),
            let month = Self.digits(bytes, (start + 2)..<(start + 4)),
            let year = Self.digits(bytes, (start + 4)..<(start + 6)),
            let days = CivilDate.days(year: year + (year < 80 ? 2000 : 1900), month: month, day: day)
        else { return damaged() }
        return Int32(days)
    }

    /// `ddmm.m,N,dddmm.m,E`: all four fields or none of them.
    mutating func coordinate(_ bytes: Span<UInt8>) -> Coordinate? {
        let (latitude, north) = (next(bytes), next(bytes))
        let (longitude, east) = (next(bytes), next(bytes))
        if latitude.isEmpty, north.isEmpty, longitude.isEmpty, east.isEmpty { return nil }
        guard
            let y = Self.angle(bytes, latitude, north, degreeDigits: 2, UInt8(ascii: "N"), UInt8(ascii: "S")),
            let x = Self.angle(bytes, longitude, east, degreeDigits: 3, UInt8(ascii: "E"), UInt8(ascii: "W"))
        else { return damaged() }
        let coordinate = Coordinate(latitude: y, longitude: x)
        return coordinate.isCorrect ? coordinate : damaged()
    }
}

extension NMEAFields {
    private static func angle(
        _ bytes: Span<UInt8>, _ field: Range<Int>, _ hemisphere: Range<Int>, degreeDigits: Int, _ positive: UInt8,
        _ negative: UInt8
    ) -> Double? {
        let split = field.lowerBound + degreeDigits
        guard hemisphere.count == 1, field.count >= degreeDigits + 2,
            field.count == degreeDigits + 2 || bytes[split + 2] == UInt8(ascii: "."),
            let degrees = digits(bytes, field.lowerBound..<split),
            let minutes = decimal(bytes, split..<field.upperBound, signed: false), minutes < 60
        else { return nil }
        let value = Double(degrees) + minutes / 60
        switch bytes[hemisphere.lowerBound] {
        case positive: return value
        case negative: return -value
        default: return nil
        }
    }

    private static func digits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return range.isEmpty ? nil : value
    }

    /// Digits behind a decimal point, as whole milliseconds.
    private static func fraction(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var (value, weight) = (0, 100)
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value += Int(digit) * weight
            weight /= 10
        }
        return value
    }

    static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>, signed: Bool) -> Double? {
        var index = range.lowerBound
        var isNegative = false
        if signed, index < range.upperBound, bytes[index] == UInt8(ascii: "-") {
            isNegative = true
            index += 1
        }
        var (mantissa, digits, decimals, hasPoint) = (Int64(0), 0, 0, false)
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            digits += 1
            // Digits past the resolution of a Double are checked and dropped behind the point, refused before it.
            if mantissa >= 100_000_000_000_000_000 || decimals >= 22 {
                if !hasPoint { return nil }
                continue
            }
            mantissa = mantissa &* 10 &+ Int64(digit)
            if hasPoint { decimals += 1 }
        }
        guard digits > 0 else { return nil }
        let value = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -value : value
    }
}

/// Exact as far as they are used here.
private let powersOfTen: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
