internal import Positioning

/// The reports on disk: pieces by number, and the ledger. Each write is one of SQLite's transactions.
///
/// What the caller names by a number is stored ``offset`` higher, so that a store that could not be opened at the start
/// can still be taken up later, below the numbers given by then.
final class OutboxStore {
    /// What opening found.
    struct Opened {
        var store: OutboxStore
        /// `nil` in a new store.
        var ledger: Ledger?
        /// Above the highest number stored.
        var end: UInt64
        var repair: Repair?
    }

    /// Why a store was made anew from an old one, and what came of it.
    struct Repair {
        var isNewer: Bool
        /// Reports that were whole.
        var kept: Int
        /// Unacknowledged reports that are lost, as far as they are known.
        var lost: UInt64
    }

    static let pageSize = 4096
    /// Pages by which one transaction may exceed the bounds of the log.
    private static let overrun = 16

    let files: StoreFiles
    let maximumPages: Int
    var offset: UInt64 = 0
    private let database: Database
    private let identity: StoreFiles.Identity?
    private var isDurable = false
    private let selectAtOrBelow: Statement
    private let selectAbove: Statement
    private let selectPlace: Statement
    private let insertPiece: Statement
    private let deletePieces: Statement
    private let replaceLedger: Statement
    private let begin: Statement
    private let commit: Statement
    private let selectPages: Statement
    private let selectFree: Statement

    /// Pages of the write-ahead log before it is copied back into the database.
    static func logPages(_ maximumSize: Int) -> Int { min(256, max(16, maximumSize / 16 / pageSize)) }

    init(_ files: StoreFiles, maximumSize: Int) throws(StoreError) {
        self.files = files
        let logPages = OutboxStore.logPages(maximumSize)
        maximumPages = max(24, maximumSize / OutboxStore.pageSize - logPages - OutboxStore.overrun)
        try files.make(files.database)
        let database = try Database(path: files.database)
        self.database = database
        do throws(StoreError) {
            try OutboxStore.configure(database)
            try database.execute("PRAGMA journal_mode = WAL")
            try database.execute("PRAGMA wal_autocheckpoint = \(logPages)")
            try database.execute("PRAGMA journal_size_limit = \(logPages * (OutboxStore.pageSize + 24) + 32)")
            try database.execute("PRAGMA synchronous = NORMAL")
            guard try Schema.migrate(database) == .current else { throw OutboxStore.newer(files.database) }
            // The outbox keeps below it by itself.
            try database.execute("PRAGMA max_page_count = \(maximumPages + OutboxStore.overrun)")
            selectAtOrBelow = try database.prepare(
                "SELECT number, record FROM chunk WHERE number <= ?1 ORDER BY number DESC LIMIT 1")
            selectAbove = try database.prepare(
                "SELECT number, record FROM chunk WHERE number > ?1 ORDER BY number LIMIT 1")
            selectPlace = try database.prepare(
                "SELECT number, count, time FROM chunk WHERE number >= ?1 ORDER BY number LIMIT 1")
            insertPiece = try database.prepare(
                "INSERT OR REPLACE INTO chunk(number, count, time, record) VALUES(?1, ?2, ?3, ?4)")
            deletePieces = try database.prepare("DELETE FROM chunk WHERE number >= ?1 AND number < ?2")
            replaceLedger = try database.prepare("INSERT OR REPLACE INTO ledger(id, record) VALUES(?1, ?2)")
            begin = try database.prepare("BEGIN IMMEDIATE")
            commit = try database.prepare("COMMIT")
            selectPages = try database.prepare("PRAGMA page_count")
            selectFree = try database.prepare("PRAGMA freelist_count")
        } catch {
            database.close()
            throw error
        }
        identity = StoreFiles.identity(files.database)
    }

    /// What must be the same for every connection.
    static func configure(_ database: Database) throws(StoreError) {
        // No other process has business here, and without it there would be a file of shared memory.
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        try database.execute("PRAGMA page_size = \(pageSize)")
        try database.execute("PRAGMA cache_size = -256")
        try database.execute("PRAGMA secure_delete = OFF")
    }

    static let newerVersionCode: Int32 = -1_000_000

    private static func newer(_ path: String) -> StoreError {
        StoreError(kind: .damaged, code: newerVersionCode, message: "made by a newer version", path: path)
    }

    func close() { database.close() }

    // MARK: Reading

    /// The stored ledger; `nil` in a new store.
    func ledger() throws(StoreError) -> Ledger? {
        let asked = try database.prepare("SELECT record FROM ledger WHERE id = 1")
        guard let record = try asked.first(read: { $0.bytes(0) }) else {
            guard try place(from: 0) == nil else { throw damage("there are reports, but no ledger") }
            return nil
        }
        guard let ledger = Ledger(record) else { throw damage("the ledger is damaged") }
        return ledger
    }

    /// Above the highest number stored.
    func end() throws(StoreError) -> UInt64 {
        let last = try selectAtOrBelow.first(Int64.max) { row in (row.number(0), row.bytes(1)) }
        guard let (number, record) = last else { return 1 &- offset }
        guard let (piece, _) = Piece.decode(record), piece.number == UInt64(bitPattern: number) else {
            throw damage("the newest piece is damaged")
        }
        return piece.numbers.upperBound &- offset
    }

