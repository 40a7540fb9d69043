/// The four links from a receiver's antenna to a reader, each told apart (SEMANTICS, "Availability says why").
public struct AvailabilityReport: Equatable, Sendable {
    /// Between agent and broker.
    public enum Link: String, Sendable { case online, lost }
    /// The agent itself.
    public enum Agent: String, Sendable { case running, stopped, sleeping, `private` }
    /// The source of positions.
    public enum Provider: String, Sendable { case opening, open, down, denied }
    /// What the source knows.
    public enum Fix: String, Sendable {
        case unknown, none, stale, noAccuracy, ok
    }

    /// The whole, as a reader shows it: `unknown` never goes on the wire.
    public var availability: Availability
    /// Since when the whole is so; `nil` while no trusted clock could say.
    public var since: UTCInstant?
    public var link: Link
    /// `nil` in a will, which the broker publishes and which knows of the link alone.
    public var agent: Agent?
    public var provider: Provider?
    public var fix: Fix?

    public init(
        availability: Availability, since: UTCInstant? = nil, link: Link, agent: Agent? = nil,
        provider: Provider? = nil, fix: Fix? = nil
    ) {
        self.availability = availability
        self.since = since
        self.link = link
        self.agent = agent
        self.provider = provider
        self.fix = fix
    }
}
