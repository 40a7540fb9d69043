/// Where gpsd is, which of its devices is wanted, and how patient to be with it.
public struct GPSDSettings: Equatable, Sendable {
    /// A name or an address without brackets.
    public var host: String
    public var port: UInt16
    /// The path of the device to follow, as gpsd names it; `nil`: the first that has a fix.
    public var device: String?
    /// When the followed device had no fix for this long, another one that has one is followed.
    public var fallback: Duration
    /// When the configured device has had a fix for this long again, it is returned to.
    public var comeback: Duration
    /// Without a position report for this long, availability is `noFix` (gpsd says nothing where a receiver has no
    /// fix).
    public var silence: Duration
    /// Without a byte for this long, the connection is taken for dead and made anew.
    public var deadAfter: Duration
    /// For one attempt to connect to one address.
    public var connectTimeout: Duration
    /// How long ``GPSDProvider/lastLocation`` waits for gpsd's answer while nobody tracks.
    public var inquiryTimeout: Duration

    public init(
        host: String = "localhost", port: UInt16 = 2947, device: String? = nil, fallback: Duration = .seconds(5),
        comeback: Duration = .seconds(10), silence: Duration = .seconds(10), deadAfter: Duration = .seconds(30),
        connectTimeout: Duration = .seconds(10), inquiryTimeout: Duration = .milliseconds(500)
    ) {
        self.host = host
        self.port = port
        self.device = device
        self.fallback = fallback
        self.comeback = comeback
        self.silence = silence
        self.deadAfter = deadAfter
        self.connectTimeout = connectTimeout
        self.inquiryTimeout = inquiryTimeout
    }

    /// As people write it.
    var address: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
