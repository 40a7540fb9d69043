internal import FleetWire
internal import MessageTransport
internal import Positioning
internal import Reporting

/// What subscribers want, and what it may cost.
extension AgentPipeline {
    /// A message on one of the vehicle's demand topics; the topic's last level names the subscriber.
    func receivedDemand(_ message: IncomingMessage) {
        // A retained lease would outlive whoever took it.
        guard !message.retained, let slash = message.topic.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let subscriber = String(message.topic[message.topic.index(after: slash)...])
        if message.payload.isEmpty {
            if governor.withdraw(subscriber, now: now) { applyPolicy() }
            return
        }
        do throws(WireError) {
            let wanted = try DemandJSON.decode(message.payload)
            if governor.receive(wanted.demand, lease: wanted.lease, from: subscriber, now: now) { applyPolicy() }
        } catch {
            log(
                .warning, "demand-malformed", "\(message.topic): \(error): \(WireError.excerpt(message.payload))")
        }
    }

    /// Bytes went over the link; pings since the last ones are counted with them.
    func spend(_ bytes: Int, _ now: MonotonicInstant) {
        var bytes = bytes
        let idle = now.nanoseconds(since: lastTraffic)
        if idle >= keepAlive, session.isOnline { bytes += Int(idle / keepAlive) * cost.ping }
        lastTraffic = now
        sentBytes &+= UInt64(bytes)
        guard governor.budget.bytesPerDay != nil else { return }
        let step = governor.budget.step
        guard governor.spend(bytes, now: now, utc: utcNow) else { return }
        applyPolicy()
        if governor.budget.step != step { tellBudget() }
    }

    func applyPolicy() {
        reporting.policy = governor.policy
        if let accuracy = governor.accuracy {
            isAccuracyDemanded = true
            provider.setDesiredAccuracy(accuracy)
        } else if isAccuracyDemanded {
            isAccuracyDemanded = false
            provider.setDesiredAccuracy(.medium)
        }
        rearm()
    }

    private func tellBudget() {
        let budget = governor.budget
        switch budget.step {
        case .free: log(.info, "data-budget", "a new day: reporting as configured")
        case .heartbeats:
            log(
                .warning, "data-budget",
                "the day's data budget is used up (\(budget.used) bytes): only heartbeats, changes of motion and availability are sent"
            )
        case .twice, .fourTimes, .eightTimes:
            log(
                .warning, "data-budget",
                "\(budget.used) bytes of the day's budget are used: the bound is \(Int(budget.step.factor)) times as wide"
            )
        }
        publishHealth()
    }
}
