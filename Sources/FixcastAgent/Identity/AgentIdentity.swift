internal import Outbox

/// Who this run of the agent is (WIRE.md, Identity).
struct AgentIdentity: Equatable, Sendable {
    /// What the boot before this one had reached.
    struct Previous: Equatable, Sendable {
        var boot: UInt64
        /// The highest sequence it had given.
        var last: UInt64
        /// False where it ended without saying so: it may have given more.
        var isExact: Bool
    }

    var instance: String
    var boot: UInt64
    var previous: Previous?

    /// A new instance's first boot. Eight characters of 32 make a collision within a fleet unlikely (2^40).
    static func fresh(using generator: inout some RandomNumberGenerator) -> AgentIdentity {
        let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let instance = String((0..<8).map { _ in alphabet.randomElement(using: &generator)! })
        return AgentIdentity(instance: instance, boot: 1, previous: nil)
    }

    /// A boot that ended without saying so came at least as far as its reports were stored; where each was stored before
    /// it was sent, exactly so far.
    mutating func complete(from outbox: Outbox) {
        guard let previous, !previous.isExact, let last = outbox.lastStored(instance: instance, boot: previous.boot)
        else { return }
        self.previous?.last = max(previous.last, last)
        self.previous?.isExact = outbox.isStrict
    }

    /// The next boot of the same instance.
    func next(last: UInt64, isExact: Bool) -> AgentIdentity {
        AgentIdentity(
            instance: instance, boot: boot + 1, previous: Previous(boot: boot, last: last, isExact: isExact))
    }
}
