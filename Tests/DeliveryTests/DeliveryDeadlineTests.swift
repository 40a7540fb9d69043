import Delivery
import FixcastTestKit
import Positioning
import Testing

/// A deadline is when there is something to hand over, never before; and what waits has one, or waits for an outcome.
@Suite struct DeliveryDeadlineTests {
    @Test func aBacklogThatWaitsForAcknowledgementsIsNoDeadline() {
        var scene = DeliveryScene {
            $0.batch = 2
            $0.reportsPerSecond = 2
        }
        scene.append(20)
        scene.connect()
        _ = scene.handOver()
        for _ in 0..<6 {
            scene.wait(.seconds(1))
            _ = scene.handOver()
        }
        scene.complete()
        _ = scene.handOver()
        #expect(scene.open.count == 4)
        scene.wait(.seconds(10))
        #expect(scene.handOver() == [])
        #expect(scene.machine.nextDeadline == nil)
    }

    @Test func whatWaitsBehindALiveReportThatIsHeldBackIsNoDeadline() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        for isReliable in [false, false, false] { scene.append(reliable: isReliable) }
        scene.complete(.refused(reason: 0x97))
        scene.wait(.seconds(10))
        _ = scene.handOver()
        #expect(scene.deliverAll(within: .seconds(60)).count > 0)
        #expect(scene.machine.isIdle)
    }

    @Test func aHoldWithoutRoomIsNoDeadline() {
        var scene = DeliveryScene()
        scene.append(2)
        scene.connect(receiveMaximum: 1)
        #expect(scene.handOver() == ["live 2"])
        scene.complete()
        #expect(scene.handOver() == ["track 1"])
        scene.complete(.refused(reason: 0x97))
        scene.append()
        #expect(scene.handOver() == ["live 3"])
        scene.wait(.seconds(31))
        #expect(scene.handOver() == [])
        #expect(scene.machine.nextDeadline == nil)
        scene.complete()
        #expect(scene.handOver() == ["track 1"])
    }

    /// A report that is refused waits on the live lane; one that takes its place leaves it to the track.
    @Test func aRefusedReportThatIsReplacedGoesWithTheTrack() {
        var scene = DeliveryScene()
        scene.connect()
        scene.append()
        #expect(scene.handOver() == ["live 1"])
        scene.complete(.refused(reason: 0x97))
        #expect(scene.handOver() == [])
        scene.append()
        #expect(scene.deliverAll(within: .seconds(60)).sorted() == ["live 2", "track 1"])
        #expect(scene.machine.isIdle)
    }

    @Test func aBatchOfOldAndNewLeavesNothingBehind() {
        var scene = DeliveryScene { $0.batch = 6 }
        scene.append(6)
        scene.connect()
        #expect(scene.machine.next(now: scene.now) != nil)
        scene.machine.settled(.delivered, bytes: 100, now: scene.now)
        scene.append(5)
        #expect(scene.deliverAll(within: .seconds(5)).sorted() == ["live 11", "track 1,2,3,4,5,7", "track 8,9,10"])
        #expect(scene.machine.isIdle)
    }

    @Test func whatWasMadeOnTheConnectionDoesNotWaitForAPacedResend() {
        var scene = DeliveryScene {
            $0.batch = 10
            $0.reportsPerSecond = 0.1
        }
        scene.connect()
        scene.append(10)
        #expect(scene.handOver() == ["live 10"])
        _ = scene.machine.resend(instance: "i", boot: 1, sequences: 10...10)
        #expect(scene.handOver() == ["track 10"])
        _ = scene.machine.resend(instance: "i", boot: 1, sequences: 10...10)
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["track 1,2,3,4,5,6,7,8,9"])
        #expect(scene.machine.nextDeadline.map { $0 > scene.now + .seconds(5) } == true)
    }

    /// Whatever the broker does, the machine says when it goes on, and without another connection all goes out.
    @Test(arguments: 0..<40) func allGoesOutOnOneConnection(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scene = DeliveryScene(capacity: 256) {
            $0.batch = Int.random(in: 1...8, using: &random)
            $0.window = Int.random(in: 1...6, using: &random)
            $0.reportsPerSecond = Bool.random(using: &random) ? 3 : nil
            $0.bytesPerSecond = Bool.random(using: &random) ? 400 : nil
            $0.startJitter = .seconds(Int.random(in: 0...20, using: &random))
        }
        scene.append(Int.random(in: 0...40, using: &random), reliable: Bool.random(using: &random))
        var sent: Set<UInt64> = []
        func note(_ name: String) {
            sent.formUnion(name.split(separator: " ")[1].split(separator: ",").map { UInt64($0)! })
        }
        scene.connect(
            receiveMaximum: Int.random(in: 1...20, using: &random), random: Double.random(in: 0..<1, using: &random))
        for _ in 0..<300 {
            scene.wait(.milliseconds(Int.random(in: 0...400, using: &random)))
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: scene.append(reliable: Int.random(in: 0..<3, using: &random) > 0)
            case 2:
                let first = UInt64.random(in: 1...40, using: &random)
                _ = scene.machine.resend(instance: "i", boot: 1, sequences: first...first + 3)
            default:
                _ = scene.handOver()
                guard let name = scene.open.first?.name else { continue }
                let outcomes: [DeliveryOutcome] = [
                    .delivered, .delivered, .delivered, .deliveredToNobody, .refused(reason: 0x97),
                    .refused(reason: 0x99), .tooLarge,
                ]
                let outcome = outcomes.randomElement(using: &random)!
                scene.complete(outcome)
                if outcome == .delivered || outcome == .deliveredToNobody { note(name) }
            }
        }
        for open in scene.open.map(\.name) {
            scene.complete()
            note(open)
        }
        for name in scene.deliverAll(within: .seconds(3000)) { note(name) }
        #expect(scene.machine.isIdle)
        let gone = scene.machine.queue.droppedCount + scene.machine.counters.setAside
        #expect(UInt64(sent.count) + gone >= scene.machine.queue.lastSequence)
    }
}
