internal import Positioning
internal import XMLText

/// A GPX file's XML and the points in it, a piece at a time.
struct GPXSource: ~Copyable {
    private var xml = XMLStream()
    private var parser: GPXParser

    init(_ list: GPXParser.List, uere: Double) { parser = GPXParser(list, uere: uere) }

    var points: UInt64 { parser.points }
    var damage: LogDamage { parser.damage }

    /// Reads the next bytes, none where the file is at its end. What comes before an error is read all the same.
    mutating func read(_ bytes: Span<UInt8>, into records: inout [LogRecord]) throws(XMLError) {
        var failure: XMLError?
        do throws(XMLError) {
            try xml.read(bytes, isFinal: bytes.isEmpty)
        } catch {
            failure = error
        }
        Self.read(xml, by: &parser, into: &records)
        if let failure { throw failure }
    }

    private static func read(_ xml: borrowing XMLStream, by parser: inout GPXParser, into records: inout [LogRecord]) {
        xml.withEvents { parser.read($0, into: &records) }
    }
}
