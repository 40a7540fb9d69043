internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The whole records among the raw bytes of some files, found by magic and checksum: without SQLite, and whatever else
/// is broken. Older copies of a record may be among them.
struct Carving: ~Copyable {
    private struct Place {
        var number: UInt64
        var count: Int
        var file: Int
        var offset: Int
        var length: Int
    }

    private static let window = 256 * 1024
    /// No record that lies in one page is longer.
    private static let longest = 4096

    private let paths: [String]
    private var places: [Place] = []
    /// The newest that was found.
    private(set) var ledger: Ledger?

    init(_ paths: [String]) throws(StoreError) {
        self.paths = paths
        for file in paths.indices { try scan(file) }
        places.sort { ($0.number, $1.count) < ($1.number, $0.count) }
    }

    private mutating func scan(_ file: Int) throws(StoreError) {
        guard let raw = try RawFile(paths[file]) else { return }
        var position = 0
        while true {
            let bytes = raw.read(position, Carving.window + Carving.longest)
            guard !bytes.isEmpty else { return }
            var offset = 0
            let end = min(bytes.count, Carving.window)
            while offset < end {
                guard let start = bytes.firstOffset(of: StoredRecord.magic[0], in: offset..<end) else {
                    offset = end
                    break
                }
                offset = start
                guard let found = StoredRecord.find(in: bytes.span, at: offset) else {
                    offset += 1
                    continue
                }
                take(found, bytes, offset, file, position)
                offset += found.length
            }
            position += max(end, offset)
        }
    }

    private mutating func take(
        _ found: StoredRecord.Found, _ bytes: [UInt8], _ offset: Int, _ file: Int, _ start: Int
    ) {
        switch found.kind {
        case .piece:
            guard let (piece, _) = Piece.readHead(bytes, in: found.body) else { return }
            places.append(
                Place(
                    number: piece.number, count: piece.count, file: file, offset: start + offset,
                    length: found.length))
        case .ledger:
            guard let found = Ledger(Array(bytes[offset..<offset + found.length])),
                found.generation >= ledger?.generation ?? 0
            else { return }
            ledger = found
        }
    }

    /// Gives the pieces with reports from number `end` on in order to `body`, none twice; of one that overlaps what
    /// was before it, the rest. Only those that `runs` allow.
    func forEachPiece(
        from start: UInt64, runs: [Run], _ body: (Piece, [UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var end = start
        var file = -1
        var raw: [UInt8] = []
        var window = 0..<0
        for place in places where place.number + UInt64(place.count) > end {
            let needed = place.offset..<place.offset + place.length
            if file != place.file || !(window.lowerBound <= needed.lowerBound && needed.upperBound <= window.upperBound)
            {
                guard let opened = try RawFile(paths[place.file]) else { continue }
                file = place.file
                raw = opened.read(place.offset, Carving.window)
                window = place.offset..<place.offset + raw.count
            }
            guard needed.upperBound <= window.upperBound else { continue }
            let first = place.offset - window.lowerBound
            let record = Array(raw[first..<first + place.length])
            guard let found = StoredRecord.find(in: record.span),
                let (piece, _) = Piece.readHead(record, in: found.body)
            else { continue }
            guard runs.allow(piece) else { continue }
            if piece.number >= end {
                try body(piece, record)
            } else {
                guard let (_, reports) = Piece.decode(record) else { continue }
                let rest = Array(reports.dropFirst(Int(end - piece.number)))
                let new = Piece.encode(rest, number: end, time: piece.time)
                guard let (piece, _) = Piece.decode(new) else { continue }
                try body(piece, new)
            }
            end = piece.numbers.upperBound
        }
    }
}

extension [UInt8] {
    /// Where a byte first is; most of a file is passed over this way.
    func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, !range.isEmpty,
                let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
}
