#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The files of the store in its directory.
struct StoreFiles {
    let directory: String

    var database: String { directory + "/outbox.db" }
    var log: String { database + "-wal" }
    /// Where a damaged or newer database goes; one is kept.
    var aside: String { database + ".damaged" }
    /// A database being made of what was salvaged.
    var new: String { database + ".new" }

    /// Which file it is, as long as it is open.
    struct Identity: Equatable {
        var device: UInt64
        var number: UInt64
    }

    /// Makes the directory and an empty database that only its owner may read; positions are personal data.
    func make(_ path: String) throws(StoreError) {
        unsafe mkdir(directory, 0o700)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        close(descriptor)
    }

    /// Bytes of a file; 0 where there is none.
    static func size(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Ends a replacement that was cut short: the new database is whole once the old one is gone.
    func finishReplacement() throws(StoreError) {
        guard StoreFiles.exists(new) else { return }
        if !StoreFiles.exists(database) {
            // The log of the old one must not be taken for the new one's.
            if StoreFiles.exists(log) { try move(log, to: aside + "-wal") }
            try move(new, to: database)
            try synchronise()
        } else {
            removeNew()
        }
    }

    func removeNew() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(new + suffix) }
    }

    /// Puts the new database, which is closed, in the place of the present one, and that beside it.
    func replace() throws(StoreError) {
        for suffix in ["", "-wal"] { unsafe unlink(aside + suffix) }
        if StoreFiles.exists(database) { try move(database, to: aside) }
        if StoreFiles.exists(log) { try move(log, to: aside + "-wal") }
        try move(new, to: database)
        try synchronise()
    }

    private func move(_ path: String, to other: String) throws(StoreError) {
        guard unsafe rename(path, other) == 0 else { throw failure(path) }
    }

    /// Makes the names of the files durable.
    private func synchronise() throws(StoreError) {
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure(directory) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure(directory) }
    }

    private func failure(_ path: String) -> StoreError {
        let number = errno
        let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
        return StoreError(
            kind: isFull ? .full : .unavailable, code: -number, message: systemMessage(number), path: path)
    }
}
