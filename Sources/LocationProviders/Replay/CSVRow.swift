/// The fields of one line of separated values: where they are, without their quotes.
struct CSVRow: Equatable, Sendable {
    private(set) var fields: [Range<Int>] = []
    /// Whether a quotation began and did not end: the row goes on in the next line.
    private(set) var isOpen = false

    /// Splits a line. A field that begins with a quotation mark ends with one, and holds separators and doubled
    /// quotation marks as they stand; a quotation mark elsewhere is a character like others.
    mutating func split(_ bytes: Span<UInt8>, _ line: Range<Int>, at separator: UInt8) {
        fields.removeAll(keepingCapacity: true)
        isOpen = false
        var index = line.lowerBound
        while true {
            var start = index
            while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
            if start < line.upperBound, bytes[start] == UInt8(ascii: "\"") {
                index = quoted(bytes, (start + 1)..<line.upperBound)
            } else {
                while index < line.upperBound, bytes[index] != separator { index += 1 }
                fields.append(start..<max(start, index))
            }
            while index < line.upperBound, bytes[index] != separator { index += 1 }
            guard index < line.upperBound else { return }
            index += 1
        }
    }

    mutating func dropLastField() { fields.removeLast() }

    /// Appends the field that begins at `rest` and returns where it ends, behind its closing mark.
    private mutating func quoted(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Int {
        var index = rest.lowerBound
        while index < rest.upperBound {
            if bytes[index] == UInt8(ascii: "\"") {
                guard index + 1 < rest.upperBound, bytes[index + 1] == UInt8(ascii: "\"") else {
                    fields.append(rest.lowerBound..<index)
                    return index + 1
                }
                index += 1
            }
            index += 1
        }
        fields.append(rest)
        isOpen = true
        return rest.upperBound
    }
}
