internal import Positioning
internal import Synchronization

/// One provider under one rule: what the checks are written in.
struct ConformanceSubject: Sendable {
    let rule: String
    let harness: any ProviderHarness

    var provider: any LocationProvider { harness.provider }
    var capabilities: HarnessCapabilities { type(of: harness).capabilities }

    func failure(_ expectation: String, _ observed: String) -> ConformanceFailure {
        ConformanceFailure(rule: rule, expectation: expectation, observed: observed)
    }

    func expect(_ condition: Bool, _ expectation: String, observed: @autoclosure () -> String) throws {
        if !condition { throw failure(expectation, observed()) }
    }

    /// Settles until `condition` holds or the harness's patience ends.
    func eventually(
        within patience: Duration? = nil, _ expectation: String, observed: @autoclosure () -> String,
        _ condition: () -> Bool
    ) async throws {
        let clock = ContinuousClock()
        let end = clock.now + (patience ?? harness.patience)
        while true {
            try await harness.settle()
            if condition() { return }
            if clock.now >= end { throw failure(expectation, observed()) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Runs what a faulty provider might never return from.
    func withDeadline(_ expectation: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
        let outcome = Outcome()
        // Not a child task: a deadlock cannot be cancelled, only left behind.
        Task.detached(executorPreference: ThreadExecutor()) {
            do {
                try await body()
                outcome.set(.success(()))
            } catch { outcome.set(.failure(error)) }
        }
        let clock = ContinuousClock()
        let end = clock.now + harness.consumerPatience
        while outcome.result == nil {
            if clock.now >= end { throw failure(expectation, "it did not return") }
            try await Task.sleep(for: .milliseconds(2))
        }
        try outcome.result?.get()
    }

    /// Sets a recorder's callbacks.
    func attach(_ recorder: EventRecorder = EventRecorder()) -> EventRecorder {
        provider.setCallbacks(
            locationCallback: recorder.locationCallback, availabilityCallback: recorder.availabilityCallback)
        return recorder
    }

    /// A recorder on a provider that said it is available, with nothing else written down.
    func attachAvailable(_ recorder: EventRecorder = EventRecorder()) async throws -> EventRecorder {
        _ = attach(recorder)
        try await harness.settle()
        try await makeAvailable(recorder)
        recorder.reset()
        return recorder
    }

    func makeAvailable(_ recorder: EventRecorder) async throws {
        try await harness.makeAvailable()
        try await eventually(
            "the availability callback is told `available`", observed: "\(recorder.availabilities)"
        ) { recorder.availabilities.last == .available }
        try await harness.settle()
    }

    func makeUnavailable(_ recorder: EventRecorder) async throws {
        try await harness.makeUnavailable(harness.unavailabilityReason)
        try await eventually(
            "the availability callback is told why the source is unavailable",
            observed: "\(recorder.availabilities)"
        ) { recorder.availabilities.last == .unavailable(harness.unavailabilityReason) }
    }

    /// Injects one position and returns it as delivered.
    func deliver(_ location: Location, to recorder: EventRecorder) async throws -> Location {
        let before = recorder.locations.count
        try await harness.inject(location)
        try await eventually(
            "a position that the source made is delivered",
            observed: "\(recorder.locations.count - before) positions"
        ) { recorder.locations.count > before }
        guard let last = recorder.locations.last else { throw failure("a position is delivered", "none") }
        try expect(
            harness.matches(last, location) || !location.coordinate.isCorrect, "the position delivered is \(location)",
            observed: "\(last)")
        return last
    }

    private final class Outcome: Sendable {
        private let stored = Mutex<Result<Void, any Error>?>(nil)
        var result: Result<Void, any Error>? { stored.withLock { $0 } }
        func set(_ result: Result<Void, any Error>) { stored.withLock { $0 = result } }
    }
}
