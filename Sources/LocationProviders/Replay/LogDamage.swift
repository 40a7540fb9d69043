/// Rows and points of a log that could not be read: how many, and where the first ones are.
struct LogDamage: Equatable, Sendable {
    static let remembered = 5

    private(set) var count: UInt64 = 0
    /// Lines, counted from 1, of the first ``remembered`` ones.
    private(set) var lines: [UInt64] = []

    mutating func note(line: UInt64) {
        count += 1
        if lines.count < Self.remembered { lines.append(line) }
    }
}
