import FleetWire
import Positioning
import RemoteLocation
import Testing

@Suite struct HistoryMachineTests {
    /// A history with a clock of its own.
    private final class Scene {
        var machine: HistoryMachine
        var now = MonotonicInstant(nanoseconds: 0)
        let vehicle: VehicleID

        init(subscriber: String? = "office") throws {
            vehicle = try VehicleID("van")
            machine = HistoryMachine(
                vehicle: vehicle, settings: HistorySettings(subscriber: try subscriber.map { try VehicleID($0) }))
            machine.linkUp(now: now)
        }

        func report(_ sequence: UInt64, boot: UInt64 = 1, of instance: String = "a") -> HistoryMachine.Receipt {
            machine.receive(ReportIdentity(instance: instance, boot: boot, sequence: sequence), now: now)
        }

        func say(
            _ availability: Availability = .available, boot: UInt64 = 1, of instance: String = "a", last: UInt64? = nil,
            previous: AvailabilityMessage.PreviousBoot? = nil, connection: UInt64 = 1, offset: UTCInstant? = nil
        ) {
            let message = AvailabilityMessage(
                vehicle: vehicle, instance: instance, boot: boot, connection: connection, last: last,
                previous: previous, state: AvailabilityReport(availability: availability, link: .online),
                clockOffset: offset)
            machine.receive(message, now: now)
        }

        /// The sequences asked for now, with the command's name.
        func ask() -> (id: VehicleID, boot: UInt64, sequences: ClosedRange<UInt64>)? {
            guard let command = machine.nextCommand(now: now), case .resend(_, let boot, let sequences) = command.action
            else { return nil }
            return (command.id, boot, sequences)
        }

        func pass(_ seconds: Int) { now = now + .seconds(seconds) }

        func answer(_ id: VehicleID, gone: [ClosedRange<UInt64>] = []) {
            var set = SequenceRanges()
            for range in gone { set.insert(range.lowerBound..<range.upperBound + 1) }
            machine.receive(ReplyMessage(id: id, outcome: .coming(first: nil, last: nil, gone: set)), now: now)
        }

        func refuse(_ id: VehicleID, _ refusal: ReplyMessage.Refusal) {
            machine.receive(ReplyMessage(id: id, outcome: .refused(refusal, message: "")), now: now)
        }

        func missing(_ boot: Int = 0) -> [BootCompleteness.Missing] { machine.completeness[boot].missing }
    }

    @Test func S03_repeatedLateAndMissingReportsAreToldApart() throws {
        let scene = try Scene()
        let receipts = [1, 2, 5, 3, 4, 4, 5].map { scene.report($0) }
        #expect(receipts == [.new, .new, .new, .late, .late, .duplicate, .duplicate])
        #expect(scene.machine.completeness.first?.hasAllKnown == true)
        // The counter starts again with the next boot and with another instance: these are other reports.
        #expect(scene.report(1, boot: 2) == .new)
        #expect(scene.report(1, boot: 1, of: "b") == .new)
        #expect(scene.report(1, boot: 2) == .duplicate)
        #expect(scene.report(0) == .duplicate && scene.report(.max) == .duplicate)
    }

    @Test func everyOrderOfFiveReportsWithRepetitionsGivesEachOnce() throws {
        for code in 0..<3125 {
            let scene = try Scene()
            var (rest, seen) = (code, Set<UInt64>())
            for _ in 0..<5 {
                let sequence = UInt64(rest % 5 + 1)
                rest /= 5
                let isNew = seen.insert(sequence).inserted
                #expect((scene.report(sequence) != .duplicate) == isNew)
            }
            let missing = Set(1...seen.max()!).subtracting(seen)
            #expect(Set(scene.missing().flatMap { Array($0.sequences) }) == missing)
        }
    }

