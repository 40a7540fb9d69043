internal import Positioning

extension OutboxStore {
    /// Opens the store of a directory; one that is damaged, or of a newer version, is made anew from what is whole in it.
    ///
    /// - Parameter known: the ledger, where the caller knows it better than any file, in numbers as stored.
    static func open(
        _ files: StoreFiles, maximumSize: Int, known: Ledger? = nil
    ) throws(StoreError) -> Opened {
        try files.finishReplacement()
        // SQLite would remove the log of an empty database, and write over a log that it cannot read to its end.
        let log = try Carving([files.log])
        var repair: Repair?
        if try files.looksDamaged() { repair = try remake(files, known, isNewer: false) }
        for _ in 0..<2 {
            do throws(StoreError) {
                let store = try OutboxStore(files, maximumSize: maximumSize)
                do throws(StoreError) {
                    var ledger = try store.ledger()
                    var end = try store.end()
                    if repair == nil { try store.take(log, &ledger, &end) }
                    return Opened(store: store, ledger: ledger, end: end, repair: repair)
                } catch {
                    store.close()
                    throw error
                }
            } catch {
                guard error.kind == .damaged, repair == nil else { throw error }
                repair = try remake(files, known, isNewer: error.code == newerVersionCode)
            }
        }
        throw StoreError(kind: .unavailable, code: 0, message: "cannot be repaired", path: files.database)
    }

    /// Takes over what is in the log but was not read from there: behind damage, or of a transaction that was cut short.
    private func take(_ log: borrowing Carving, _ ledger: inout Ledger?, _ end: inout UInt64) throws(StoreError) {
        var new = ledger ?? log.ledger ?? Ledger(id: .random(in: 1...UInt64.max))
        var pieces: [(Piece, [UInt8])] = []
        try log.forEachPiece(from: end, runs: new.runs) { (piece, record) throws(StoreError) in
            pieces.append((piece, record))
        }
        guard let last = pieces.last else { return }
        for (piece, _) in pieces { new.runs.join(piece) }
        new.generation += 1
        try write(isDurable: true) { () throws(StoreError) in
            for (piece, record) in pieces { try insert(piece, record) }
            try write(new)
        }
        ledger = new
        end = last.0.numbers.upperBound
    }

    /// Makes a new database of what is whole in the present one, which is put aside.
    static func remake(_ files: StoreFiles, _ known: Ledger?, isNewer: Bool) throws(StoreError) -> Repair {
        let carving = try Carving([files.database, files.log])
        var ledger = known ?? carving.ledger ?? Ledger(id: .random(in: 1...UInt64.max))
        let isKnown = known != nil || carving.ledger != nil
        var found = SequenceRanges()
        files.removeNew()
        try files.make(files.new)
        do throws(StoreError) {
            let database = try Database(path: files.new)
            defer { database.close() }
            try configure(database)
            _ = try Schema.migrate(database)
            let insert = try database.prepare("INSERT INTO chunk(number, count, time, record) VALUES(?1, ?2, ?3, ?4)")
            let write = try database.prepare("INSERT INTO ledger(id, record) VALUES(1, ?1)")
            try database.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
            try carving.forEachPiece(from: ledger.first, runs: ledger.runs) {
                (piece, record) throws(StoreError) in
                try insert.run(
                    Int64(piece.number), Int64(piece.count), piece.time?.milliseconds, bytes: record)
                found.insert(piece.numbers)
                ledger.runs.join(piece)
            }
            let lost = isKnown ? ledger.keepWaiting(in: found) : ledger.assumeWaiting(found)
            ledger.generation += 1
            try write.run(bytes: ledger.encode())
            try database.execute("COMMIT")
            database.close()
            try files.replace()
            return Repair(isNewer: isNewer, kept: Int(found.count), lost: lost)
        } catch {
            files.removeNew()
            throw error
        }
    }
}

extension StoreFiles {
    /// What SQLite would take for an empty database, for one that may only be read, or not look at closely enough.
    fileprivate func looksDamaged() throws(StoreError) -> Bool {
        let size = StoreFiles.size(database)
        if size == 0 { return StoreFiles.size(log) > 0 }
        guard size % OutboxStore.pageSize == 0, let file = try RawFile(database) else { return true }
        let head = file.read(0, 20)
        guard head.count == 20 else { return true }
        // Magic, size of a page, and the versions for writing and reading: 2 with a write-ahead log.
        return !head.starts(with: Array("SQLite format 3\0".utf8) + [0x10, 0x00])
            || !(1...2).contains(head[18]) || !(1...2).contains(head[19])
    }
}

extension Ledger {
    /// Everything below `end` that waits.
    func waiting(below end: UInt64) -> SequenceRanges {
        var result = waiting
        if waitingFrom < end { result.insert(waitingFrom..<end) }
        return result
    }

    /// Of what waits, only what was found is left.
    ///
    /// - Returns: how many reports that waited were not.
    fileprivate mutating func keepWaiting(in found: SequenceRanges) -> UInt64 {
        let end = max(found.last.map { $0 + 1 } ?? first, waitingFrom)
        let all = waiting(below: end)
        waiting = SequenceRanges()
        for range in found.ranges {
            for part in all.intersection(range).ranges { waiting.insert(part) }
        }
        waitingFrom = end
        return all.count - waiting.count
    }

    /// Nothing is known of what was acknowledged: everything is sent again, and readers drop what they have.
    ///
    /// - Returns: how many reports are missing in between.
    fileprivate mutating func assumeWaiting(_ found: SequenceRanges) -> UInt64 {
        waiting = found
        guard let lowest = found.first, let last = found.last else { return 0 }
        first = lowest
        waitingFrom = last + 1
        return found.gaps(in: lowest..<last + 1).count
    }

    /// The same with every number moved; wraps around.
    func moved(by offset: UInt64) -> Ledger {
        guard offset != 0 else { return self }
        var result = self
        result.first = first &+ offset
        result.runs = runs.map { run in
            var run = run
            run.first = run.first &+ offset
            return run
        }
        result.waiting = waiting.moved(by: offset)
        result.waitingFrom = waitingFrom &+ offset
        result.quarantine = Quarantine()
        for (reason, numbers) in quarantine.reasons {
            for range in numbers.moved(by: offset).ranges { result.quarantine.insert(range, reason: reason) }
        }
        return result
    }
}

extension SequenceRanges {
    func moved(by offset: UInt64) -> SequenceRanges {
        var result = SequenceRanges()
        for range in ranges { result.insert(range.lowerBound &+ offset..<range.upperBound &+ offset) }
        return result
    }
}
