/// The tables of the outbox, as the steps from version to version (`user_version`).
enum Schema {
    /// Step 1 makes version 1 of an empty database, and so on. Steps are only ever added.
    static let steps = [
        """
        CREATE TABLE chunk(number INTEGER PRIMARY KEY, count INTEGER NOT NULL, time INTEGER, record BLOB NOT NULL);
        CREATE TABLE ledger(id INTEGER PRIMARY KEY, record BLOB NOT NULL);
        """
    ]

    /// What a database that cannot be brought up to date is.
    enum Outcome: Equatable { case current, newer }

    /// Brings a database up to date, each step whole or not at all.
    static func migrate(_ database: Database, steps: [String] = steps) throws(StoreError) -> Outcome {
        let asked = try database.prepare("PRAGMA user_version")
        let version = Int(try asked.first { $0.number(0) } ?? 0)
        guard version <= steps.count else { return .newer }
        guard version >= 0 else {
            throw StoreError(kind: .damaged, code: 0, message: "impossible version \(version)", path: database.path)
        }
        for step in version..<steps.count {
            do throws(StoreError) {
                try database.execute("BEGIN IMMEDIATE; \(steps[step]) PRAGMA user_version = \(step + 1); COMMIT")
            } catch {
                try? database.execute("ROLLBACK")
                throw error
            }
        }
        return .current
    }
}
