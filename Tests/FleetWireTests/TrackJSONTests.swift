import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@Suite struct TrackJSONTests {
    private func encoded(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        TrackJSON.encode(reports, into: &bytes)
        return bytes
    }

    private func batch(_ count: Int, seed: UInt64) -> [Report] {
        var samples = ReportSamples(random: SeededGenerator(seed: seed))
        return (1...count).map { index in
            var report = samples.next()
            report.identity = ReportIdentity(instance: "k3f9a2", boot: 17, sequence: UInt64(index))
            return report
        }
    }

    @Test func roundTrips() throws {
        for seed in 0..<50 as Range<UInt64> {
            let reports = batch(Int(seed) * 3 + 1, seed: seed)
            let message = try TrackJSON.decode(encoded(reports))
            #expect(message == TrackMessage(instance: "k3f9a2", boot: 17, reports: reports))
        }
    }

    @Test func hasTheFormOfTheContract() throws {
        let payload = encoded(batch(2, seed: 1))
        let object = try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        #expect(Set(object.keys) == ["v", "inst", "boot", "reports"])
        for report in try #require(object["reports"] as? [[String: Any]]) {
            #expect(report["seq"] != nil && report["v"] == nil && report["inst"] == nil && report["boot"] == nil)
        }
    }

    @Test func oneBadReportLosesNoOther() throws {
        let text =
            #"{"reports":[{"seq":1,"lat":1,"lon":2},{"seq":2,"lat":"1","lon":2,"ext":{"a":[1]}},7,{"seq":3,"lat":1},{"seq":4,"unreliable":["noFix",5],"lat":1,"lon":2},{"seq":5,"lat":3,"lon":4,"bound":1e999},{"seq":6,"lat":5,"lon":6}],"v":1,"inst":"i","boot":2}"#
        let message = try TrackJSON.decode(Array(text.utf8))
        #expect(message.reports.map(\.identity) == [1, 6].map { ReportIdentity(instance: "i", boot: 2, sequence: $0) })
        #expect(
            message.refused == [
                WireError(.type, in: .track, key: "lat"), WireError(.type, in: .track),
                WireError(.missing, in: .track, key: "lon"),
                WireError(.type, in: .track, key: "unreliable"), WireError(.value, in: .track, key: "bound"),
            ])
    }

    @Test func whatIsMalformedIsRefusedAsAWhole() {
        #expect(throws: WireError(.syntax, in: .track)) {
            try TrackJSON.decode(
                Array(#"{"v":1,"inst":"i","boot":2,"reports":[{"seq":1,"lat":1,"lon":2},{"seq":2,]}"#.utf8))
        }
        #expect(throws: WireError(.version, in: .track, key: "v")) {
            try TrackJSON.decode(Array(#"{"inst":"i","boot":2,"reports":{},"v":3}"#.utf8))
        }
        #expect(throws: WireError(.missing, in: .track, key: "reports")) {
            try TrackJSON.decode(Array(#"{"v":1,"inst":"i","boot":2}"#.utf8))
        }
    }

    @Test func neverTrapsOnMutatedPayloads() {
        var random = SeededGenerator(seed: 5)
        let payload = encoded(batch(4, seed: 9))
        var refused = 0
        for _ in 0..<5000 {
            let mutated = mutate(payload, &random)
            if let message = try? TrackJSON.decode(mutated) { refused += message.refused.count } else { refused += 1 }
        }
        #expect(refused > 1000)
    }
}
