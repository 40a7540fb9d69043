internal import Positioning

/// What gpsd's lines mean.
extension GPSDMachine {
    mutating func read(_ message: GPSDMessage, now: MonotonicInstant) -> Actions {
        guard case .connected(var link) = state else { return Actions() }
        var actions = Actions()
        link.hasSpoken = true
        switch message {
        case .tpv(let tpv): report(tpv, &link, now, &actions)
        case .sky(let sky): translator.note(sky)
        case .version(let major):
            if told != .silent, told != .deviceLost {
                actions.notice = tell(.connected, .connected(address: settings.address))
            }
            if let major, major != 3, !hasWarned {
                hasWarned = true
                actions.warning = .unknownProtocol(address: settings.address, major: major)
            }
        case .devices(let devices): list(devices, &link, &actions)
        case .device(let device, let isActive):
            if isActive {
                if let device { learn(device) }
                link.isDeviceLost = false
            } else {
                lose(device, &link, now, &actions)
            }
        case .poll(let tpvs, let skies):
            let best = GPSDTranslator.best(tpvs, skies, of: choice.preferred, accuracy: translator.accuracy)
            actions.remembered = best.map(assumed)
        case .error: actions.warning = .refused(address: settings.address)
        case .other: break
        }
        state = .connected(link)
        return actions
    }

    private mutating func report(
        _ tpv: GPSDMessage.TPV, _ link: inout Link, _ now: MonotonicInstant, _ actions: inout Actions
    ) {
        let outcome = translator.read(tpv)
        if case .nothing = outcome { return }
        switch choice.judge(tpv.device, hasFix: outcome.isFix, now: now) {
        case .ignore: return
        case .follow: break
        case .change: change(&actions)
        }
        switch outcome {
        case .nothing: break
        case .repeated: actions.location = gate.countRepeated().map(assumed)
        case .noFix:
            actions.earlier = actions.earlier ?? takeHeld()
            actions.availability = .unavailable(.noFix)
        case .fix(let location):
            actions.earlier = actions.earlier ?? takeHeld()
            tell(gate.begin(location, now: now), &actions)
        case .refined(let location): tell(gate.refine(location, now: now), &actions)
        }
        link.lastReport = now
        (link.isSilent, link.isDeviceLost) = (false, false)
        if told != .connected, actions.notice == nil {
            actions.notice = tell(.connected, .delivering(address: settings.address))
        }
    }

    private mutating func tell(_ decision: GPSDEpochGate.Decision, _ actions: inout Actions) {
        actions.availability = .available
        switch decision {
        case .tell(let location): actions.location = assumed(location)
        case .wait: break
        case .remember(let location): actions.remembered = assumed(location)
        }
    }

    mutating func takeHeld() -> Location? { gate.flush().map(assumed) }

    func assumed(_ location: Location) -> Location {
        var location = location
        assumption.apply(to: &location)
        return location
    }

    // MARK: Devices

    private mutating func list(_ devices: [GPSDMessage.DeviceInfo], _ link: inout Link, _ actions: inout Actions) {
        names = devices
        if devices.isEmpty { return loseAll(&link, &actions) }
        link.isDeviceLost = false
        choice.restrict(to: devices)
        guard let wanted = settings.device, !hasMissed, !devices.contains(where: { $0.path == wanted }) else { return }
        hasMissed = true
        actions.warning = .deviceMissing(address: settings.address, device: wanted)
    }

    private mutating func lose(
        _ device: GPSDMessage.DeviceInfo?, _ link: inout Link, _ now: MonotonicInstant, _ actions: inout Actions
    ) {
        if let device { translator.forget(device.device) }
        switch choice.lose(device?.device, now: now) {
        case .ofAnother: break
        case .replaced:
            change(&actions)
        case .complete: loseAll(&link, &actions)
        }
    }

    private mutating func loseAll(_ link: inout Link, _ actions: inout Actions) {
        link.isDeviceLost = true
        actions.earlier = takeHeld()
        actions.availability = .unavailable(.providerDown)
        actions.notice = tell(.deviceLost, .deviceLost(address: settings.address))
    }

    /// Another device is followed from now on.
    private mutating func change(_ actions: inout Actions) {
        actions.earlier = takeHeld()
        gate = GPSDEpochGate()
        told = .connected
        let name = names.first { $0.device == choice.chosen }?.path
        actions.notice = .deviceChanged(address: settings.address, device: name)
    }

    private mutating func learn(_ device: GPSDMessage.DeviceInfo) {
        guard !names.contains(device) else { return }
        if names.count == GPSDDevice.limit { names.removeFirst() }
        names.append(device)
    }
}

extension GPSDTranslator.Outcome {
    fileprivate var isFix: Bool {
        switch self {
        case .fix, .refined, .repeated: true
        case .noFix, .nothing: false
        }
    }
}
