/// Where NMEA 0183 comes from, and how patient to be with it.
public struct NMEASettings: Equatable, Sendable {
    public var source: SourceAddress
    /// Without a byte, a sentence or an epoch for this long, that is told: as `providerDown`, or as `noFix` where
    /// sentences come that tell no position.
    public var silence: Duration
    /// Without a byte for this long, a serial port or a connection is taken for dead and opened anew.
    public var deadAfter: Duration
    /// For one attempt to connect to one address.
    public var connectTimeout: Duration

    public init(
        source: SourceAddress, silence: Duration = .seconds(10), deadAfter: Duration = .seconds(30),
        connectTimeout: Duration = .seconds(10)
    ) {
        self.source = source
        self.silence = silence
        self.deadAfter = deadAfter
        self.connectTimeout = connectTimeout
    }
}
