internal import CSQLite

/// One SQLite database, used by one thread: its owner's. Errors are values; every statement is finalised with it.
@safe final class Database {
    let path: String
    private var handle: OpaquePointer?
    private var statements: [Statement] = []

    /// Opens a database for reading and writing; one that is not there is made.
    init(path: String) throws(StoreError) {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let error = failure(code)
            close()
            throw error
        }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, 0)
    }

    deinit { close() }

    /// Nothing of it may be used after.
    func close() {
        for statement in statements { statement.finalise() }
        statements = []
        unsafe sqlite3_close(handle)
        unsafe handle = nil
    }

    /// Runs statements that answer nothing of interest.
    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The number that a query answers, which is kept for the next time.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
        let statement = unsafe Statement(prepared, of: self)
        statements.append(statement)
        return statement
    }

    /// What the last call answered, as a value.
    fileprivate func failure(_ code: Int32) -> StoreError {
        let text = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "out of memory"
        return StoreError(kind: Database.kind(code), code: code, message: text, path: path)
    }

    private static func kind(_ code: Int32) -> StoreError.Kind {
        switch code & 0xFF {
        // A schema that cannot be parsed or lacks a table is an error of the statement.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .damaged
        case SQLITE_FULL: .full
        // SQLITE_IOERR_SHORT_READ, a macro that is not imported.
        case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: .damaged
        default: .unavailable
        }
    }
}

/// A prepared statement of a ``Database``, which finalises it.
@safe final class Statement {
    private var handle: OpaquePointer?
    private unowned let database: Database

    @unsafe fileprivate init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = handle
        self.database = database
    }

    fileprivate func finalise() {
        unsafe sqlite3_finalize(handle)
        unsafe handle = nil
    }

    /// Binds numbers and at most one value of bytes behind them, and runs to the end.
    func run(_ numbers: Int64?..., bytes: [UInt8]? = nil) throws(StoreError) {
        defer { unsafe sqlite3_reset(handle) }
        try bind(numbers, bytes)
        while try step() {}
    }

    /// The first row that the statement answers, as `read` takes it from there.
    func first<Value>(_ numbers: Int64..., read: (Statement) -> Value) throws(StoreError) -> Value? {
        defer { unsafe sqlite3_reset(handle) }
        try bind(numbers, nil)
        return try step() ? read(self) : nil
    }

    /// Gives row by row to `body` until that answers false.
    func forEach(_ numbers: Int64..., body: (Statement) -> Bool) throws(StoreError) {
        defer { unsafe sqlite3_reset(handle) }
        try bind(numbers, nil)
        while try step(), body(self) {}
    }

    /// A column of the current row.
    func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// A column of the current row.
    func bytes(_ column: Int32) -> [UInt8] {
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let pointer = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: pointer, count: count))
    }

    private func bind(_ numbers: [Int64?], _ bytes: [UInt8]?) throws(StoreError) {
        for (index, number) in numbers.enumerated() {
            let place = Int32(index + 1)
            let code =
                if let number {
                    unsafe sqlite3_bind_int64(handle, place, number)
                } else {
                    unsafe sqlite3_bind_null(handle, place)
                }
            guard code == SQLITE_OK else { throw database.failure(code) }
        }
        guard let bytes else { return }
        // SQLITE_TRANSIENT: it makes a copy of its own.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe sqlite3_bind_blob(
                handle, Int32(numbers.count + 1), buffer.baseAddress, Int32(buffer.count), transient)
        }
        guard code == SQLITE_OK else { throw database.failure(code) }
    }

    private func step() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.failure(code)
        }
    }
}
