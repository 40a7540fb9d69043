/// The middle of some measurements and how far they spread.
struct Summary {
    var median: Double
    var lowest: Double
    var highest: Double

    /// `values` are at least one.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        lowest = sorted[0]
        highest = sorted[sorted.count - 1]
    }
}

/// A number with so many decimal places.
func fixed(_ number: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard places > 0 else { return String(scaled) }
    let fraction = String(abs(scaled) % Int(scale))
    return (scaled < 0 ? "-" : "") + "\(abs(scaled) / Int(scale))."
        + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Rows in columns: the first aligned left, the others right.
func table(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
        row.enumerated().map { column, text in
            let padding = String(repeating: " ", count: widths[column] - text.count)
            return column == 0 ? text + padding : padding + text
        }.joined(separator: "  ")
    }.joined(separator: "\n")
}
