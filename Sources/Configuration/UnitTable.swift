/// The units of one quantity: how a number and a unit become the program's number.
struct UnitTable: Sendable {
    struct Unit: Sendable {
        var name: String
        /// What one of it is in the program's unit.
        var factor: Double
        /// Other ways in which people write it; refused, with a hint.
        var alsoWritten: [String] = []
    }

    /// What the quantity is called in messages and in the reference.
    var quantity: String
    var units: [Unit]
    /// A value as it may be written.
    var example: String
    /// The unit proposed where there is none.
    var usual: String

    var names: String { units.map(\.name).joined(separator: ", ") }

    func read(_ text: String, in range: ClosedRange<Double>) throws(InvalidValue) -> Double {
        let (number, rest) = try leadingNumber(text, example: example)
        let name = String(rest.drop { $0 == " " })
        guard !name.isEmpty else {
            throw InvalidValue(
                .missingUnit, "\(quoted(text)) has no unit; write for example \(printable(text))\(usual)")
        }
        guard let unit = units.first(where: { $0.name == name }) else {
            let meant = units.first { $0.alsoWritten.contains(name) || $0.name == name.lowercased() }?.name
            let digits = text[..<rest.startIndex]
            let choices = meant.map { [$0] } ?? completions(of: name)
            let hint = choices.isEmpty ? nil : "write \(choices.map { digits + $0 }.joined(separator: " or "))"
            throw InvalidValue(
                .unknownUnit,
                "\(quoted(text)) has the unknown unit \(quoted(name)); \(hint ?? "use one of \(names), for example \(example)")"
            )
        }
        let value = number * unit.factor
        guard range.contains(value) else {
            let limits =
                value < range.lowerBound
                ? "less than \(self.text(for: range.lowerBound))" : "more than \(self.text(for: range.upperBound))"
            throw InvalidValue(
                .outOfRange,
                "\(printable(text)) is \(limits); write \(self.text(for: range.lowerBound)) to \(self.text(for: range.upperBound))"
            )
        }
        return value
    }

    /// The units that `name` is the beginning of, where it lacks only the time that they are per: that of the longest first.
    private func completions(of name: String) -> [String] {
        units.reversed().filter { unit in
            ([unit.name] + unit.alsoWritten).contains { $0.hasPrefix(name + "/") }
        }.map(\.name)
    }

    /// The value with the largest unit in which it is a short number.
    func text(for value: Double) -> String {
        let whole = units.filter { unit in
            let count = value / unit.factor
            return count.rounded() == count && abs(count) >= 1
        }
        let usual = units.first { $0.name == self.usual }
        guard value != 0, let unit = whole.max(by: { $0.factor < $1.factor }) ?? usual else {
            return "0\(self.usual)"
        }
        return shortest(value / unit.factor) + unit.name
    }
}

/// A decimal number at the start of `text`, and what follows it. Whatever the locale, the decimal separator is a point.
func leadingNumber(_ text: String, example: String) throws(InvalidValue) -> (Double, Substring) {
    let bytes = text.utf8
    var end = bytes.startIndex
    if end < bytes.endIndex, bytes[end] == UInt8(ascii: "-") || bytes[end] == UInt8(ascii: "+") {
        end = bytes.index(after: end)
    }
    var digits = 0
    var points = 0
    while end < bytes.endIndex {
        if UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[end] {
            digits += 1
        } else if bytes[end] == UInt8(ascii: "."), points == 0 {
            points = 1
        } else {
            break
        }
        end = bytes.index(after: end)
    }
    if end < bytes.endIndex, bytes[end] == UInt8(ascii: ","), digits > 0 {
        throw InvalidValue("\(quoted(text)) has a comma; the decimal separator is a point, for example 1.5")
    }
    guard digits > 0, digits <= 40, let number = Double(text[..<end]), number.isFinite else {
        throw InvalidValue("\(quoted(text)) is no number; write for example \(example)")
    }
    return (number, text[end...])
}

/// A number as short as it can be written: `5`, `0.5`.
func shortest(_ number: Double) -> String {
    if number.rounded() == number, abs(number) < 1e15 { return String(Int64(number)) }
    return String(number)
}