    @Test func aGapThatStaysIsAskedForOnceItHasSettled() throws {
        let scene = try Scene()
        scene.say()
        for sequence in [1, 2, 6, 9] { _ = scene.report(UInt64(sequence)) }
        #expect(scene.ask() == nil)
        #expect(scene.machine.nextDeadline == scene.now + .seconds(5))
        scene.pass(4)
        // The backlog fills it: more may follow.
        #expect(scene.report(3) == .late)
        scene.pass(4)
        #expect(scene.ask() == nil)
        scene.pass(1)
        let first = try #require(scene.ask())
        #expect(first.sequences == 4...5)
        // One at a time.
        #expect(scene.ask() == nil)
        scene.answer(first.id)
        let second = try #require(scene.ask())
        #expect(second.sequences == 7...8 && second.id != first.id)
        scene.answer(second.id, gone: [7...7])
        #expect(
            scene.missing() == [
                .init(sequences: 4...5, reason: .underWay), .init(sequences: 7...7, reason: .gone),
                .init(sequences: 8...8, reason: .underWay),
            ])
        for sequence: UInt64 in [4, 5, 8] { #expect(scene.report(sequence) == .late) }
        scene.pass(100_000)
        #expect(scene.ask() == nil && scene.machine.nextDeadline == nil)
        #expect(scene.missing() == [.init(sequences: 7...7, reason: .gone)])
        // What was given up and comes all the same is taken.
        #expect(scene.report(7) == .late && scene.missing().isEmpty)
    }

    @Test func aLostTailShowsByLastAndByThePreviousBoot() throws {
        let scene = try Scene()
        for sequence: UInt64 in 1...3 { _ = scene.report(sequence) }
        scene.say(last: 5)
        #expect(scene.missing() == [.init(sequences: 4...5, reason: .notYetAsked)])
        #expect(scene.machine.completeness[0].isEndKnown == false)
        scene.say(boot: 2, last: 0, previous: .init(boot: 1, last: 7, isExact: true))
        #expect(scene.machine.completeness[0].isEndKnown && scene.machine.completeness[0].isOver)
        scene.pass(5)
        let asked = try #require(scene.ask())
        #expect(asked.boot == 1 && asked.sequences == 4...7)
        // A last below what was received confuses nothing.
        scene.say(boot: 2, last: 1, previous: .init(boot: 1, last: 2, isExact: true))
        #expect(scene.machine.completeness[0].last == 7)
        // After a crash nobody knows the end.
        scene.say(boot: 3, last: 0, previous: .init(boot: 2, last: 1, isExact: false))
        #expect(scene.machine.completeness[1].isOver && !scene.machine.completeness[1].isEndKnown)
        #expect(!scene.machine.completeness[1].isComplete)
    }

    @Test func aCleanStopTellsTheEnd() throws {
        let scene = try Scene()
        _ = scene.report(1)
        scene.say(.unavailable(.stopped), last: 1)
        #expect(scene.machine.completeness[0].isComplete)
    }

    @Test func nobodyIsAskedWhoCannotAnswer() throws {
        for availability in [Availability.unavailable(.stopped), .unavailable(.sleeping), .unavailable(.private)] {
            let scene = try Scene()
            scene.say(availability, last: 3)
            scene.pass(1000)
            #expect(scene.ask() == nil)
            // Without a fix an agent still answers.
            scene.say(.unavailable(.noFix), connection: 2)
            #expect(scene.ask()?.sequences == 1...3)
        }
        let scene = try Scene()
        scene.say(last: 3)
        scene.machine.receive(
            .will(vehicle: scene.vehicle, instance: "a", boot: 1, connection: 1), now: scene.now)
        scene.pass(1000)
        #expect(scene.ask() == nil)
        // Without a name nothing is asked.
        let reader = try Scene(subscriber: nil)
        reader.say(last: 3)
        reader.pass(1000)
        #expect(reader.ask() == nil && reader.missing() == [.init(sequences: 1...3, reason: .cannotAsk)])
        // An instance that was displaced cannot answer.
        let swapped = try Scene()
        swapped.say(last: 3)
        swapped.say(of: "b")
        swapped.pass(1000)
        #expect(swapped.ask() == nil && swapped.missing() == [.init(sequences: 1...3, reason: .otherInstance)])
    }

