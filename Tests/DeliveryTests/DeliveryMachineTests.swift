import Delivery
import FixcastTestKit
import Positioning
import Testing

@Suite struct DeliveryMachineTests {
    @Test func nothingIsHandedOverWithoutAConnection() {
        var scene = DeliveryScene()
        scene.append()
        #expect(scene.handOver() == [])
    }

    @Test func oneLiveReportIsUnderWayAndTheNewestFollows() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append(4)
        #expect(scene.handOver() == ["live 4"])
        scene.append()
        #expect(scene.handOver() == [])
        scene.complete()
        #expect(scene.handOver() == ["live 5"])
    }

    @Test func whatTheLiveLaneDidNotCarryIsGatheredForTheTrack() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.append(3)
        #expect(scene.machine.nextDeadline == scene.now + .seconds(1))
        scene.complete()
        #expect(scene.handOver() == ["live 4"])
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["track 2,3"])
        scene.complete()
        scene.complete()
        #expect(scene.machine.isIdle)
        #expect(scene.machine.counters.live == 2 && scene.machine.counters.track == 2)
    }

    @Test func nothingIsGatheredAtTheEnd() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.append(2)
        scene.machine.flush()
        #expect(scene.handOver() == ["track 2"])
    }

    @Test func theWindowLeavesRoomInTheBrokersReceiveMaximum() {
        var scene = DeliveryScene { $0.batch = 2 }
        scene.append(20)
        scene.connect(receiveMaximum: 5)
        #expect(scene.handOver() == ["live 20", "track 1,2", "track 3,4"])
    }

    @Test(arguments: [1, 2, 3]) func aBrokerThatTakesOneMessageAtATimeGetsAllOfThem(receiveMaximum: Int) {
        var scene = DeliveryScene { $0.batch = 4 }
        scene.append(10)
        scene.connect(receiveMaximum: receiveMaximum)
        #expect(scene.handOver() == ["live 10"])
        scene.complete()
        #expect(scene.deliverAll() == ["track 1,2,3,4", "track 5,6,7,8", "track 9"])
    }

    @Test("R05: after an outage the newest comes first and the rest on the track, oldest first; live overtakes it")
    func r05TwoLanes() {
        var scene = DeliveryScene {
            $0.batch = 3
            $0.window = 2
        }
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.complete()
        scene.append()
        #expect(scene.handOver() == ["live 2"])
        scene.disconnect()
        scene.append(6)
        scene.connect()
        #expect(scene.handOver() == ["live 8", "track 2,3,4"])
        scene.append()
        #expect(scene.handOver() == [])
        scene.complete()
        #expect(scene.handOver() == ["live 9"])
        scene.complete()
        #expect(scene.handOver() == ["track 5,6,7"])
    }

    @Test("M03: every connection repeats the newest reliable position, also an acknowledged one")
    func m03RepeatsTheNewest() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.deliverAll() == ["live 1"])
        scene.disconnect()
        scene.connect()
        #expect(!scene.machine.isIdle)
        #expect(scene.deliverAll() == ["live 1"])
        #expect(scene.machine.isIdle)
        #expect(scene.machine.counters.live == 1)
    }

    @Test func aRepetitionGivesWayToANewerPosition() {
        var scene = DeliveryScene()
        scene.append()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 2", "track 1"])
    }

    @Test func aNewerUnreliablePositionFollowsTheReliableOneOnTheLiveLane() {
        var scene = DeliveryScene()
        for reliable in [true, true, false, false] { scene.append(reliable: reliable) }
        scene.connect()
        #expect(scene.handOver() == ["live 2", "track 1,3"])
        scene.complete()
        #expect(scene.handOver() == ["live 4"])
    }

    @Test func anUnreliablePositionDoesNotReplaceAReliableOneThatWaits() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        for reliable in [true, false, false] { scene.append(reliable: reliable) }
        scene.complete()
        #expect(scene.handOver() == ["live 2"])
        scene.complete()
        #expect(scene.handOver() == ["live 4"])
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["track 3"])
    }

    @Test(
        "the backlog keeps to its pace in reports and bytes",
        arguments: [(20.0, nil), (nil, 500.0)] as [(Double?, Double?)])
    func pace(reports: Double?, bytes: Double?) {
        var scene = DeliveryScene(capacity: 10_000) {
            $0.batch = 50
            $0.reportsPerSecond = reports
            $0.bytesPerSecond = bytes
        }
        scene.append(2001)
        scene.connect()
        var sent = 0
        var seconds = 0
        while !scene.machine.isIdle {
            // 25 bytes a report: either pace makes 20 reports a second.
            let names = scene.handOver(bytes: 1250)
            sent += names.filter { $0.hasPrefix("track") }.count * 50
            while !scene.open.isEmpty { scene.complete() }
            #expect(sent <= 20 * seconds + 120)
            scene.wait(.seconds(1))
            seconds += 1
            if seconds > 200 { break }
        }
        #expect((90...105).contains(seconds))
    }

    @Test func whatIsMadeOnTheConnectionIsNotPaced() {
        var scene = DeliveryScene {
            $0.batch = 10
            $0.reportsPerSecond = 1
        }
        scene.connect()
        for _ in 0..<20 {
            scene.append(10)
            #expect(!scene.handOver().isEmpty)
            while !scene.open.isEmpty { scene.complete() }
        }
        #expect(scene.machine.queue.waitingCount < 10)
    }

    @Test func aLargeBacklogBeginsLateAndASmallOneAtOnce() {
        var scene = DeliveryScene {
            $0.batch = 2
            $0.startJitter = .seconds(60)
        }
        scene.append(2)
        scene.connect(random: 0.5)
        #expect(scene.deliverAll() == ["live 2", "track 1"])
        scene.disconnect()
        scene.append(4)
        scene.connect(random: 0.5)
        #expect(scene.deliverAll() == ["live 6"])
        #expect(scene.machine.nextDeadline == scene.now + .seconds(30))
        scene.wait(.seconds(30))
        #expect(scene.deliverAll() == ["track 3,4", "track 5"])
    }

    @Test("M07: what the broker refuses to this client is kept, its lane waits, longer each time")
    func m07Refused() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.complete(.refused(reason: 0x87))
        #expect(scene.handOver() == [])
        #expect(scene.machine.nextDeadline == scene.now + .seconds(30))
        scene.wait(.seconds(30))
        #expect(scene.handOver() == ["live 1"])
        scene.append()
        scene.complete(.refused(reason: 0x87))
        scene.wait(.seconds(59))
        #expect(scene.handOver() == ["track 1"])
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["live 2"])
        #expect(scene.machine.counters.refusals == [0x87: 2])
    }

    @Test("M07: a refused report never replaces a newer one")
    func m07RefusedStaysBehind() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.append()
        scene.complete(.refused(reason: 0x87))
        scene.wait(.seconds(30))
        #expect(scene.handOver() == ["live 2", "track 1"])
    }

    @Test func aHeldTrackDoesNotHoldTheLiveLane() {
        var scene = DeliveryScene()
        scene.append(2)
        scene.connect()
        #expect(scene.handOver() == ["live 2", "track 1"])
        scene.complete()
        scene.complete(.refused(reason: 0x97))
        scene.append()
        #expect(scene.handOver() == ["live 3"])
        scene.complete()
        scene.wait(.seconds(30))
        #expect(scene.handOver() == ["track 1"])
    }

    @Test func aReportThatTheBrokerCannotTakeIsSetAsideAndHoldsUpNothing() {
        var scene = DeliveryScene { $0.batch = 8 }
        scene.append(9)
        scene.connect()
        #expect(scene.machine.next(now: scene.now).map { _ in 0 } == 0)
        scene.machine.settled(.delivered, bytes: 100, now: scene.now)
        var delivered: [String] = []
        for _ in 0..<30 {
            for name in scene.handOver() {
                // Report 3 is the poison.
                let isRefused = name.dropFirst(6).split(separator: ",").contains("3")
                scene.complete(isRefused ? .refused(reason: 0x99) : .delivered)
                if !isRefused { delivered.append(name) }
            }
        }
        #expect(
            delivered.flatMap { $0.dropFirst(6).split(separator: ",") }.sorted() == ["1", "2", "4", "5", "6", "7", "8"])
        #expect(scene.machine.counters.setAside == 1)
        #expect(scene.machine.isIdle)
    }

    @Test func aBatchTooLargeIsCutAndASingleReportTooLargeSetAside() {
        var scene = DeliveryScene { $0.batch = 4 }
        scene.append(5)
        scene.connect()
        _ = scene.machine.next(now: scene.now)
        scene.machine.settled(.delivered, bytes: 100, now: scene.now)
        var sizes: [Int] = []
        while let handover = scene.machine.next(now: scene.now) {
            guard case .track(let reports) = handover else { break }
            sizes.append(reports.count)
            scene.machine.settled(reports.count > 1 ? .tooLarge : .delivered, bytes: 100, now: scene.now)
        }
        #expect(sizes == [4, 2, 1, 1, 1, 1])
        scene.append()
        _ = scene.machine.next(now: scene.now)
        scene.machine.settled(.tooLarge, bytes: 100, now: scene.now)
        #expect(scene.machine.counters.setAside == 1)
    }

    @Test(arguments: [true, false])
    func aConnectionThatLostAReportTakesNoOther(atOnce: Bool) {
        var scene = DeliveryScene()
        scene.connect()
        scene.append(3)
        if atOnce {
            #expect(scene.machine.next(now: scene.now) != nil)
            scene.machine.settled(.lost, bytes: 100, now: scene.now)
        } else {
            #expect(scene.handOver() == ["live 3"])
            scene.complete(.lost)
        }
        #expect(scene.handOver() == [])
        #expect(!scene.machine.isIdle)
        scene.disconnect()
        scene.connect()
        #expect(scene.handOver() == ["live 3", "track 1,2"])
    }

    /// The acknowledgement of a batch says nothing of a report under way whose number lies between the batch's.
    @Test func anAcknowledgedBatchRetiresItsOwnReportsOnly() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append(3)
        #expect(scene.handOver() == ["live 3"])
        scene.append(reliable: false)
        scene.append(reliable: false)
        scene.wait(.seconds(1))
        scene.append()
        #expect(scene.handOver() == ["track 1,2,4,5"])
        scene.completeLast(.delivered)
        scene.disconnect()
        scene.connect()
        #expect(scene.deliverAll() == ["live 6", "track 3"])
    }

    @Test func whatWaitsGetsANewIdentityInOrder() {
        var scene = DeliveryScene(boot: 4)
        scene.append(3)
        scene.machine.renew(instance: "new", boot: 1, now: scene.now)
        scene.connect()
        guard case .live(let newest)? = scene.machine.next(now: scene.now) else {
            Issue.record("nothing to hand over")
            return
        }
        #expect(newest.identity == ReportIdentity(instance: "new", boot: 1, sequence: 3))
        scene.machine.settled(.delivered, bytes: 100, now: scene.now)
        #expect(scene.handOver() == ["track 1,2"])
    }

    @Test func congestionBeginsAtABatchAndEndsAtHalfOfOne() {
        var scene = DeliveryScene { $0.batch = 4 }
        scene.connect()
        scene.append()
        _ = scene.handOver()
        scene.append(4)
        #expect(!scene.machine.isCongested)
        scene.append()
        #expect(scene.machine.isCongested)
        #expect(scene.handOver() == ["track 2,3,4,5"])
        #expect(!scene.machine.isCongested)
    }

    @Test func everyReportIsHandedOverOrDroppedWhateverBreaks() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            var scene = DeliveryScene(capacity: 64) { $0.batch = 4 }
            var delivered: Set<UInt64> = []
            func note(_ name: String) {
                delivered.formUnion(name.split(separator: " ")[1].split(separator: ",").map { UInt64($0)! })
            }
            var isConnected = false
            for _ in 0..<400 {
                scene.wait(.milliseconds(100))
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: scene.append(reliable: Bool.random(using: &random))
                case 2 where Bool.random(using: &random):
                    isConnected.toggle()
                    if isConnected { scene.connect(receiveMaximum: 20) } else { scene.disconnect() }
                case 3: _ = scene.handOver()
                default:
                    guard let name = scene.open.first?.name else { continue }
                    let outcomes: [DeliveryOutcome] = [
                        .delivered, .delivered, .delivered, .deliveredToNobody, .refused(reason: 0x97), .tooLarge,
                    ]
                    let outcome = outcomes.randomElement(using: &random)!
                    scene.complete(outcome)
                    switch outcome {
                    case .delivered, .deliveredToNobody: note(name)
                    case .refused, .lost, .tooLarge: break
                    }
                }
            }
            scene.disconnect()
            scene.connect(receiveMaximum: 20)
            for name in scene.deliverAll() { note(name) }
            scene.wait(.seconds(2000))
            for name in scene.deliverAll() { note(name) }
            #expect(scene.machine.isIdle)
            #expect(scene.machine.queue.waitingCount == 0)
            let gone = scene.machine.queue.droppedCount + scene.machine.counters.setAside
            #expect(UInt64(delivered.count) + gone >= scene.machine.queue.lastSequence)
        }
    }
}
