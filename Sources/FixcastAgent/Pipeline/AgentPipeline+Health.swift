internal import Delivery
internal import FleetWire
internal import MessageTransport
internal import Outbox
internal import Positioning
internal import Reporting

/// How the agent fares: retained, at QoS 0, every `health-interval` and when the data budget begins or ends to bind.
extension AgentPipeline {
    /// Publishes it if there is a connection; the next one is due an interval later.
    func publishHealth() {
        nextHealth = now + settings.healthInterval
        tellTime()
        guard session.isOnline, let transport else { return }
        var payload: [UInt8] = []
        HealthJSON.encode(health, into: &payload)
        let message = OutgoingMessage(
            topic: topics.health, payload: payload, qos: .atMostOnce, retain: settings.retain != .none)
        transport.publish(message)
        spend(cost.publish(message), now)
    }

    /// Once the time is known, what is stored has an age.
    func tellTime() {
        guard let utc = utcNow else { return }
        let now = now
        delivery.updateQueue { $0.setClock(utc, now: now) }
    }

    private var health: HealthMessage {
        var health = HealthMessage(
            vehicle: settings.vehicle, instance: identity.instance, boot: identity.boot,
            last: delivery.queue.lastSequence, time: utcNow, uptime: (now - startedAt).inSeconds,
            version: FixcastVersion.text)
        if let newest = reporting.newest { (health.fix, health.satellites) = (newest.fix, newest.satellitesUsed) }
        let outbox = delivery.queue.currentCounters()
        health.queue = .init(
            reports: outbox.reports, bytes: UInt64(outbox.bytes),
            oldest: outbox.oldest.flatMap { stored in utcNow.map { max(0, ($0 - stored).inSeconds) } },
            dropped: delivery.queue.droppedCount, aside: outbox.aside.values.reduce(0, +))
        health.rejected = RejectionRule.allCases.compactMap { rule in
            let count = reporting.counters.rejected(by: rule)
            return count == 0 ? nil : .init(rule: rule.rawValue, count: count)
        }
        health.sent = .init(
            live: UInt64(delivery.counters.live), track: UInt64(delivery.counters.track), bytes: sentBytes)
        health.link = .init(connects: connects, lost: losses)
        if let perDay = governor.budget.bytesPerDay {
            let step = governor.budget.step
            health.budget = .init(
                perDay: perDay, used: governor.budget.used, factor: step.factor, isExhausted: step == .heartbeats)
        }
        let usage = ProcessUsage.current
        (health.cpu, health.resident) = (usage.cpu, usage.resident)
        return health
    }
}
