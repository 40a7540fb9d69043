/// What a provider tells, in order: a position or a change of availability (SEMANTICS rule 8).
public enum ProviderEvent: Equatable, Sendable {
    case location(Location)
    case availability(Availability)
}
