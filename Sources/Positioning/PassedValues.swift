/// Values of a user's own that travel with a position (ignition, odometer, voltage): the text of one JSON object, passed
/// through as its source wrote it (WIRE.md, `ext`).
public struct PassedValues: Hashable, Sendable {
    /// Bytes at the most: they go out with every report.
    public static let limit = 1024

    /// The object from `{` to `}`; whoever writes it to the wire checks that it is one.
    public let json: [UInt8]

    /// `nil` where the text is empty or longer than ``limit``.
    public init?(json: [UInt8]) {
        guard !json.isEmpty, json.count <= Self.limit else { return nil }
        self.json = json
    }
}
