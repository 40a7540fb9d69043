import Delivery
import FixcastTestKit
import Positioning
import Testing

private typealias Machine = DeliveryMachine<MemoryQueue>

private let now = MonotonicInstant(nanoseconds: 0)

private func makeMachine(capacity: Int = 1000, window: Int = 100, batch: Int = 100) -> Machine {
    var settings = DeliverySettings()
    settings.window = window
    settings.batch = batch
    return Machine(queue: MemoryQueue(instance: "i", boot: 1, capacity: capacity), settings: settings)
}

/// A handover as a short text: `live 3`, `track 1-2`.
private func name(_ handover: Handover?) -> String? {
    switch handover {
    case nil: nil
    case .live(let report): "live \(report.identity.sequence)"
    case .track(let reports):
        "track " + reports.map { String($0.identity.sequence) }.joined(separator: ",")
    }
}

extension DeliveryMachine {
    /// Hands over all that there is room for, with tokens from `first` on.
    fileprivate mutating func handOver(from first: UInt64 = 1) -> [String] {
        var names: [String] = []
        while let handover = next(now: now) {
            names.append(name(handover)!)
            handedOver(token: first + UInt64(names.count - 1))
        }
        return names
    }
}

@Suite struct DeliveryMachineTests {
    @Test func nothingIsHandedOverWithoutAConnection() {
        var machine = makeMachine()
        machine.append(draft())
        #expect(machine.next(now: now) == nil)
    }

    @Test func liveReportsGoOutInOrderAsFarAsTheWindowAllows() {
        var machine = makeMachine(window: 3)
        machine.connected(receiveMaximum: 65_535)
        for _ in 0..<5 { machine.append(draft()) }
        #expect(machine.handOver() == ["live 1", "live 2", "live 3"])
        machine.completed(token: 1, .delivered, now: now)
        #expect(machine.handOver(from: 4) == ["live 4"])
    }

    @Test func theWindowLeavesRoomInTheBrokersReceiveMaximum() {
        var machine = makeMachine()
        machine.connected(receiveMaximum: 5)
        for _ in 0..<9 { machine.append(draft()) }
        #expect(machine.handOver().count == 3)
    }

