internal import Delivery
internal import FleetWire
internal import MessageTransport
internal import MosquittoTransport
internal import Outbox
internal import Positioning
internal import Reporting

/// The conversation with the broker.
extension AgentPipeline {
    func handle(_ event: TransportEvent) {
        switch event {
        case .connected(let capabilities):
            log(.info, "connected", "connected to \(settings.mqtt.address)")
            connects += 1
            spend(cost.connect, now)
            receiveMaximum = capabilities.receiveMaximum
            // The birth that follows tells it.
            _ = availability.linkChanged(isOnline: true, now: now, utc: utcNow)
            tellTime()
            perform(session.connected(connection: connection, now: now.nanoseconds))
            transport?.subscribe([Subscription(topics.command, retained: .never)])
            if settings.demandLimits.isAllowed { transport?.subscribe([Subscription(topics.demands)]) }
            // With the connection comes a first look at the agent, and the retained one of the boot before goes.
            nextHealth = min(nextHealth, now + .seconds(2))
        case .disconnected(let failure):
            if session.isOnline { losses += 1 }
            log(.warning, "disconnected", failure.message)
            _ = availability.linkChanged(isOnline: false, now: now, utc: utcNow)
            delivery.disconnected(now: now)
            forgetProbe()
            perform(session.disconnected(SessionMachine.EndOfConnection(failure)))
        case .subscribed(let refused):
            if let reason = refused[topics.demands] {
                log(
                    .warning, "cannot-read-demands",
                    "the broker does not let this client read \(topics.demands), reason code \(reason.rawValue): subscribers cannot ask for more"
                )
            }
            if let reason = refused[topics.command] {
                log(
                    .warning, "cannot-read-commands",
                    "the broker does not let this client read \(topics.command), reason code \(reason.rawValue): subscribers cannot ask for what they missed"
                )
            }
            perform(session.subscribed(refused: refused[topics.availability] != nil, now: now.nanoseconds))
        case .message(let message) where topics.isDemand(message.topic):
            spend(cost.receive(message), now)
            receivedDemand(message)
        case .message(let message) where message.topic == topics.command:
            spend(cost.receive(message), now)
            receivedCommand(message)
        case .message(let message):
            guard message.topic == topics.availability else { break }
            perform(session.seen(seen(message.payload), now: now.nanoseconds))
        case .completed(let id, let outcome):
            completed(id, outcome)
            // The steady path: what was accepted moves no deadline nearer.
            switch outcome {
            case .accepted, .acceptedWithoutSubscribers: return
            case .refused, .tooLarge, .notConnected, .unknown: break
            }
        case .stopped:
            transport = nil
            if mustReconnect, !session.isStopped {
                mustReconnect = false
                openTransport()
            } else {
                finish()
            }
            return
        }
        rearm()
    }

    private func seen(_ payload: [UInt8]) -> SessionMachine.Seen {
        guard let message = try? AvailabilityJSON.decode(payload), message.vehicle == settings.vehicle
        else { return .foreign }
        guard message.instance == identity.instance else { return message.isWill ? .foreign : .otherAgent }
        return .own(boot: message.boot, connection: message.connection)
    }

    func perform(_ actions: [SessionMachine.Action]) {
        for action in actions {
            switch action {
            case .subscribeToOwnAvailability: transport?.subscribe([Subscription(topics.availability)])
            case .takeNewInstance: takeNewInstance()
            case .reconnect:
                mustReconnect = true
                transport?.stop()
            case .publish(let publication): publish(publication)
            case .openDelivery:
                if let draft = reporting.draftForReconnect(now: now) { append(draft) }
                delivery.connected(receiveMaximum: receiveMaximum, now: now, random: Double.random(in: 0..<1))
                pump()
            case .closeDelivery:
                delivery.disconnected(now: now)
                pump()
            case .stopTransport: transport?.stop()
            case .tell(let warning): tell(warning)
            }
        }
    }

    private func takeNewInstance() {
        var generator = SystemRandomNumberGenerator()
        do throws(DurableFile.Failure) {
            identity = try state.renew(using: &generator)
        } catch {
            log(.warning, "identity", "\(error.path) cannot be written: \(error.reason)")
            identity = .fresh(using: &generator)
        }
        // Nothing was delivered under the old identity yet: the waiting reports get the new one.
        delivery.renew(instance: identity.instance, boot: identity.boot, now: now)
    }

    /// Retained, so that a later subscriber knows it too, unless the configuration says otherwise.
    private func publish(_ publication: SessionMachine.Publication) {
        var message = AvailabilityMessage(
            vehicle: settings.vehicle, instance: identity.instance, boot: identity.boot, connection: connection,
            last: delivery.queue.lastSequence, state: availability.current, version: FixcastVersion.text)
        if publication == .birth, let previous = identity.previous {
            message.previous = .init(boot: previous.boot, last: previous.last, isExact: previous.isExact)
        }
        message.clockOffset = clockOffset
        var payload: [UInt8] = []
        AvailabilityJSON.encode(message, into: &payload)
        let outgoing = OutgoingMessage(
            topic: topics.availability, payload: payload, retain: settings.retain != .none)
        let receipt = transport?.publish(outgoing)
        spend(cost.publish(outgoing), now)
        guard publication == .stopped else { return }
        switch receipt {
        case .pending(let id)?: stoppedPublish = id
        case .settled?, nil: perform(session.stopSettled())
        }
    }

    /// When this boot's uptime was zero, where reports went out that carry nothing but it.
    private var clockOffset: UTCInstant? {
        guard hasUndatedReports, let utc = utcNow else { return nil }
        return utc + (startedAt - now)
    }

    /// What the broker says when it loses this connection (WIRE.md); asked for before each attempt to connect.
    func will(connection: UInt64) -> OutgoingMessage {
        self.connection = connection
        var payload: [UInt8] = []
        AvailabilityJSON.encode(
            .will(
                vehicle: settings.vehicle, instance: identity.instance, boot: identity.boot, connection: connection),
            into: &payload)
        return OutgoingMessage(topic: topics.availability, payload: payload, retain: settings.retain != .none)
    }

    private func tell(_ warning: SessionMachine.Warning) {
        switch warning {
        case .restoredImage(let boot):
            log(
                .warning, "restored-image",
                "the broker knows boot \(boot) of this instance, this is only boot \(identity.boot): a restored or cloned image; taking a new instance"
            )
        case .foreignAvailability:
            log(
                .warning, "foreign-availability",
                "an older or foreign state was on \(topics.availability), published again; if this repeats, another client uses this vehicle's name"
            )
        case .clientIDInUse:
            log(
                .error, "client-id-in-use",
                "another client uses this id, \(settings.mqtt.clientID), and the broker keeps one of the two: give each vehicle its own vehicle or mqtt.client-id; connecting anew ever more seldom"
            )
        case .cannotReadOwnAvailability:
            log(
                .warning, "cannot-read-own",
                "the broker does not let this client read \(topics.availability): a late will cannot be repaired")
        case .birthNotSeen:
            log(
                .error, "birth-not-seen",
                "what this client publishes on \(topics.availability) does not come back: MQTT 3.1.1 does not tell whether the broker's access list denies it"
            )
        case .stopNotAcknowledged:
            log(.warning, "stop-not-acknowledged", "the broker did not acknowledge the state stopped in time")
        }
    }
}

extension SessionMachine.EndOfConnection {
    fileprivate init(_ failure: TransportFailure) {
        switch failure.kind {
        case .takenOver: self = .takenOver
        case .lost where failure.reason == nil: self = .unexplained
        default: self = .explained
        }
    }
}