    /// The piece that holds the oldest report at or above `number`, with its reports.
    func piece(from number: UInt64) throws(StoreError) -> (piece: Piece, reports: [Report])? {
        let stored = stored(number)
        let below = try selectAtOrBelow.first(stored) { row in (row.number(0), row.bytes(1)) }
        if let (key, record) = below {
            let found = try decode(key, record)
            if found.piece.numbers.upperBound > number { return found }
        }
        let above = try selectAbove.first(stored) { row in (row.number(0), row.bytes(1)) }
        guard let (key, record) = above else { return nil }
        return try decode(key, record)
    }

    private func decode(_ key: Int64, _ record: [UInt8]) throws(StoreError) -> (piece: Piece, reports: [Report]) {
        guard var found = Piece.decode(record), found.piece.number == UInt64(bitPattern: key) else {
            throw damage("a piece is damaged")
        }
        found.piece.number &-= offset
        return found
    }

    /// Where the first piece at or above `number` is, and when it was stored.
    func place(from number: UInt64) throws(StoreError) -> (numbers: Range<UInt64>, time: UTCInstant?)? {
        let row = try selectPlace.first(stored(number)) { row in (row.number(0), row.number(1), row.number(2)) }
        guard let (first, count, time) = row else { return nil }
        guard first > 0, count > 0, count <= Int64(Piece.countLimit) else { throw damage("a piece is damaged") }
        let number = UInt64(first) &- offset
        return (number..<number + UInt64(count), time > 0 ? UTCInstant(milliseconds: time) : nil)
    }

    /// Where the piece is that holds `number`, and when it was stored.
    func place(around number: UInt64) throws(StoreError) -> (numbers: Range<UInt64>, time: UTCInstant?)? {
        guard let (piece, _) = try piece(from: number) else { return nil }
        return (piece.numbers, piece.time)
    }

    func damage(_ message: String) -> StoreError {
        StoreError(kind: .damaged, code: 0, message: message, path: files.database)
    }

    /// Pages that hold something.
    func usedPages() throws(StoreError) -> Int {
        let pages = try selectPages.first { $0.number(0) } ?? 0
        let free = try selectFree.first { $0.number(0) } ?? 0
        // Nothing must be dropped because of a damaged count.
        guard free >= 0, free < max(1, pages) else { throw damage("the count of free pages is damaged") }
        return Int(pages - free)
    }

    /// The database grows no further than that, or than it is: as on a full disk.
    func limitPages(to count: Int) throws(StoreError) { try database.execute("PRAGMA max_page_count = \(count)") }

    /// Copies the log back into the database, so that its space is used again; no matter if that fails.
    func emptyLog() { try? database.execute("PRAGMA wal_checkpoint(RESTART)") }

    // MARK: Writing

    /// Whether the file is still where it was opened.
    var isInPlace: Bool { identity != nil && StoreFiles.identity(files.database) == identity }

    /// Runs `body` as one transaction; what is durable is on disk when it returns.
    func write(isDurable: Bool, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard isInPlace else {
            throw StoreError(kind: .unavailable, code: 0, message: "the file is gone", path: files.database)
        }
        if isDurable != self.isDurable {
            try database.execute(isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
            self.isDurable = isDurable
        }
        do throws(StoreError) {
            try begin.run()
            try body()
            try commit.run()
        } catch {
            // Some errors have rolled it back already.
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    /// A run of reports, encoded, that is to be stored.
    struct NewPiece {
        var number: UInt64
        var count: Int
        var record: [UInt8]
    }

    /// Encodes reports, which are not empty, to be stored under their numbers.
    func piece(_ reports: [Report], number: UInt64, time: UTCInstant?) -> NewPiece {
        NewPiece(
            number: number, count: reports.count,
            record: Piece.encode(reports, number: number &+ offset, time: time))
    }

    func insert(_ piece: NewPiece, time: UTCInstant?) throws(StoreError) {
        try insertPiece.run(stored(piece.number), Int64(piece.count), time?.milliseconds, bytes: piece.record)
    }

    /// Removes the pieces that begin in `numbers`.
    func delete(_ numbers: Range<UInt64>) throws(StoreError) {
        try deletePieces.run(stored(numbers.lowerBound), stored(numbers.upperBound))
    }

    func write(_ ledger: Ledger) throws(StoreError) {
        try replaceLedger.run(1, bytes: ledger.moved(by: offset).encode())
    }

    /// Takes over pieces from elsewhere, as they are.
    func insert(_ piece: Piece, _ record: [UInt8]) throws(StoreError) {
        try insertPiece.run(
            Int64(piece.number), Int64(piece.count), piece.time?.milliseconds, bytes: record)
    }

    /// Gives all pieces to another store, under the same numbers.
    func copy(to other: OutboxStore) throws(StoreError) {
        other.offset = offset
        var next = Int64.min
        while let (key, record) = try selectAbove.first(next, read: { ($0.number(0), $0.bytes(1)) }) {
            next = key
            guard let (piece, _) = Piece.decode(record) else { continue }
            try other.insert(piece, record)
        }
    }

    /// What is not named by a number stays at the ends.
    private func stored(_ number: UInt64) -> Int64 { Int64(clamping: number &+ offset) }
}
