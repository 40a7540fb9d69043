internal import WireText

/// What stands in a `Track`: its head, and where its columns are. Of what comes twice the last counts.
struct TrackFields {
    private(set) var instance = ""
    private(set) var boot: UInt64 = 0
    private(set) var sequence: UInt64 = 0
    private(set) var count = 0
    private var ranges = [Range<Int>?](repeating: nil, count: TrackField.allCases.count + 1)

    init(_ payload: Span<UInt8>) throws(WireError) {
        var version: UInt64 = 0
        do throws(ProtobufReader.Malformed) {
            var reader = ProtobufReader(0..<payload.count)
            while let field = try reader.next(payload) {
                guard let name = TrackField(rawValue: field.number) else { continue }
                switch (name, field.value) {
                case (.version, .varint(let value)): version = value
                case (.boot, .varint(let value)): boot = value
                case (.sequence, .varint(let value)): sequence = value
                case (.count, .varint(let value)): count = Int(clamping: value)
                case (.version, _), (.boot, _), (.sequence, _), (.count, _): throw ProtobufReader.Malformed()
                case (_, .delimited(let range)): ranges[name.rawValue] = range
                default: throw ProtobufReader.Malformed()
                }
            }
        } catch {
            // Whatever a newer version changed, its number is the clearest answer.
            if version > 1 { throw WireError(.version, in: .track, key: TrackField.version.name) }
            let isCompact = payload[0] == UInt8(TrackField.version.rawValue << 3)
            throw WireError(isCompact ? .syntax : .encoding, in: .track)
        }
        if version > 1 { throw WireError(.version, in: .track, key: TrackField.version.name) }
        guard version == 1 else { throw WireError(.missing, in: .track, key: TrackField.version.name) }
        instance = try readInstance(payload)
        for (field, value) in [(TrackField.boot, boot), (.sequence, sequence)] {
            guard value > 0 else { throw WireError(.missing, in: .track, key: field.name) }
            guard value <= UInt64(Int64.max) else { throw WireError(.value, in: .track, key: field.name) }
        }
        guard count > 0 else { throw WireError(.missing, in: .track, key: TrackField.count.name) }
        guard count <= CompactTrack.reportLimit else {
            throw WireError(.size, in: .track, key: TrackField.count.name)
        }
    }

    /// Where the content of a field is.
    func range(_ field: TrackField) -> Range<Int>? { ranges[field.rawValue] }

    private func readInstance(_ payload: Span<UInt8>) throws(WireError) -> String {
        let key = TrackField.instance.name
        guard let range = range(.instance) else { throw WireError(.missing, in: .track, key: key) }
        guard (1...64).contains(range.count), let text = text(payload, range) else {
            throw WireError(.value, in: .track, key: key)
        }
        return text
    }
}

/// The text in a range; `nil` where it is no UTF-8.
func text(_ payload: Span<UInt8>, _ range: Range<Int>) -> String? {
    unsafe payload.extracting(range).withUnsafeBufferPointer { unsafe String(validating: $0, as: UTF8.self) }
}
