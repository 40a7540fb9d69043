internal import FleetWire
internal import Positioning

/// A run of reports as it is stored: of one boot, their numbers and sequences without gaps.
struct Piece: Equatable {
    var number: UInt64
    var count: Int
    var instance: String
    var boot: UInt64
    /// Of the first report.
    var sequence: UInt64
    /// When it was stored, UTC; `nil` where no clock was trusted.
    var time: UTCInstant?

    var numbers: Range<UInt64> { number..<number + UInt64(count) }

    /// Reports in one piece at the most.
    static let countLimit = 256
    /// Bytes of a full piece: two of them share one page of the database, without overflow pages.
    static let sizeLimit = 1960

    /// The record of `reports`, which are not empty.
    static func encode(_ reports: [Report], number: UInt64, time: UTCInstant?) -> [UInt8] {
        let first = reports[0].identity
        let piece = Piece(
            number: number, count: reports.count, instance: first.instance, boot: first.boot,
            sequence: first.sequence, time: time)
        var buffer: [UInt8] = []
        buffer.reserveCapacity(sizeLimit + 512)
        StoredRecord.write(.piece, to: &buffer) { buffer in
            piece.writeHead(to: &buffer)
            CompactTrack.encode(reports, into: &buffer)
        }
        return buffer
    }

    private func writeHead(to buffer: inout [UInt8]) {
        buffer.append(number: number)
        buffer.append(number: UInt64(count))
        buffer.append(number: time.map { UInt64(max(1, $0.milliseconds)) } ?? 0)
        buffer.append(number: boot)
        buffer.append(number: sequence)
        buffer.append(text: instance)
    }

    /// What the body of a record says about its reports, and where they begin.
    static func readHead(_ bytes: [UInt8], in body: Range<Int>) -> (piece: Piece, end: Int)? {
        var reader = ByteReader(bytes, in: body)
        guard let number = reader.number(), let count = reader.number(), let time = reader.number(),
            let boot = reader.number(), let sequence = reader.number(), let instance = reader.text(),
            count > 0, count <= countLimit, number > 0, number < 1 << 62, sequence > 0, sequence < 1 << 62,
            time < 1 << 62
        else { return nil }
        let piece = Piece(
            number: number, count: Int(count), instance: instance, boot: boot, sequence: sequence,
            time: time == 0 ? nil : UTCInstant(milliseconds: Int64(time)))
        return (piece, reader.offset)
    }

    /// The piece in a record and its reports; `nil` where anything in it is wrong.
    static func decode(_ record: [UInt8]) -> (piece: Piece, reports: [Report])? {
        guard let found = StoredRecord.find(in: record.span), found.kind == .piece,
            let (piece, end) = readHead(record, in: found.body)
        else { return nil }
        do throws(WireError) {
            let track = try CompactTrack.decode(record.span.extracting(end..<found.body.upperBound))
            guard track.refused.isEmpty, track.reports.count == piece.count, track.boot == piece.boot,
                track.instance == piece.instance, track.reports[0].identity.sequence == piece.sequence,
                track.reports[piece.count - 1].identity.sequence == piece.sequence + UInt64(piece.count - 1)
            else { return nil }
            return (piece, track.reports)
        } catch {
            return nil
        }
    }
}
