/// Where gpsd is, and how patient to be with it.
public struct GPSDSettings: Equatable, Sendable {
    /// A name or an address without brackets.
    public var host: String
    public var port: UInt16
    /// Without a position report for this long, availability is `noFix` (gpsd says nothing where a receiver has no
    /// fix).
    public var silence: Duration
    /// Without a byte for this long, the connection is taken for dead and made anew.
    public var deadAfter: Duration
    /// For one attempt to connect to one address.
    public var connectTimeout: Duration

    public init(
        host: String = "localhost", port: UInt16 = 2947, silence: Duration = .seconds(10),
        deadAfter: Duration = .seconds(30), connectTimeout: Duration = .seconds(10)
    ) {
        self.host = host
        self.port = port
        self.silence = silence
        self.deadAfter = deadAfter
        self.connectTimeout = connectTimeout
    }

    /// As people write it.
    var address: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
