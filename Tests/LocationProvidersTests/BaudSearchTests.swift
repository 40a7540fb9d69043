import Positioning
import Testing

@testable import LocationProviders

/// A receiver at one rate and the search for it, on a clock of the test.
private struct Scene {
    var search = BaudSearch()
    var now = MonotonicInstant(nanoseconds: 0)
    /// The rate at which the receiver talks.
    var receiver: BaudRate
    /// Rates that were set, in order.
    var tried: [BaudRate] = []

    init(_ receiver: BaudRate) {
        self.receiver = receiver
        search.begin(now: now)
        tried = [search.rate]
    }

    /// Passes a time in steps of 100 ms; a burst of five sentences begins each second unless the receiver is mute.
    mutating func pass(_ seconds: Double, isMute: Bool = false) {
        for _ in 0..<Int(seconds * 10) {
            now = now + .milliseconds(100)
            set(search.deadlinePassed(now: now))
            guard !isMute, now.nanoseconds % 1_000_000_000 < 500_000_000 else { continue }
            set(search.received(bytes: 70, sentences: search.rate == receiver ? 1 : 0, now: now))
        }
    }

    private mutating func set(_ rate: BaudRate?) {
        guard let rate else { return }
        #expect(rate == search.rate)
        tried.append(rate)
    }
}

@Suite struct BaudSearchTests {
    @Test(arguments: BaudSearch.candidates)
    func everyUsualRateIsFoundWithinTwentySeconds(rate: BaudRate) {
        var scene = Scene(rate)
        scene.pass(20)
        #expect(scene.search.isSettled)
        #expect(scene.search.rate == rate)
        #expect(scene.tried == Array(BaudSearch.candidates.prefix(scene.tried.count)))
        #expect(scene.search.deadline == nil)
    }

    @Test func theRightRateIsKept() {
        var scene = Scene(.b4800)
        scene.pass(3600)
        #expect(scene.tried == [.b4800])
    }

    @Test func aReceiverThatChangesItsRateIsFoundAgain() {
        var scene = Scene(.b9600)
        scene.pass(10)
        #expect(scene.search.rate == .b9600)
        scene.receiver = .b115200
        scene.pass(4)
        #expect(scene.search.rate == .b9600, "a few seconds of noise are no reason to leave")
        scene.pass(20)
        #expect(scene.search.isSettled)
        #expect(scene.search.rate == .b115200)
    }

    @Test func silenceProvesNothing() {
        var scene = Scene(.b38400)
        scene.pass(8, isMute: true)
        #expect(scene.tried == [.b4800])
        var settled = Scene(.b4800)
        settled.pass(3)
        settled.pass(3600, isMute: true)
        settled.pass(2)
        #expect(settled.tried == [.b4800])
    }

    @Test func withoutAnyByteTheNextIsTriedAfterAWhile() {
        var scene = Scene(.b38400)
        scene.pass(25, isMute: true)
        #expect(scene.tried == [.b4800, .b9600, .b38400])
    }

    @Test func anOpeningBeginsWithTheRateThatWasRight() {
        var scene = Scene(.b57600)
        scene.pass(15)
        scene.search.begin(now: scene.now)
        #expect(scene.search.rate == .b57600)
        #expect(!scene.search.isSettled)
        #expect(scene.search.received(bytes: 70, sentences: 1, now: scene.now) == nil)
        #expect(scene.search.isSettled)
    }

    @Test func aPauseOfTheConsumerIsNoGarbage() {
        var scene = Scene(.b4800)
        scene.pass(3)
        scene.now = scene.now + .seconds(60)
        scene.search.resume(now: scene.now)
        #expect(scene.search.received(bytes: 4096, sentences: 0, now: scene.now) == nil)
    }
}
