internal import Positioning

extension ProviderConformance {
    /// Rules 1 to 5: which positions are reliable.
    static let reliabilityRules: [Rule] = [
        Rule(
            1, "a position without a usable accuracy is unreliable, even while available",
            needs: [.chosenPositions, .unusableAccuracy]
        ) { subject in
            let recorder = try await subject.attachAvailable()
            for (index, accuracy) in [nil, 0, -1, -0.0, Double.nan, .infinity, -.infinity].enumerated() {
                var location = subject.harness.sample(index)
                location.horizontalAccuracy = accuracy
                let delivered = try await subject.deliver(location, to: recorder)
                try subject.expect(
                    delivered.unreliable == .accuracy,
                    "accuracy \(accuracy.map { "\($0)" } ?? "nil") makes it unreliable for that reason alone",
                    observed: "\(delivered.unreliable)")
            }
            try subject.expect(
                recorder.availabilities.isEmpty, "availability stays", observed: "\(recorder.availabilities)")
        },
        Rule(
            2, "an accuracy of half the equator and more is reliable for any correct coordinate",
            needs: .chosenPositions
        ) { subject in
            let recorder = try await subject.attachAvailable()
            let places = [(90.0, 180.0), (-90, -180), (0, 0), (52.5, 13.4), (-33.9, 151.2)]
            for (index, (latitude, longitude)) in places.enumerated() {
                var location = subject.harness.sample(index)
                location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
                location.horizontalAccuracy = index % 2 == 0 ? 20_037_508.35 : 1e9
                let delivered = try await subject.deliver(location, to: recorder)
                try subject.expect(
                    delivered.isReliable && delivered.horizontalAccuracy ?? 0 >= 20_037_508,
                    "\(location.coordinate) is reliable and its accuracy kept", observed: "\(delivered)")
            }
        },
        Rule(
            3, "an incorrect coordinate is unreliable, whatever its accuracy",
            needs: [.chosenPositions, .incorrectCoordinates]
        ) { subject in
            let recorder = try await subject.attachAvailable()
            let places = [(90.000001, 0.0), (10, -180.000001), (Double.nan, 13), (52, .infinity)]
            for (index, (latitude, longitude)) in places.enumerated() {
                var location = subject.harness.sample(index)
                location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
                location.horizontalAccuracy = index % 2 == 0 ? 1 : 20_037_508.35
                let delivered = try await subject.deliver(location, to: recorder)
                try subject.expect(
                    delivered.unreliable == .coordinate, "(\(latitude), \(longitude)) is unreliable",
                    observed: "\(delivered.unreliable)")
            }
        },
        Rule(
            4, "availability is unknown before the first report, and positions made then are unreliable for ever",
            needs: .positionsWhileUnknown
        ) { subject in
            let recorder = subject.attach()
            let early = try await subject.deliver(subject.harness.sample(0), to: recorder)
            try subject.expect(
                early.unreliable == .providerUnavailable, "a position before any availability is unreliable",
                observed: "\(early.unreliable)")
            try subject.expect(
                recorder.availabilities.allSatisfy { $0 == .unknown }, "availability is unknown until reported",
                observed: "\(recorder.availabilities)")
            try await subject.makeAvailable(recorder)
            try subject.expect(
                recorder.locations.first?.unreliable == .providerUnavailable
                    && (recorder.locations.count > 1
                        || subject.provider.lastLocation?.unreliable == .providerUnavailable),
                "becoming available changes no earlier position", observed: "\(recorder.locations)")
        },
        Rule(4, "positions made after `available` are reliable") { subject in
            let recorder = try await subject.attachAvailable()
            for index in 0..<3 {
                let delivered = try await subject.deliver(subject.harness.sample(index), to: recorder)
                try subject.expect(delivered.isReliable, "it is reliable", observed: "\(delivered.unreliable)")
            }
        },
        Rule(
            5, "a position made while unavailable is delivered, marked, and does not make the provider available",
            needs: [.unavailability, .positionsWhileUnavailable]
        ) { subject in
            let recorder = try await subject.attachAvailable()
            try await subject.makeUnavailable(recorder)
            recorder.reset()
            let delivered = try await subject.deliver(subject.harness.sample(1), to: recorder)
            try subject.expect(
                delivered.unreliable.contains(.providerUnavailable), "it is marked `providerUnavailable`",
                observed: "\(delivered.unreliable)")
            try subject.expect(
                recorder.availabilities.isEmpty, "availability stays", observed: "\(recorder.availabilities)")
            try await subject.makeAvailable(recorder)
            let after = try await subject.deliver(subject.harness.sample(2), to: recorder)
            try subject.expect(
                after.isReliable, "a position after the recovery is reliable", observed: "\(after.unreliable)")
        },
    ]
}
