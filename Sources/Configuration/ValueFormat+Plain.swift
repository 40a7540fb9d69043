internal import Spelling

extension ValueFormat where Value == String {
    /// Any text of one line; empty only where `""` says so.
    public static var string: ValueFormat<String> {
        ValueFormat("string", example: "text") { text throws(InvalidValue) in
            try refuseControlCharacters(text)
            return text
        }
    }

    /// The path of a file or directory, as written: a relative one counts from the working directory.
    public static var path: ValueFormat<String> {
        ValueFormat("path", example: "/etc/fixcast/ca.pem") { text throws(InvalidValue) in
            try refuseControlCharacters(text)
            guard !text.isEmpty else { throw InvalidValue("is empty; write a path, for example /etc/fixcast/ca.pem") }
            return text
        }
    }
}

extension ValueFormat where Value == Bool {
    /// `true` or `false`.
    public static var bool: ValueFormat<Bool> {
        ValueFormat("boolean", example: "true") { text throws(InvalidValue) in
            switch text {
            case "true": return true
            case "false": return false
            default:
                let meant: String? =
                    switch text.lowercased() {
                    case "yes", "on", "y", "1", "true": "true"
                    case "no", "off", "n", "0", "false": "false"
                    default: nil
                    }
                throw InvalidValue("\(quoted(text)) is no boolean; write \(meant ?? "true or false")")
            }
        }
    }
}

extension ValueFormat where Value == Int {
    /// A whole number without a unit.
    public static func integer(in range: ClosedRange<Int>) -> ValueFormat<Int> {
        ValueFormat("integer", example: String(range.lowerBound)) { text throws(InvalidValue) in
            let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                throw InvalidValue(
                    "\(quoted(text)) is no whole number; write one from \(range.lowerBound) to \(range.upperBound)")
            }
            guard let number = Int(text), range.contains(number) else {
                throw InvalidValue(
                    .outOfRange, "\(printable(text)) is not from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension ValueFormat where Value == Double {
    /// A number without a unit.
    public static func number(in range: ClosedRange<Double>) -> ValueFormat<Double> {
        ValueFormat("number", example: shortest(range.lowerBound)) { text throws(InvalidValue) in
            let (number, rest) = try leadingNumber(text, example: shortest(range.lowerBound))
            guard rest.isEmpty else {
                throw InvalidValue(.unknownUnit, "\(quoted(text)) has a unit; write the number alone")
            }
            guard range.contains(number) else {
                throw InvalidValue(
                    .outOfRange,
                    "\(printable(text)) is not from \(shortest(range.lowerBound)) to \(shortest(range.upperBound))")
            }
            return number
        }
    }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable<String> {
    /// One of the type's raw values, for example `publish | drop`.
    public static func choice(of type: Value.Type = Value.self) -> ValueFormat<Value> {
        choice(of: type.allCases.map { ($0.rawValue, $0) })
    }
}

extension ValueFormat {
    /// One of the given words.
    public static func choice(of choices: [(String, Value)]) -> ValueFormat<Value> {
        let names = choices.map(\.0).joined(separator: " | ")
        return ValueFormat(names, example: choices.first?.0 ?? "") { text throws(InvalidValue) in
            if let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
            if let meant = Spelling.nearest(to: text, in: choices.lazy.map(\.0)) {
                throw InvalidValue("\(quoted(text)) is not one of \(names); did you mean \(meant)?")
            }
            throw InvalidValue("\(quoted(text)) is not one of \(names)")
        }
    }
}

private func refuseControlCharacters(_ text: String) throws(InvalidValue) {
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw InvalidValue("\(quoted(text)) has a control character; write one line of text")
    }
}
