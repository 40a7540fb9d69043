import Configuration
import EventLoop
import FixcastTestKit
import FleetWire
import MessageTransport
import Positioning
import Reporting
import Synchronization
import Testing

@testable import FixcastAgent

/// A transport that answers as it is told and remembers what it was asked.
private final class ScriptedTransport: MessageTransport {
    private struct State {
        var handler: (@Sendable (TransportEvent) -> Void)?
        var published: [OutgoingMessage] = []
        var answer: PublishOutcome?
    }

    private let state = Mutex(State())

    func start(_ handler: @escaping @Sendable (TransportEvent) -> Void) { state.withLock { $0.handler = handler } }
    func subscribe(_ subscriptions: [Subscription]) {}
    func stop() { tell(.stopped) }

    func publish(_ message: OutgoingMessage) -> PublishReceipt {
        state.withLock { state in
            state.published.append(message)
            if let answer = state.answer { return .settled(answer) }
            return .pending(PublishID(number: UInt64(state.published.count)))
        }
    }

    func tell(_ event: TransportEvent) { state.withLock { $0.handler }?(event) }
    func answerAll(_ outcome: PublishOutcome?) { state.withLock { $0.answer = outcome } }
    var topics: [String] { state.withLock { $0.published.map(\.topic) } }
    var published: [OutgoingMessage] { state.withLock { $0.published } }
}

/// An agent without sockets: a provider and a transport worked by hand, on a loop that does not run and a manual clock.
private final class Bench {
    let clock = ManualScheduler()
    let provider: PushTestProvider
    let transport = ScriptedTransport()
    let pipeline: AgentPipeline
    private let directory: TemporaryDirectory
    private var second: Int64 = 0

    init(
        _ configuration: String = "", reporting: String = "{ moving: { max-error: 0m, min-interval: 0s } }"
    ) throws {
        directory = try TemporaryDirectory()
        provider = PushTestProvider(scheduler: clock)
        let text =
            "vehicle: van-042\nreporting: \(reporting)\nchecks: { max-age: 0s }\n" + configuration
        let settings = try AgentSettings.read(
            ConfigurationTree(yaml: Array(text.utf8), file: "agent.yaml"), environment: [:])
        var generator = SeededGenerator(seed: 1)
        let transport = transport
        pipeline = AgentPipeline(
            settings: settings, state: try StateDirectory(directory.path, using: &generator), loop: try EventLoop(),
            clock: clock, log: AgentLog(level: .error, format: .text) { _ in }, provider: provider,
            makeTransport: { _ in transport }, finished: {})
        pipeline.start()
        clock.runPending()
    }

    func connect() { transport.tell(.connected(BrokerCapabilities())) }

    func fix(_ change: (inout Location) -> Void = { _ in }) {
        second += 1
        var location = Location(
            coordinate: Coordinate(latitude: 52, longitude: 13), horizontalAccuracy: 5,
            timestamp: UTCInstant(milliseconds: 1_796_010_000_000 + second * 1000))
        change(&location)
        provider.setAvailability(.available)
        provider.push(location)
        clock.runPending()
    }
}

@Suite struct AgentPipelineTests {
    @Test func birthThenTheNewestPositionThenTheRest() throws {
        let bench = try Bench()
        for _ in 0..<3 { bench.fix() }
        bench.connect()
        #expect(
            bench.transport.topics == [
                "fleet/van-042/availability", "fleet/van-042/location", "fleet/van-042/track",
            ])
        let newest = try ReportJSON.decode(bench.transport.published[1].payload)
        #expect(newest.identity.sequence == 3)
        #expect(bench.transport.published[1].retain)
        let track = try TrackMessage(payload: bench.transport.published[2].payload)
        #expect(track.reports.map(\.identity.sequence) == [1, 2])
    }

    /// A connection that is going answers "not connected" before its end is told: no report may be tried for ever.
    @Test(arguments: [PublishOutcome.notConnected, .unknown])
    func aConnectionThatIsGoingEndsTheHandingOver(outcome: PublishOutcome) throws {
        let bench = try Bench()
        bench.connect()
        bench.transport.answerAll(outcome)
        bench.fix()
        #expect(bench.transport.topics.filter { $0.hasSuffix("location") }.count == 1)
        bench.transport.answerAll(nil)
        bench.transport.tell(.disconnected(TransportFailure(.lost, "gone")))
        bench.connect()
        let last = try #require(bench.transport.published.last { $0.topic.hasSuffix("location") })
        #expect(try ReportJSON.decode(last.payload).identity.sequence == 1)
    }

    @Test func anUnreliablePositionIsPublishedAndNeverRetained() throws {
        let bench = try Bench()
        bench.connect()
        let location = Location(
            coordinate: Coordinate(latitude: 52, longitude: 13), timestamp: UTCInstant(milliseconds: 1_796_010_000_000))
        bench.provider.setAvailability(.available)
        bench.provider.push(location)
        bench.clock.runPending()
        let message = try #require(bench.transport.published.last { $0.topic.hasSuffix("location") })
        #expect(!message.retain)
        #expect(try ReportJSON.decode(message.payload).location.unreliable == .accuracy)
    }

    @Test func theWillNamesTheConnectionAndIsRetained() throws {
        let bench = try Bench()
        let will = bench.pipeline.will(connection: 7)
        #expect(will.retain && will.qos == .atLeastOnce && will.topic == "fleet/van-042/availability")
        let instance = bench.pipeline.identity.instance
        #expect(
            String(decoding: will.payload, as: UTF8.self)
                == "{\"v\":1,\"vehicle\":\"van-042\",\"inst\":\"\(instance)\",\"boot\":1,\"conn\":7,\"available\":false,\"reason\":\"linkLost\",\"link\":\"lost\"}"
        )
    }

    /// The agent's copy of what receivers predict from is what they read from the bytes.
    @Test func theAgentPredictsFromWhatItSent() throws {
        let bench = try Bench("", reporting: "{}")
        bench.connect()
        bench.transport.answerAll(.accepted)
        var random = SeededGenerator(seed: 3)
        var compared = 0
        var (place, course) = (Coordinate(latitude: 52, longitude: 13), 0.0)
        for step in 0..<400 {
            let speed = step % 60 < 50 ? 17.123456789 : 0
            course = Geodesy.normalizedCourse(course + Double.random(in: -20...20, using: &random))
            place = Geodesy.destination(from: place, course: course, distance: speed)
            bench.fix { fix in
                fix.coordinate = place
                fix.speed = speed + Double.random(in: 0...0.2, using: &random)
                fix.course = step % 3 == 0 ? nil : course
            }
            let sent = bench.transport.published.last { $0.topic.hasSuffix("location") }
            let report = try ReportJSON.decode(#require(sent).payload)
            #expect(bench.pipeline.reporting.prediction == Predictor(report.draft))
            compared += report.draft.bound == nil ? 0 : 1
        }
        #expect(compared == 400 && bench.transport.published.count > 40)
    }

    @Test func withoutRetainNothingIsRetained() throws {
        let bench = try Bench("mqtt: { retain: none }\n")
        bench.connect()
        bench.fix()
        #expect(bench.transport.published.count >= 2)
        #expect(bench.transport.published.allSatisfy { !$0.retain })
        #expect(!bench.pipeline.will(connection: 1).retain)
    }
}
