import FixcastTestKit
import Positioning
import Synchronization

/// What a provider can get wrong, one flaw for each rule that matters; the raw value is the rule that must notice.
enum Flaw: String, CaseIterable {
    case reliableWithoutAccuracy = "rule 01: a position without a usable accuracy"
    case rejectsVagueAccuracy = "rule 02: an accuracy of half the equator"
    case clampsCoordinates = "rule 03: an incorrect coordinate"
    case reliableBeforeAvailable = "rule 04: availability is unknown"
    case neverReliable = "rule 04: positions made after"
    case silentWhileUnavailable = "rule 05: a position made while unavailable"
    case keepsOldCallbacks = "rule 06: setting callbacks overwrites both"
    case tellsInsideTheCall = "rule 06: the new availability callback is told"
    case replaysLastLocation = "rule 06: the last position is not replayed"
    case returnsTooEarly = "rule 06: old closures are never called again"
    case waitsInsideCallback = "rule 06: callbacks can be overwritten from inside a location"
    case waitsInsideAvailability = "rule 06: callbacks can be overwritten from inside an availability"
    case neverCloses = "rule 07: both nil"
    case stopsWithoutAvailabilityCallback = "rule 07: with only a location"
    case stopsWithoutLocationCallback = "rule 07: with only an availability"
    case losesPositions = "rule 08: every position comes"
    case reordersEvents = "rule 08: availability and positions come through one serial path"
    case deafSequence = "rule 08: the asynchronous sequence has"
    case losesChanges = "rule 08: a slow consumer"
    case neverReleasesCallbacks = "rule 08: overwriting the callbacks finishes"
    case ignoresWithdrawal = "rule 08: cancelling the consumer"
    case restartsForAccuracy = "rule 09: the desired accuracy"
    case forgetsLastLocation = "rule 10: the last position is the newest"
    case keepsOnlyReliable = "rule 10: an unreliable position"
    case newestFirst = "rule 12: a batch comes whole"
}

/// A provider that is right but for one flaw, made by bending what goes in and out of a right one.
final class FlawedProvider: LocationProvider {
    private struct State {
        var generation = 0
        var isActive = false
        var kept: [Any] = []
        var held: [Location] = []
        var changes = 0
        var count = 0
        var oldLocationCallback: LocationCallback?
    }

    private let flaw: Flaw
    private let source: PushTestProvider
    private let scheduler: ManualScheduler
    private let state = Mutex(State())

    init(_ flaw: Flaw, _ source: PushTestProvider, _ scheduler: ManualScheduler) {
        self.flaw = flaw
        self.source = source
        self.scheduler = scheduler
    }

    var lastLocation: Location? {
        guard let last = source.lastLocation else { return nil }
        switch flaw {
        case .forgetsLastLocation: return source.isOpen ? last : nil
        case .keepsOnlyReliable: return last.isReliable ? last : nil
        default: return last
        }
    }

    func setDesiredAccuracy(_ accuracy: DesiredAccuracy) {
        guard flaw == .restartsForAccuracy, !scheduler.isCurrent else { return }
        source.setAvailability(.unknown)
        source.setAvailability(.available)
    }

    func setCallbacks(locationCallback: LocationCallback?, availabilityCallback: AvailabilityCallback?) {
        let isStop = locationCallback == nil && availabilityCallback == nil
        var location = locationCallback.map(bend)
        var availability = availabilityCallback.map(bend)
        switch flaw {
        case .keepsOldCallbacks:
            let old = state.withLock { state in
                defer { state.oldLocationCallback = locationCallback }
                return state.oldLocationCallback
            }
            if let new = location {
                location = { place in
                    old?(place)
                    new(place)
                }
            }
        case .tellsInsideTheCall: availabilityCallback?(.available)
        case .replaysLastLocation:
            if let last = source.lastLocation { scheduler.enqueue { locationCallback?(last) } }
        case .returnsTooEarly:
            source.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            scheduler.enqueue { [source] in
                source.setCallbacks(locationCallback: locationCallback, availabilityCallback: availabilityCallback)
            }
            let old = state.withLock { state in
                defer { state.oldLocationCallback = locationCallback }
                return state.oldLocationCallback
            }
            if let old, let last = source.lastLocation { scheduler.enqueue { old(last) } }
            return
        case .waitsInsideCallback, .waitsInsideAvailability:
            // Stands for a lock that is held around user code; the test cannot leave a thread behind for ever.
            if scheduler.isCurrent { while state.withLock({ $0.changes }) < 1 { usleepBriefly() } }
        case .neverCloses, .ignoresWithdrawal: if isStop { return }
        case .stopsWithoutAvailabilityCallback: if availabilityCallback == nil { location = nil }
        case .stopsWithoutLocationCallback: if locationCallback == nil { availability = nil }
        case .deafSequence, .neverReleasesCallbacks:
            state.withLock { $0.kept.append((location as Any, availability as Any)) }
        default: break
        }
        source.setCallbacks(locationCallback: location, availabilityCallback: availability)
    }

    /// Lets a thread go that waits for ever.
    func letGo() { state.withLock { $0.changes += 1 } }

    private func bend(_ callback: @escaping LocationCallback) -> LocationCallback {
        { [self] location in
            var bent = location
            switch flaw {
            case .reliableWithoutAccuracy: bent.unreliable.remove(.accuracy)
            case .rejectsVagueAccuracy: if location.horizontalAccuracy ?? 0 > 1e6 { return }
            case .clampsCoordinates:
                bent.coordinate.latitude = min(max(location.coordinate.latitude, -90), 90)
                bent.unreliable.remove(.coordinate)
            case .reliableBeforeAvailable: bent.unreliable.remove(.providerUnavailable)
            case .neverReliable: bent.unreliable.insert(.providerUnavailable)
            case .silentWhileUnavailable: if location.unreliable.contains(.providerUnavailable) { return }
            case .losesPositions:
                let count = state.withLock { state in
                    state.count += 1
                    return state.count
                }
                if count % 7 == 0 { return }
            case .reordersEvents:
                scheduler.enqueue { callback(location) }
                return
            case .deafSequence: if state.withLock({ $0.kept.count }) == 1 { return }
            case .newestFirst:
                let held = state.withLock { state in
                    state.held.append(location)
                    defer { if state.held.count == 4 { state.held = [] } }
                    return state.held
                }
                if held.count == 4 { for place in held.reversed() { callback(place) } }
                return
            default: break
            }
            callback(bent)
        }
    }

    private func bend(_ callback: @escaping AvailabilityCallback) -> AvailabilityCallback {
        { [self] availability in
            if flaw == .losesChanges, case .unavailable = availability { return }
            callback(availability)
        }
    }

    private func usleepBriefly() { for _ in 0..<1000 { _ = state.withLock { $0.count } } }
}
