import FixcastTestKit
import FleetWire
import MessageTransport
import Positioning
import RemoteLocation
import Synchronization
import Testing

@Suite struct RemoteHistoryTests {
    private final class Sink<Element: Sendable>: Sendable {
        private let elements = Mutex<[Element]>([])
        func append(_ element: Element) { elements.withLock { $0.append(element) } }
        var all: [Element] { elements.withLock { $0 } }
    }

    /// A broker in memory with histories, and an agent played by the test.
    private final class Scene: Sendable {
        let broker = InMemoryBroker()
        let scheduler = ManualScheduler()
        let vehicle: VehicleID
        let root = TopicRoot.standard
        let agent: InMemoryTransport
        let commands = Sink<CommandMessage>()
        let raw = Sink<IncomingMessage>()

        init() throws {
            vehicle = try VehicleID("van")
            agent = InMemoryTransport(broker: broker, scheduler: scheduler)
            let (agent, topic, commands, raw) = (agent, root.commandTopic(of: vehicle), commands, raw)
            agent.start { event in
                switch event {
                case .connected: agent.subscribe([Subscription(topic)])
                case .message(let message):
                    raw.append(message)
                    if let command = try? CommandJSON.decode(message.payload) { commands.append(command) }
                default: break
                }
            }
            scheduler.runPending()
        }

        func history(_ subscriber: String?, into sink: Sink<HistoryReport>) throws -> (RemoteHistory, InMemoryTransport)
        {
            let transport = InMemoryTransport(broker: broker, scheduler: scheduler)
            let history = RemoteHistory(
                vehicle: vehicle, settings: HistorySettings(subscriber: try subscriber.map { try VehicleID($0) }),
                router: MessageRouter(transport: transport), scheduler: scheduler, deliver: { sink.append($0) })
            history.start()
            scheduler.runPending()
            return (history, transport)
        }

        func report(_ sequence: UInt64) -> Report {
            Report(
                identity: ReportIdentity(instance: "a", boot: 1, sequence: sequence),
                draft: ReportDraft(
                    location: Location(
                        coordinate: Coordinate(latitude: Double(sequence), longitude: 1), horizontalAccuracy: 5),
                    uptime: 1))
        }

        func live(_ sequence: UInt64) {
            var payload: [UInt8] = []
            ReportJSON.encode(report(sequence), into: &payload)
            publish(.location, payload)
        }

        func track(_ sequences: [UInt64]) {
            var payload: [UInt8] = []
            TrackJSON.encode(sequences.map(report), into: &payload)
            publish(.track, payload)
        }

        func say(last: UInt64? = nil) {
            var payload: [UInt8] = []
            AvailabilityJSON.encode(
                AvailabilityMessage(
                    vehicle: vehicle, instance: "a", boot: 1, connection: 1, last: last,
                    state: AvailabilityReport(availability: .available, link: .online),
                    clockOffset: UTCInstant(milliseconds: 7000)), into: &payload)
            publish(.availability, payload, retain: true)
        }

        func reply(_ command: CommandMessage, gone: Range<UInt64> = 0..<0) {
            var payload: [UInt8] = []
            ReplyJSON.encode(
                ReplyMessage(
                    id: command.id, outcome: .coming(first: nil, last: nil, gone: SequenceRanges(gone))), into: &payload
            )
            broker.publish(
                OutgoingMessage(topic: root.replyTopic(of: vehicle, to: command.subscriber), payload: payload))
            scheduler.runPending()
        }

        func publish(_ kind: TopicKind, _ payload: [UInt8], retain: Bool = false) {
            broker.publish(OutgoingMessage(topic: root.topic(kind, of: vehicle), payload: payload, retain: retain))
            scheduler.runPending()
        }
    }

    @Test func whatWasMissedComesByResendOrIsNamedAsGone() throws {
        let scene = try Scene()
        let sink = Sink<HistoryReport>()
        let (history, transport) = try scene.history("office", into: sink)
        scene.say()
        scene.live(1)
        transport.loseConnection()
        scene.scheduler.runPending()
        for sequence: UInt64 in 2...5 { scene.live(sequence) }
        transport.reconnect()
        scene.scheduler.runPending()
        scene.live(6)
        scene.live(6)
        scene.scheduler.advance(by: .seconds(10))
        let command = try #require(scene.commands.all.first)
        #expect(command.action == .resend(instance: "a", boot: 1, sequences: 2...5))
        #expect(command.subscriber.text == "office" && scene.raw.all.allSatisfy { !$0.retained })
        scene.reply(command, gone: 2..<3)
        scene.track([3, 4, 5])
        #expect(sink.all.map(\.report) == [1, 6, 3, 4, 5].map { scene.report($0) })
        #expect(sink.all.map(\.isLate) == [false, false, true, true, true])
        #expect(sink.all.allSatisfy { $0.time == UTCInstant(milliseconds: 8000) })
        #expect(history.completeness.first?.missing == [.init(sequences: 2...2, reason: .gone)])
        #expect(history.duplicates == 1)
        scene.scheduler.advance(by: .seconds(10_000))
        #expect(scene.commands.all.count == 1)
    }

    @Test func severalSubscribersAskForThemselvesAndEachGetsAllOnce() throws {
        let scene = try Scene()
        let (first, second) = (Sink<HistoryReport>(), Sink<HistoryReport>())
        let (one, _) = try scene.history("office", into: first)
        let (two, _) = try scene.history("garage", into: second)
        scene.say(last: 3)
        scene.scheduler.advance(by: .seconds(6))
        #expect(Set(scene.commands.all.map(\.subscriber.text)) == ["office", "garage"])
        for command in scene.commands.all { scene.reply(command) }
        scene.track([1, 2, 3])
        scene.track([1, 2, 3])
        for sink in [first, second] { #expect(sink.all.map(\.report.identity.sequence) == [1, 2, 3]) }
        #expect(one.completeness[0].hasAllKnown && two.completeness[0].hasAllKnown)
    }

    @Test func aReaderWithoutANamePublishesNothing() throws {
        let scene = try Scene()
        let sink = Sink<HistoryReport>()
        let (history, _) = try scene.history(nil, into: sink)
        scene.say(last: 3)
        scene.scheduler.advance(by: .seconds(10_000))
        #expect(scene.raw.all.isEmpty)
        #expect(history.completeness[0].missing == [.init(sequences: 1...3, reason: .cannotAsk)])
    }

    @Test func malformedMessagesLoseNothingElse() throws {
        let scene = try Scene()
        let sink = Sink<HistoryReport>()
        let (history, _) = try scene.history("office", into: sink)
        for kind in [TopicKind.location, .track, .availability, .health] { scene.publish(kind, Array("{\"v\":1".utf8)) }
        scene.broker.publish(
            OutgoingMessage(
                topic: scene.root.replyTopic(of: scene.vehicle, to: try VehicleID("office")), payload: [1, 2]))
        scene.live(1)
        #expect(history.malformed.values.reduce(0, +) == 5)
        #expect(sink.all.count == 1)
    }
}
