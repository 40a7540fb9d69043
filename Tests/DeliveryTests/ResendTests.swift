import Delivery
import Positioning
import Testing

@Suite struct ResendTests {
    @Test func whatIsAskedForTwiceGoesOnceAndWhatIsGoneIsSaid() {
        var scene = DeliveryScene(capacity: 6, boot: 2) { $0.batch = 10 }
        scene.connect()
        scene.append(8)
        #expect(scene.handOver() == ["live 8"])
        // Nothing is retired, so all that the queue still has is held: 3 to 8.
        let answer = scene.machine.resend(instance: "i", boot: 2, sequences: 1...4)
        #expect(answer.gone.ranges == [1..<3])
        #expect(answer.coming.ranges == [3..<5])
        _ = scene.machine.resend(instance: "i", boot: 2, sequences: 4...5)
        // They wait for the track anyway.
        scene.wait(.seconds(1))
        #expect(scene.deliverAll().last == "track 3,4,5,6,7")
        #expect(scene.machine.isIdle)
        #expect(scene.machine.counters.resent == 0)
    }

    @Test func anotherBootIsGone() {
        var scene = DeliveryScene(boot: 2)
        scene.append(8)
        let answer = scene.machine.resend(instance: "i", boot: 1, sequences: 1...4)
        #expect(answer.coming.isEmpty)
        #expect(answer.gone.ranges == [1..<5])
    }

    /// Only what was asked for comes again after a loss, also where the numbers have gaps.
    @Test func whatIsLostOnTheWayIsSentAgainWithoutWhatWasNotAskedFor() {
        var scene = DeliveryScene(boot: 2) { $0.retryDelay = .seconds(1) }
        scene.connect()
        scene.append(4)
        #expect(scene.handOver() == ["live 4"])
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["track 1,2,3"])
        _ = scene.machine.resend(instance: "i", boot: 2, sequences: 1...1)
        _ = scene.machine.resend(instance: "i", boot: 2, sequences: 3...3)
        #expect(scene.handOver() == ["track 1,3"])
        scene.completeLast(.refused(reason: 0x97))
        scene.wait(.seconds(1))
        #expect(scene.handOver() == ["track 1,3"])
    }

    @Test func theWholeRangeOfNumbersIsNoTrap() {
        var scene = DeliveryScene()
        let answer = scene.machine.resend(instance: "i", boot: 1, sequences: 0 ... .max)
        #expect(answer.coming.isEmpty)
    }
}
