/// What a source's raw stream is made of, for those who record it (see `tap` of the providers).
public enum RawStreamEvent: Equatable, Sendable {
    /// The source was opened, or the connection made.
    case connected
    /// The source was closed, or the connection lost.
    case disconnected
    /// Bytes as they were read; a datagram is one event.
    case bytes([UInt8])
}
