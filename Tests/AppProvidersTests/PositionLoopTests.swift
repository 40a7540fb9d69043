import FixcastTestKit
import Positioning
import Synchronization
import Testing

@testable import AppProviders

/// Writes down what it is shown, with its name.
private final class Observer: PositionObserver {
    let name: String
    let journal: Journal
    private let onUpdate: @Sendable () -> Void

    init(_ name: String, _ journal: Journal, onUpdate: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.journal = journal
        self.onUpdate = onUpdate
    }

    func update(_ position: Location) {
        journal.entries.withLock { $0.append((name, position)) }
        onUpdate()
    }
}

private final class Journal: Sendable {
    let entries = Mutex<[(name: String, position: Location)]>([])
    var names: [String] { entries.withLock { $0.map(\.name) } }
    var positions: [Location] { entries.withLock { $0.map(\.position) } }
}

/// A position that a test sets, or a failure.
private final class Source: Sendable {
    struct Failure: Error {}
    let current = Mutex<Result<Location?, Failure>>(.success(nil))
    func set(_ result: Result<Location?, Failure>) { current.withLock { $0 = result } }
}

@Suite struct PositionLoopTests {
    private let scheduler = ManualScheduler()
    private let journal = Journal()
    private let source = Source()
    private let place = Location(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3)

    private func loop(_ interval: Duration = .seconds(1)) -> PositionLoop {
        source.set(.success(place))
        return PositionLoop(scheduler: scheduler, interval: interval) { [source] in
            try source.current.withLock { $0 }.get()
        }
    }

    @Test func theFirstTickComesAfterOneIntervalAndObserversInTheirOrder() {
        let loop = loop()
        let (a, b) = (Observer("a", journal), Observer("b", journal))
        loop.add(a)
        loop.add(b)
        loop.add(a)
        loop.start()
        loop.start()
        scheduler.advance(by: .milliseconds(999))
        #expect(journal.names.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(journal.names == ["a", "b"])
        scheduler.advance(by: .seconds(2))
        #expect(journal.names == ["a", "b", "a", "b", "a", "b"])
        loop.remove(a)
        scheduler.advance(by: .seconds(1))
        #expect(journal.names.suffix(1) == ["b"])
        #expect(journal.names.count == 7)
    }

    @Test func aTickWithoutAPositionIsSkipped() {
        let loop = loop(.milliseconds(100))
        loop.add(Observer("a", journal))
        loop.start()
        source.set(.success(nil))
        scheduler.advance(by: .milliseconds(100))
        source.set(.failure(Source.Failure()))
        scheduler.advance(by: .milliseconds(100))
        #expect(journal.names.isEmpty)
        source.set(.success(place))
        scheduler.advance(by: .milliseconds(100))
        #expect(journal.positions == [place])
    }

    @Test func aPositionWithoutAFixIsShownMarked() {
        let loop = loop()
        loop.add(Observer("a", journal))
        loop.start()
        var lost = place
        lost.fix = .none
        source.set(.success(lost))
        scheduler.advance(by: .seconds(1))
        #expect(journal.positions.first?.unreliable == .noFix)
        #expect(journal.positions.first?.isReliable == false)
    }

    @Test func stoppingEndsItAndStartingBeginsAnew() {
        let loop = loop()
        loop.add(Observer("a", journal))
        loop.start()
        scheduler.advance(by: .milliseconds(900))
        loop.stop()
        loop.stop()
        loop.start()
        scheduler.advance(by: .milliseconds(900))
        #expect(journal.names.isEmpty, "an interval counts from the start")
        scheduler.advance(by: .milliseconds(100))
        #expect(journal.names.count == 1)
        loop.stop()
        scheduler.advance(by: .seconds(5))
        #expect(journal.names.count == 1)
        #expect(scheduler.nextDeadline == nil)
    }

    @Test func anObserverMayTakeOutAnotherOrStopTheLoop() {
        let loop = loop()
        let second = Observer("b", journal)
        loop.add(Observer("a", journal) { loop.remove(second) })
        loop.add(second)
        loop.start()
        scheduler.advance(by: .seconds(1))
        #expect(journal.names == ["a"])
        loop.add(Observer("c", journal) { loop.stop() })
        loop.add(second)
        scheduler.advance(by: .seconds(5))
        #expect(journal.names == ["a", "a", "c"])
    }

    @Test func itShowsWhatAPushSourceHas() throws {
        let push = PushLocationProvider(scheduler: scheduler)
        let loop = PositionLoop(scheduler: scheduler) { push.currentPosition }
        loop.add(Observer("a", journal))
        loop.start()
        push.open()
        scheduler.advance(by: .seconds(1))
        try push.push(place)
        scheduler.advance(by: .seconds(2))
        push.close()
        scheduler.advance(by: .seconds(2))
        #expect(journal.positions == [place, place])
    }

    @Test func missedTicksAreNotMadeUpForAndTheRhythmStays() {
        var machine = PositionLoopMachine(interval: .seconds(1))
        func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }
        machine.start(now: at(0))
        #expect(machine.isDue(now: at(0.9)) == false)
        #expect(machine.isDue(now: at(1.02)) == true)
        #expect(machine.deadline == at(2))
        #expect(machine.isDue(now: at(5.5)) == true)
        #expect(machine.deadline == at(6))
        machine.stop()
        #expect(machine.isDue(now: at(7)) == false)
        #expect(PositionLoopMachine(interval: .zero).interval == 1, "a loop never stands still in time")
    }

    @Test(arguments: [
        (FixType.none, 0), (.twoD, 1), (.threeD, 1), (.differential, 2), (.rtkFloat, 2), (.rtkFixed, 2),
        (.deadReckoning, 3), (.unknown, 4), (.manual, 4),
    ])
    func fixesHaveS3sNumbers(_ fix: FixType, _ number: Int) { #expect(NavigationFix(fix).rawValue == number) }
}
