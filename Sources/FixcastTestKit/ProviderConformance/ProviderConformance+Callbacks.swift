internal import Positioning
internal import Synchronization

extension ProviderConformance {
    /// Rules 6, 7 and 9: what callers may do at any time.
    static let callbackRules: [Rule] = [
        Rule(6, "setting callbacks overwrites both") { subject in
            let first = try await subject.attachAvailable()
            let second = subject.attach()
            first.retire()
            _ = try await subject.deliver(subject.harness.sample(0), to: second)
            if subject.capabilities.contains(.unavailability) { try await subject.makeUnavailable(second) }
            try subject.expect(
                first.lateEvents.isEmpty, "the first pair of callbacks is silent", observed: "\(first.lateEvents)")
        },
        Rule(6, "the new availability callback is told the current availability, and not inside the call") { subject in
            _ = try await subject.attachAvailable()
            let caller = ThreadIdentity()
            let toldInside = Mutex(false)
            let second = EventRecorder { _ in
                if caller.isCurrent { toldInside.withLock { $0 = true } }
            }
            caller.during { _ = subject.attach(second) }
            try await subject.eventually(
                "the new callback is told `available`", observed: "\(second.availabilities)"
            ) { second.availabilities == [.available] }
            try subject.expect(
                !toldInside.withLock { $0 }, "it is told after setCallbacks", observed: "it was told inside the call")
            guard subject.capabilities.contains(.unavailability) else { return }
            try await subject.makeUnavailable(second)
            let third = subject.attach()
            let current = Availability.unavailable(subject.harness.unavailabilityReason)
            try await subject.eventually(
                "the new callback is told `\(current)`", observed: "\(third.availabilities)"
            ) { third.availabilities == [current] }
        },
        Rule(6, "the last position is not replayed to new callbacks") { subject in
            let first = try await subject.attachAvailable()
            _ = try await subject.deliver(subject.harness.sample(0), to: first)
            let second = subject.attach()
            try await subject.eventually(
                "the new callback is told the availability", observed: "\(second.events)"
            ) { !second.availabilities.isEmpty }
            try subject.expect(
                second.locations.isEmpty, "no position comes before the source makes one",
                observed: "\(second.locations)")
            let next = subject.harness.sample(1)
            _ = try await subject.deliver(next, to: second)
            try subject.expect(
                second.locations.count == 1, "only the new position comes", observed: "\(second.locations)")
        },
        Rule(6, "old closures are never called again once another thread's setCallbacks returned") { subject in
            let harness = subject.harness
            let first = try await subject.attachAvailable()
            let source = Task {
                for index in 0..<200 where !Task.isCancelled {
                    try await harness.inject(harness.sample(index))
                    try await harness.settle()
                }
            }
            var retired = [first]
            for _ in 0..<200 {
                let next = EventRecorder()
                _ = subject.attach(next)
                retired.last?.retire()
                retired.append(next)
                await Task.yield()
            }
            source.cancel()
            _ = await source.result
            try await harness.settle()
            let late = retired.flatMap(\.lateEvents)
            try subject.expect(late.isEmpty, "retired callbacks are silent", observed: "\(late.count) calls")
        },
        Rule(6, "callbacks can be overwritten from inside a location callback without deadlock") { subject in
            try await overwriteInside(subject) { if case .location = $0 { true } else { false } }
        },
        Rule(6, "callbacks can be overwritten from inside an availability callback without deadlock") { subject in
            try await overwriteInside(subject) { $0 == .availability(.available) }
        },
        Rule(7, "both nil disables tracking and closes the source; later callbacks open it again") { subject in
            let first = try await subject.attachAvailable()
            _ = try await subject.deliver(subject.harness.sample(0), to: first)
            try subject.expect(
                subject.harness.isSourceOpen ?? true, "the source is open while tracking", observed: "it is closed")
            subject.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            first.retire()
            try await subject.harness.settle()
            try await subject.harness.inject(subject.harness.sample(1))
            try await subject.eventually("the source is closed", observed: "it is open") {
                !(subject.harness.isSourceOpen ?? false)
            }
            try subject.expect(first.lateEvents.isEmpty, "nothing is told", observed: "\(first.lateEvents)")
            let second = subject.attach()
            try await subject.makeAvailable(second)
            _ = try await subject.deliver(subject.harness.sample(2), to: second)
        },
        Rule(7, "with only a location callback tracking goes on") { subject in
            let recorder = try await subject.attachAvailable()
            subject.provider.setCallbacks(
                locationCallback: recorder.locationCallback, availabilityCallback: nil)
            try await subject.harness.settle()
            recorder.reset()
            let delivered = try await subject.deliver(subject.harness.sample(0), to: recorder)
            try subject.expect(
                delivered.isReliable && recorder.availabilities.isEmpty,
                "positions are as reliable as before and availability is not told", observed: "\(recorder.events)")
        },
        Rule(7, "with only an availability callback tracking goes on") { subject in
            let recorder = try await subject.attachAvailable()
            subject.provider.setCallbacks(
                locationCallback: nil, availabilityCallback: recorder.availabilityCallback)
            let last = subject.harness.sample(3)
            try await subject.harness.inject(last)
            try await subject.eventually(
                "positions still become the last known one",
                observed: "\(subject.provider.lastLocation.map { "\($0)" } ?? "nil")"
            ) { subject.provider.lastLocation.map { subject.harness.matches($0, last) } ?? false }
            try subject.expect(
                recorder.locations.isEmpty, "the location callback is silent", observed: "\(recorder.locations)")
            if subject.capabilities.contains(.unavailability) { try await subject.makeUnavailable(recorder) }
        },
        Rule(9, "the desired accuracy may be set at any time, also twice and from inside a callback") { subject in
            let provider = subject.provider
            for accuracy in DesiredAccuracy.allCases { provider.setDesiredAccuracy(accuracy) }
            let recorder = try await subject.attachAvailable(
                EventRecorder { _ in
                    provider.setDesiredAccuracy(.low)
                    provider.setDesiredAccuracy(.high)
                })
            for (index, accuracy) in (DesiredAccuracy.allCases + DesiredAccuracy.allCases).enumerated() {
                provider.setDesiredAccuracy(accuracy)
                provider.setDesiredAccuracy(accuracy)
                let delivered = try await subject.deliver(subject.harness.sample(index), to: recorder)
                try subject.expect(delivered.isReliable, "positions go on", observed: "\(delivered.unreliable)")
            }
            try subject.expect(
                recorder.availabilities.isEmpty, "availability stays", observed: "\(recorder.availabilities)")
            provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            provider.setDesiredAccuracy(.medium)
            try await subject.harness.settle()
        },
    ]