    @Test func unansweredAndRefusedRequestsAreRepeatedEverMoreRarely() throws {
        let scene = try Scene()
        scene.say(last: 3)
        scene.pass(5)
        let first = try #require(scene.ask())
        scene.pass(29)
        #expect(scene.ask() == nil)
        scene.pass(1)
        #expect(scene.ask() == nil)
        scene.pass(30)
        let second = try #require(scene.ask())
        #expect(second.id != first.id && second.sequences == 1...3)
        // A reply to an earlier request, or to another's, is none to this one.
        scene.answer(first.id, gone: [1...3])
        #expect(scene.missing() == [.init(sequences: 1...3, reason: .underWay)])
        scene.refuse(second.id, .budget)
        #expect(scene.missing() == [.init(sequences: 1...3, reason: .refused(.budget))])
        scene.pass(59)
        #expect(scene.ask() == nil)
        scene.pass(1)
        #expect(scene.ask() != nil)
        // Never more rarely than the longest wait, however long it lasts.
        for _ in 0..<100 {
            scene.pass(30)
            #expect(scene.ask() == nil)
            scene.pass(900)
            #expect(scene.ask() != nil)
        }
    }

    @Test func aPromiseThatIsNotKeptIsAskedForAgain() throws {
        let scene = try Scene()
        scene.say(last: 3)
        scene.pass(5)
        scene.answer(try #require(scene.ask()).id)
        scene.pass(119)
        #expect(scene.report(1) == .new)
        scene.pass(119)
        #expect(scene.ask() == nil)
        scene.pass(1)
        #expect(scene.ask() == nil)
        scene.pass(30)
        #expect(scene.ask()?.sequences == 2...3)
    }

    @Test func aReplyFullOfGapsSaysNothingOfWhatFollows() throws {
        let scene = try Scene()
        scene.say(last: 1000)
        scene.pass(5)
        let gone = (0..<UInt64(ReplyMessage.goneLimit)).map { 2 * $0 + 1...2 * $0 + 1 }
        scene.answer(try #require(scene.ask()).id, gone: gone)
        #expect(scene.ask()?.sequences == 200...1000)
    }

    @Test func reportsWithoutATimeAreDatedByTheirBootsClock() throws {
        let scene = try Scene()
        let report = Report(
            identity: ReportIdentity(instance: "a", boot: 1, sequence: 1),
            draft: ReportDraft(
                location: Location(coordinate: Coordinate(latitude: 1, longitude: 2)), uptime: 12.5))
        _ = scene.report(1)
        #expect(scene.machine.time(of: report) == nil)
        scene.say(offset: UTCInstant(milliseconds: 1_000_000))
        #expect(scene.machine.time(of: report) == UTCInstant(milliseconds: 1_012_500))
        scene.say(boot: 2, offset: UTCInstant(milliseconds: 5))
        #expect(scene.machine.time(of: report) == UTCInstant(milliseconds: 1_012_500))
    }

    @Test func memoryIsBoundedAndWhatIsForgottenIsNeverDeliveredAgain() throws {
        let scene = try Scene()
        for boot in 1...UInt64(HistoryMachine.bootLimit + 3) { #expect(scene.report(1, boot: boot) == .new) }
        #expect(scene.machine.completeness.count == HistoryMachine.bootLimit)
        #expect(scene.report(1, boot: 3) == .forgotten && scene.report(2, boot: 3) == .forgotten)
        #expect(scene.report(2, boot: 4) == .new)
        let gaps = try Scene()
        for index in 0..<UInt64(10_010) { _ = gaps.report(2 * index + 2) }
        let state = gaps.machine.completeness[0]
        #expect(state.received == 10_010 && state.forgotten > 0)
        #expect(state.received + state.forgotten + UInt64(state.missing.count) == state.last)
        #expect(!state.hasAllKnown)
    }
}
