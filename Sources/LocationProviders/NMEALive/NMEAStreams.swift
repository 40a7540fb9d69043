internal import Positioning

/// The streams of a source: one, or one for each sender of datagrams, of which the newest few are kept. Confined to
/// its provider's loop.
final class NMEAStreams {
    /// More senders than a vehicle has; a bound all the same.
    static let capacity = 8

    private let makeReader: () -> NMEAEpochReader
    /// Counts senders; a stream without one is 0, however often it begins anew.
    private var made: UInt64 = 0
    /// The one that was used last stands last.
    private(set) var all: [NMEAStream] = []

    init(_ makeReader: @escaping () -> NMEAEpochReader) { self.makeReader = makeReader }

    /// The stream of a sender, or of a source that has none.
    func stream(of sender: DatagramSocket.Sender? = nil) -> NMEAStream {
        if let last = all.last, last.sender == sender { return last }
        let stream: NMEAStream
        if let index = all.firstIndex(where: { $0.sender == sender }) {
            stream = all.remove(at: index)
        } else {
            if all.count == Self.capacity { all.removeFirst() }
            if sender != nil { made += 1 }
            stream = NMEAStream(id: sender == nil ? 0 : made, sender: sender, epochs: makeReader())
        }
        all.append(stream)
        return stream
    }

    /// When an open epoch ends by its stream's rhythm.
    var deadline: MonotonicInstant? {
        var first: MonotonicInstant?
        for stream in all {
            if let deadline = stream.epochs.deadline, first.map({ deadline < $0 }) ?? true { first = deadline }
        }
        return first
    }

    /// Forgets everything: half a sentence of a connection that ended is no beginning for the next.
    func reset() { all.removeAll(keepingCapacity: true) }
}
