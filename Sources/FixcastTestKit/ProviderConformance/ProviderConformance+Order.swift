internal import Positioning

extension ProviderConformance {
    /// Rules 8, 10 and 12: order, the asynchronous sequence, the last known position, batches.
    static let orderRules: [Rule] = [
        Rule(8, "every position comes, in order") { subject in
            let recorder = try await subject.attachAvailable()
            let samples = (0..<20).map(subject.harness.sample)
            for location in samples { try await subject.harness.inject(location) }
            try await subject.eventually(
                "\(samples.count) positions come", observed: "\(recorder.locations.count)"
            ) { recorder.locations.count >= samples.count }
            try subject.expect(
                recorder.locations.count == samples.count
                    && zip(recorder.locations, samples).allSatisfy(subject.harness.matches),
                "they are those that the source made, in its order", observed: "\(recorder.locations)")
        },
        Rule(8, "availability and positions come through one serial path", needs: .unavailability) { subject in
            let (harness, reason) = (subject.harness, subject.harness.unavailabilityReason)
            let recorder = try await subject.attachAvailable()
            try await harness.inject(harness.sample(0))
            try await harness.makeUnavailable(reason)
            if subject.capabilities.contains(.positionsWhileUnavailable) {
                try await harness.inject(harness.sample(1))
            }
            try await harness.makeAvailable()
            try await harness.inject(harness.sample(2))
            try await subject.eventually("the last position comes", observed: "\(recorder.events)") {
                recorder.locations.last.map { harness.matches($0, harness.sample(2)) } == true
                    && recorder.availabilities.count >= 2
            }
            try subject.expect(
                recorder.availabilities == [.unavailable(reason), .available], "each change comes once",
                observed: "\(recorder.availabilities)")
            var available = true
            for event in recorder.events {
                switch event {
                case .availability(let availability): available = availability.isAvailable
                case .location(let location):
                    try subject.expect(
                        location.isReliable == available, "each position comes on its side of the change",
                        observed: "\(recorder.events)")
                }
            }
            try subject.expect(
                recorder.events.first.map(isLocation) == true, "the position before the change comes before it",
                observed: "\(recorder.events)")
        },
        Rule(8, "the asynchronous sequence has the events as they come") { subject in
            let collector = EventCollector(subject.provider.events())
            collector.start()
            try await subject.harness.settle()
            try await subject.harness.makeAvailable()
            try await subject.eventually(
                within: subject.harness.consumerPatience, "the sequence has `available`",
                observed: "\(collector.events)"
            ) { collector.events.contains(.availability(.available)) }
            let last = subject.harness.sample(1)
            try await subject.harness.inject(last)
            try await subject.eventually(
                within: subject.harness.consumerPatience, "the sequence has the position",
                observed: "\(collector.events)"
            ) {
                if case .location(let location)? = collector.events.last {
                    subject.harness.matches(location, last)
                } else {
                    false
                }
            }
            collector.cancel()
        },
        Rule(8, "a slow consumer of the sequence gets the newest position and every change", needs: .unavailability) {
            subject in
            let (harness, reason) = (subject.harness, subject.harness.unavailabilityReason)
            let collector = EventCollector(subject.provider.events())
            try await harness.settle()
            try await harness.makeAvailable()
            for index in 0..<5 { try await harness.inject(harness.sample(index)) }
            try await harness.makeUnavailable(reason)
            try await harness.makeAvailable()
            for index in 5..<10 { try await harness.inject(harness.sample(index)) }
            try await subject.eventually("the last position arrives", observed: "it did not") {
                subject.provider.lastLocation.map { harness.matches($0, harness.sample(9)) } ?? false
            }
            collector.start()
            try await subject.eventually(
                within: harness.consumerPatience, "the newest position is last", observed: "\(collector.events)"
            ) {
                if case .location(let location)? = collector.events.last {
                    harness.matches(location, harness.sample(9))
                } else {
                    false
                }
            }
            let changes = collector.events.filter { !isLocation($0) && $0 != .availability(.unknown) }
            try subject.expect(
                changes.suffix(3) == [.available, .unavailable(reason), .available].map(ProviderEvent.availability),
                "no change is lost", observed: "\(changes)")
            try subject.expect(
                zip(collector.events, collector.events.dropFirst()).allSatisfy { !isLocation($0) || !isLocation($1) },
                "positions not yet taken are coalesced", observed: "\(collector.events)")
            collector.cancel()
        },
        Rule(8, "overwriting the callbacks finishes the sequence") { subject in
            let collector = EventCollector(subject.provider.events())
            collector.start()
            try await subject.harness.settle()
            let recorder = subject.attach()
            try await subject.eventually(
                within: subject.harness.consumerPatience, "the sequence is finished",
                observed: "it waits for more"
            ) { collector.isFinished }
            try await subject.makeAvailable(recorder)
            _ = try await subject.deliver(subject.harness.sample(0), to: recorder)
        },
        Rule(8, "cancelling the consumer of the sequence ends it and disables tracking") { subject in
            let collector = EventCollector(subject.provider.events())
            collector.start()
            try await subject.harness.settle()
            collector.cancel()
            try await subject.eventually(
                within: subject.harness.consumerPatience, "the sequence ends and the source is closed",
                observed: "finished: \(collector.isFinished), source open: \(subject.harness.isSourceOpen ?? false)"
            ) { collector.isFinished && !(subject.harness.isSourceOpen ?? false) }
        },
        Rule(10, "the last position is the newest known, and survives unavailability and stop") { subject in
            let recorder = try await subject.attachAvailable()
            for index in 0..<2 {
                let delivered = try await subject.deliver(subject.harness.sample(index), to: recorder)
                try subject.expect(
                    subject.provider.lastLocation == delivered, "it is the one delivered last",
                    observed: "\(String(describing: subject.provider.lastLocation))")
            }
            let last = subject.provider.lastLocation
            if subject.capabilities.contains(.unavailability) { try await subject.makeUnavailable(recorder) }
            subject.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            try await subject.harness.settle()
            try subject.expect(
                subject.provider.lastLocation == last, "it survives unavailability and stop",
                observed: "\(String(describing: subject.provider.lastLocation))")
        },
        Rule(
            10, "an unreliable position is the last known one too; a place that cannot be does not displace one",
            needs: [.chosenPositions, .unusableAccuracy]
        ) { subject in
            let recorder = try await subject.attachAvailable()
            _ = try await subject.deliver(subject.harness.sample(0), to: recorder)
            var vague = subject.harness.sample(1)
            vague.horizontalAccuracy = nil
            let delivered = try await subject.deliver(vague, to: recorder)
            try subject.expect(
                subject.provider.lastLocation == delivered, "the newest is the last known, however unreliable",
                observed: "\(String(describing: subject.provider.lastLocation))")
            guard subject.capabilities.contains(.incorrectCoordinates) else { return }
            var impossible = subject.harness.sample(2)
            impossible.coordinate = Coordinate(latitude: 91, longitude: 0)
            _ = try await subject.deliver(impossible, to: recorder)
            try subject.expect(
                subject.provider.lastLocation == delivered, "an incorrect coordinate does not displace a known place",
                observed: "\(String(describing: subject.provider.lastLocation))")
        },
        Rule(
            12, "a batch comes whole, oldest to newest, and its last is the current position; an empty one is nothing",
            needs: [.chosenPositions, .batches]
        ) { subject in
            let recorder = try await subject.attachAvailable()
            let batch = (0..<4).map(subject.harness.sample)
            try await subject.harness.inject(batch: batch)
            try await subject.eventually("the whole batch comes", observed: "\(recorder.locations)") {
                recorder.locations.count == batch.count
                    && zip(recorder.locations, batch).allSatisfy(subject.harness.matches)
            }
            try await subject.harness.inject(batch: [])
            try await subject.harness.settle()
            try subject.expect(
                recorder.events.count == batch.count
                    && subject.provider.lastLocation.map { subject.harness.matches($0, batch[3]) } ?? false,
                "an empty batch changes nothing and the last of the batch before is current",
                observed: "\(recorder.events)")
        },
    ]

    private static func isLocation(_ event: ProviderEvent) -> Bool {
        if case .location = event { true } else { false }
    }
}
