import FleetWire
import Positioning
import Testing

@Suite struct CommandJSONTests {
    private let app = try! VehicleID("app-1")

    @Test func theExamplesOfTheContractAreRead() throws {
        let locate = #"{"v":1,"id":"a1","action":"locate","reply":"app-1"}"#
        #expect(
            try CommandJSON.decode(Array(locate.utf8))
                == CommandMessage(id: VehicleID("a1"), action: .locate, subscriber: app))
        let resend = #"{"v":1,"id":"a2","action":"resend","inst":"k3f9a2","boot":17,"from":3,"to":9,"reply":"app-1"}"#
        let message = CommandMessage(
            id: try VehicleID("a2"), action: .resend(instance: "k3f9a2", boot: 17, sequences: 3...9), subscriber: app)
        #expect(try CommandJSON.decode(Array(resend.utf8)) == message)
        var bytes: [UInt8] = []
        CommandJSON.encode(message, into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == resend)
    }

    @Test(arguments: [
        (#"{"v":1,"id":"a","action":"reboot","reply":"s"}"#, WireError.Code.value),
        (#"{"v":1,"id":"a","action":"locate"}"#, .missing), (#"{"v":1,"action":"locate","reply":"s"}"#, .missing),
        (#"{"v":1,"id":"a","action":"locate","reply":"../x"}"#, .value),
        (#"{"v":1,"id":"a","action":"resend","inst":"i","boot":1,"from":9,"to":3,"reply":"s"}"#, .missing),
        (#"{"v":1,"id":"a","action":"resend","inst":"i","boot":1,"from":0,"to":3,"reply":"s"}"#, .value),
        (#"{"v":2,"id":"a","action":"locate","reply":"s"}"#, .version), ("", .empty),
    ])
    func halfACommandIsNone(text: String, code: WireError.Code) {
        #expect { try CommandJSON.decode(Array(text.utf8)) } throws: { ($0 as? WireError)?.code == code }
    }

    @Test func repliesComeBackAsTheyWere() throws {
        var gone = SequenceRanges(1..<4)
        gone.insert(9..<10)
        let outcomes: [ReplyMessage.Outcome] = [
            .coming(first: 4, last: 12, gone: gone), .coming(first: nil, last: nil, gone: SequenceRanges(1..<3)),
            .coming(first: 1, last: 1, gone: SequenceRanges()), .refused(.budget, message: "used up"),
        ]
        for outcome in outcomes {
            let message = ReplyMessage(id: try VehicleID("a2"), outcome: outcome)
            var bytes: [UInt8] = []
            ReplyJSON.encode(message, into: &bytes)
            #expect(try ReplyJSON.decode(bytes) == message)
        }
        let text = #"{"v":1,"id":"a2","ok":true,"first":4,"last":12,"gone":[[1,3],[9,9]]}"#
        #expect(
            try ReplyJSON.decode(Array(text.utf8)) == ReplyMessage(id: VehicleID("a2"), outcome: outcomes[0]))
    }

    @Test func aReplyNamesOnlySoManyRanges() throws {
        var gone = SequenceRanges()
        for number: UInt64 in 1...500 { gone.insert(number * 1_000_000_000..<number * 1_000_000_000 + 1) }
        var bytes: [UInt8] = []
        ReplyJSON.encode(
            ReplyMessage(id: app, outcome: .coming(first: nil, last: nil, gone: gone)), into: &bytes)
        guard case .coming(_, _, let told) = try ReplyJSON.decode(bytes).outcome else {
            Issue.record("refused")
            return
        }
        #expect(told.ranges.count == ReplyMessage.goneLimit)
    }

    @Test func topicsNameTheSubscriber() throws {
        let (root, van) = (try TopicRoot("eu/{vehicle}/gps"), try VehicleID("van"))
        #expect(root.commandTopic(of: van) == "eu/van/gps/command")
        #expect(root.replyTopic(of: van, to: app) == "eu/van/gps/reply/app-1")
    }
}