    @Test func afterAnOutageTheNewestComesFirstAndTheRestOnTheTrackOldestFirst() {
        var machine = makeMachine(batch: 3)
        machine.connected(receiveMaximum: 100)
        for _ in 0..<3 { machine.append(draft()) }
        #expect(machine.handOver() == ["live 1", "live 2", "live 3"])
        machine.completed(token: 2, .delivered, now: now)
        machine.disconnected()
        for _ in 0..<4 { machine.append(draft()) }
        machine.connected(receiveMaximum: 100)
        #expect(machine.handOver(from: 10) == ["live 7", "track 1,3,4"])
        machine.append(draft())
        #expect(machine.handOver(from: 20) == ["live 8"])
        machine.completed(token: 11, .delivered, now: now)
        #expect(machine.handOver(from: 30) == ["track 5,6"])
        for token: UInt64 in [10, 20, 30] { machine.completed(token: token, .delivered, now: now) }
        #expect(machine.queue.waitingCount == 0)
        #expect(machine.handOver() == [])
        #expect(
            machine.counters
                == {
                    var c = DeliveryCounters()
                    c.live = 3
                    c.track = 5
                    return c
                }())
    }

    @Test("M03: every connection repeats the newest reliable position, also an acknowledged one")
    func m03RepeatsTheNewest() {
        var machine = makeMachine()
        machine.connected(receiveMaximum: 100)
        machine.append(draft())
        #expect(machine.handOver() == ["live 1"])
        machine.completed(token: 1, .delivered, now: now)
        machine.disconnected()
        machine.connected(receiveMaximum: 100)
        #expect(machine.handOver() == ["live 1"])
        machine.completed(token: 1, .delivered, now: now)
        #expect(machine.handOver() == [])
    }

    @Test func aNewerUnreliablePositionFollowsTheReliableOneOnTheLiveLane() {
        var machine = makeMachine()
        for reliable in [true, true, false, false] { machine.append(draft(reliable: reliable)) }
        machine.connected(receiveMaximum: 100)
        #expect(machine.handOver() == ["live 2", "live 4", "track 1,3"])
    }

    @Test("M07: a refused report is kept and tried again after a while, the newest first")
    func m07Refused() {
        var machine = makeMachine()
        machine.connected(receiveMaximum: 100)
        for _ in 0..<2 { machine.append(draft()) }
        #expect(machine.handOver() == ["live 1", "live 2"])
        machine.completed(token: 1, .refused, now: now)
        machine.completed(token: 2, .refused, now: now)
        #expect(machine.next(now: now) == nil)
        #expect(machine.nextDeadline == now + .seconds(30))
        machine.append(draft())
        #expect(name(machine.next(now: now + .seconds(30))) == "live 3")
        machine.settled(.delivered, now: now)
        #expect(machine.counters.refused == 2)
        #expect(name(machine.next(now: now + .seconds(30))) == "track 1,2")
    }

    @Test("M07: a refused report never replaces a newer one that was accepted")
    func m07RefusedStaysBehind() {
        var machine = makeMachine()
        machine.connected(receiveMaximum: 100)
        for _ in 0..<3 { machine.append(draft()) }
        #expect(machine.handOver() == ["live 1", "live 2", "live 3"])
        machine.completed(token: 1, .refused, now: now)
        for token: UInt64 in 2...3 { machine.completed(token: token, .delivered, now: now) }
        let later = now + .seconds(30)
        #expect(name(machine.next(now: later)) == "live 3")
        machine.settled(.delivered, now: later)
        #expect(name(machine.next(now: later)) == "track 1")
    }

    @Test(arguments: [true, false])
    func aConnectionThatLostAReportTakesNoOther(atOnce: Bool) {
        var machine = makeMachine()
        machine.connected(receiveMaximum: 100)
        for _ in 0..<3 { machine.append(draft()) }
        #expect(name(machine.next(now: now)) == "live 1")
        if atOnce {
            machine.settled(.lost, now: now)
        } else {
            machine.handedOver(token: 1)
            machine.completed(token: 1, .lost, now: now)
        }
        #expect(machine.next(now: now) == nil)
        #expect(!machine.isIdle)
        machine.disconnected()
        machine.connected(receiveMaximum: 100)
        #expect(machine.handOver() == ["live 3", "track 1,2"])
    }

    @Test func aBatchTooLargeIsCutAndASingleReportTooLargeDiscarded() {
        var machine = makeMachine(batch: 4)
        for _ in 0..<5 { machine.append(draft()) }
        machine.connected(receiveMaximum: 100)
        #expect(name(machine.next(now: now)) == "live 5")
        machine.settled(.delivered, now: now)
        for expected in ["track 1,2,3,4", "track 1,2", "track 1"] {
            #expect(name(machine.next(now: now)) == expected)
            machine.settled(.tooLarge, now: now)
        }
        #expect(name(machine.next(now: now)) == "track 2")
        machine.settled(.delivered, now: now)
        #expect(machine.counters.discarded == 1)
    }

    @Test func whatWaitsMovesToANewIdentityInOrder() {
        var machine = makeMachine()
        for latitude in 1...3 { machine.append(draft(Double(latitude))) }
        machine.move(to: MemoryQueue(instance: "new", boot: 1))
        machine.connected(receiveMaximum: 100)
        guard case .live(let newest)? = machine.next(now: now) else {
            Issue.record("nothing to hand over")
            return
        }
        #expect(newest.identity == ReportIdentity(instance: "new", boot: 1, sequence: 3))
        #expect(newest.location.coordinate.latitude == 3)
        machine.settled(.delivered, now: now)
        #expect(name(machine.next(now: now)) == "track 1,2")
    }

    @Test func congestionBeginsAtAWindowAndEndsAtHalfOfOne() {
        var machine = makeMachine(window: 4)
        machine.connected(receiveMaximum: 100)
        for _ in 0..<4 { machine.append(draft()) }
        #expect(machine.isCongested)
        _ = machine.handOver()
        #expect(!machine.isCongested)
    }

    @Test func everyReportIsHandedOverOrDroppedWhateverBreaks() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            var machine = makeMachine(capacity: 64, window: 5, batch: 4)
            var token: UInt64 = 0
            var open: [(UInt64, Handover)] = []
            var delivered: Set<UInt64> = []
            var isConnected = false
            for _ in 0..<400 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: machine.append(draft(reliable: Bool.random(using: &random)))
                case 2:
                    isConnected.toggle()
                    open.removeAll()
                    if isConnected { machine.connected(receiveMaximum: 20) } else { machine.disconnected() }
                case 3:
                    if let handover = machine.next(now: now) {
                        token += 1
                        machine.handedOver(token: token)
                        open.append((token, handover))
                    }
                default:
                    guard let index = open.indices.randomElement(using: &random) else { continue }
                    let (token, handover) = open.remove(at: index)
                    machine.completed(token: token, .delivered, now: now)
                    switch handover {
                    case .live(let report): delivered.insert(report.identity.sequence)
                    case .track(let reports): delivered.formUnion(reports.map(\.identity.sequence))
                    }
                }
            }
            if isConnected { machine.disconnected() }
            machine.connected(receiveMaximum: 20)
            while let handover = machine.next(now: now) {
                switch handover {
                case .live(let report): delivered.insert(report.identity.sequence)
                case .track(let reports): delivered.formUnion(reports.map(\.identity.sequence))
                }
                machine.settled(.delivered, now: now)
            }
            #expect(machine.queue.waitingCount == 0)
            #expect(UInt64(delivered.count) + machine.queue.droppedCount >= machine.queue.lastSequence)
        }
    }
}