    /// The first callbacks, at the first event that `trigger` picks, set the second ones.
    private static func overwriteInside(
        _ subject: ConformanceSubject, at trigger: @escaping @Sendable (ProviderEvent) -> Bool
    ) async throws {
        let harness = subject.harness
        let provider = harness.provider
        let second = EventRecorder()
        let first = Once()
        let recorder = EventRecorder { event in
            guard trigger(event), first.isFirst() else { return }
            provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            provider.setCallbacks(
                locationCallback: second.locationCallback, availabilityCallback: second.availabilityCallback)
            first.recorder?.retire()
        }
        first.recorder = recorder
        defer { first.recorder = nil }
        _ = subject.attach(recorder)
        try await subject.withDeadline("setCallbacks returns inside a callback") {
            try await harness.settle()
            try await harness.makeAvailable()
            try await harness.inject(harness.sample(0))
            try await harness.settle()
            try await subject.eventually("the callback is called", observed: "\(recorder.events)") { first.isDone }
        }
        try await subject.eventually("the new callbacks are told the availability", observed: "\(second.events)") {
            second.availabilities.last == .available
        }
        _ = try await subject.deliver(harness.sample(1), to: second)
        try subject.expect(
            recorder.lateEvents.isEmpty, "the old callbacks are silent", observed: "\(recorder.lateEvents)")
    }

    private final class Once: Sendable {
        private let state = Mutex<(done: Bool, recorder: EventRecorder?)>((false, nil))
        var isDone: Bool { state.withLock { $0.done } }
        var recorder: EventRecorder? {
            get { state.withLock { $0.recorder } }
            set { state.withLock { $0.recorder = newValue } }
        }
        func isFirst() -> Bool {
            state.withLock { state in
                defer { state.done = true }
                return !state.done
            }
        }
    }
}
