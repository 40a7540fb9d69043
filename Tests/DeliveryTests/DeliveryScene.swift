import Delivery
import Positioning
import Testing

/// A machine over a queue in memory, with tokens and a clock that the test moves.
struct DeliveryScene {
    var machine: DeliveryMachine<MemoryQueue>
    var now = MonotonicInstant(nanoseconds: 0)
    private var token: UInt64 = 0
    /// Under way, oldest first.
    private(set) var open: [(token: UInt64, name: String)] = []

    init(capacity: Int = 1000, boot: UInt64 = 1, _ change: (inout DeliverySettings) -> Void = { _ in }) {
        var settings = DeliverySettings()
        change(&settings)
        machine = DeliveryMachine(
            queue: MemoryQueue(instance: "i", boot: boot, capacity: capacity), settings: settings)
    }

    mutating func append(_ count: Int = 1, reliable: Bool = true) {
        for _ in 0..<count { machine.append(draft(reliable: reliable), now: now) }
    }

    mutating func connect(receiveMaximum: Int = 65_535, random: Double = 0) {
        machine.connected(receiveMaximum: receiveMaximum, now: now, random: random)
    }

    mutating func disconnect() {
        open.removeAll()
        machine.disconnected(now: now)
    }

    mutating func wait(_ duration: Duration) {
        now = now + duration
        machine.deadlinePassed(now: now)
    }

    /// Hands over all that there is room for; short texts: `live 3`, `track 1,2`.
    mutating func handOver(bytes: Int = 100) -> [String] {
        var names: [String] = []
        while let handover = machine.next(now: now) {
            token += 1
            names.append(name(handover))
            open.append((token, name(handover)))
            machine.handedOver(token: token, bytes: bytes, now: now)
        }
        // A deadline that is over, with nothing to hand over, would make a driver's timer spin.
        if let deadline = machine.nextDeadline { #expect(deadline > now) }
        return names
    }

    /// The oldest message under way ends.
    mutating func complete(_ outcome: DeliveryOutcome = .delivered) {
        machine.completed(token: open.removeFirst().token, outcome, now: now)
    }

    mutating func completeLast(_ outcome: DeliveryOutcome) {
        machine.completed(token: open.removeLast().token, outcome, now: now)
    }

    /// Everything goes out and is acknowledged, at every deadline up to `end`.
    mutating func deliverAll(within end: Duration) -> [String] {
        let end = now + end
        var names = deliverAll()
        while let deadline = machine.nextDeadline, deadline > now, deadline <= end {
            now = deadline
            machine.deadlinePassed(now: now)
            names += deliverAll()
        }
        return names
    }

    /// Everything goes out and is acknowledged.
    mutating func deliverAll() -> [String] {
        var names: [String] = []
        while true {
            let handed = handOver()
            if handed.isEmpty, open.isEmpty { return names }
            names += handed
            while !open.isEmpty { complete() }
        }
    }

    private func name(_ handover: Handover) -> String {
        switch handover {
        case .live(let report): "live \(report.identity.sequence)"
        case .track(let reports): "track " + reports.map { String($0.identity.sequence) }.joined(separator: ",")
        }
    }
}
