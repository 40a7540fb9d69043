internal import Positioning

extension ProviderConformance {
    /// Rules 17 to 19: what a remote vehicle's reports add.
    static let remoteRules: [Rule] = [
        Rule(
            17, "reports are ordered by boot and sequence, never by wall time", needs: [.reports, .chosenPositions]
        ) { subject in
            let (harness, recorder) = (try remote(subject), try await subject.attachAvailable())
            // Far beyond what the harness itself used to become available.
            let boot: UInt64 = 1_000_000
            for (index, sequence) in [UInt64(10), 11, 13].enumerated() {
                try await harness.inject(harness.sample(100 + index), boot: boot, sequence: sequence, due: 600)
            }
            try await current(subject, is: harness.sample(102))
            // Late, repeated, and of an earlier boot, each with the newest wall time of all.
            for (late, sequence) in [(boot, UInt64(12)), (boot, 13), (boot - 1, 99)] {
                try await harness.inject(harness.sample(500), boot: late, sequence: sequence, due: 600)
            }
            try await subject.harness.settle()
            try subject.expect(
                subject.provider.lastLocation.map { harness.matches($0, harness.sample(102)) } ?? false,
                "an older report does not move the current position",
                observed: "\(String(describing: subject.provider.lastLocation))")
            // A higher boot supersedes, although its clock is behind.
            try await harness.inject(harness.sample(1), boot: boot + 1, sequence: 1, due: 600)
            try await current(subject, is: harness.sample(1))
            let told = recorder.locations.filter { harness.matches($0, harness.sample(500)) }
            try subject.expect(told.isEmpty, "older reports are not told as current", observed: "\(told)")
        },
        Rule(18, "a vehicle is stale exactly when its next report is overdue", needs: [.reports, .unavailability]) {
            subject in
            let (harness, recorder) = (try remote(subject), try await subject.attachAvailable())
            let boot: UInt64 = 1_000_000
            try await harness.inject(harness.sample(0), boot: boot, sequence: 1, due: 2)
            try await subject.eventually("the report comes", observed: "\(recorder.events)") {
                !recorder.locations.isEmpty
            }
            let early = harness.patience == .zero ? Duration.milliseconds(1999) : .milliseconds(500)
            try await harness.advance(by: early)
            try await harness.settle()
            try subject.expect(
                recorder.availabilities.isEmpty, "before `due` a silent vehicle is available",
                observed: "\(recorder.availabilities)")
            try await harness.advance(by: .seconds(2) - early)
            try await subject.eventually("at `due` it is stale", observed: "\(recorder.availabilities)") {
                recorder.availabilities.last == .unavailable(.stale)
            }
            try await harness.inject(harness.sample(1), boot: boot, sequence: 2, due: 600)
            try await subject.eventually(
                "the next report makes it available again", observed: "\(recorder.availabilities)"
            ) { recorder.availabilities.last == .available }
        },
        Rule(18, "nothing is called stale while the vehicle said why it is silent", needs: [.reports, .unavailability])
        { subject in
            let (harness, recorder) = (try remote(subject), try await subject.attachAvailable())
            try await harness.inject(harness.sample(0), boot: 1_000_000, sequence: 1, due: 1)
            try await subject.makeUnavailable(recorder)
            try await harness.advance(by: .seconds(2))
            try await harness.settle()
            try subject.expect(
                recorder.availabilities.last == .unavailable(harness.unavailabilityReason), "the reason stays",
                observed: "\(recorder.availabilities)")
        },
        Rule(19, "reliability travels in the report", needs: [.reports, .chosenPositions]) { subject in
            let (harness, recorder) = (try remote(subject), try await subject.attachAvailable())
            for (index, reasons) in [UnreliableReasons.clock, [.noFix, .providerUnavailable], []].enumerated() {
                var location = harness.sample(index)
                location.unreliable = reasons
                try await harness.inject(location, boot: 1_000_000, sequence: UInt64(index) + 1, due: 600)
                try await subject.eventually("the report comes", observed: "\(recorder.locations)") {
                    recorder.locations.count == index + 1
                }
                try subject.expect(
                    recorder.locations[index].unreliable == reasons, "its reasons are \(reasons)",
                    observed: "\(recorder.locations[index].unreliable)")
            }
        },
    ]

    private static func remote(_ subject: ConformanceSubject) throws -> any RemoteProviderHarness {
        guard let harness = subject.harness as? any RemoteProviderHarness else {
            throw subject.failure("the harness is a RemoteProviderHarness", "\(type(of: subject.harness))")
        }
        return harness
    }

    private static func current(_ subject: ConformanceSubject, is location: Location) async throws {
        try await subject.eventually(
            "the current position is \(location)",
            observed: "\(String(describing: subject.provider.lastLocation))"
        ) { subject.provider.lastLocation.map { subject.harness.matches($0, location) } ?? false }
    }
}
