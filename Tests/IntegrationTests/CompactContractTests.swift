import FixcastTestKit
import FleetWire
import Foundation
import LocationProviders
import Positioning
import Testing

/// The compact form against code that `protoc` made from `fleet.proto`, in both directions.
@Suite struct CompactContractTests {
    private func compact(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        CompactTrack.encode(reports, into: &bytes)
        return bytes
    }

    private func json(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        TrackJSON.encode(reports, into: &bytes)
        return bytes
    }

    private func samples(_ count: Int, seed: UInt64) -> [Report] {
        var samples = ReportSamples(random: SeededGenerator(seed: seed))
        var sequence: UInt64 = 0
        return (0..<count).map { index in
            var report = samples.next()
            sequence += index.isMultiple(of: 5) ? 3 : 1
            report.identity = ReportIdentity(instance: "k3f9a2", boot: 17, sequence: sequence)
            return report
        }
    }

    /// What differs in spelling alone is left out: Python writes a user's own values its own way.
    private func withoutSpelling(_ message: TrackMessage) -> TrackMessage {
        var message = message
        for index in message.reports.indices {
            guard let values = message.reports[index].location.passedValues,
                let object = try? JSONSerialization.jsonObject(with: Data(values.json)),
                let plain = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
            else { continue }
            message.reports[index].draft.location.passedValues = PassedValues(json: [UInt8](plain))
        }
        return message
    }

    private func holds(_ batches: [[Report]]) async throws {
        let peer = try await ProtobufPeer()
        let read = try await peer.json(of: batches.map(compact))
        for (batch, payload) in zip(batches, read) {
            try #require(try TrackJSON.decode(payload) == TrackJSON.decode(json(batch)))
        }
        let written = try await peer.compact(of: batches.map(json))
        for (batch, payload) in zip(batches, written) {
            let message = withoutSpelling(try CompactTrack.decode(payload))
            try #require(message == withoutSpelling(try TrackJSON.decode(json(batch))))
        }
    }

    @Test(.enabled(ProtobufPeer.missing) { try await ProtobufPeer.isInstalled() })
    func generatedCodeReadsWhatWeWriteAndWeReadWhatItWrites() async throws {
        var large = ReportSamples.full
        large.draft.location.altitude = 0x1p60
        large.identity.sequence = 2
        try await holds(
            [[ReportSamples.full], samples(1, seed: 1), samples(60, seed: 2), samples(300, seed: 3), [large]]
                + (10..<30 as Range<UInt64>).map { samples(7, seed: $0) })
    }

    @Test(
        .enabled(if: RealData.directory != nil, "\(RealData.missing)"),
        .enabled(ProtobufPeer.missing) { try await ProtobufPeer.isInstalled() })
    func realDrivesSurviveGeneratedCode() async throws {
        var batches: [[Report]] = []
        for name in try RealData.names(in: "tracks/csv", suffix: ".csv") {
            let path = try #require(RealData.directory).appendingPathComponent(name).path
            let reports = try LocationLog.locations(in: path).prefix(600).enumerated().map { index, location in
                var draft = ReportDraft(location: location, trigger: .interval, due: 75)
                draft.location.unreliable.formUnion(draft.location.intrinsicUnreliability)
                draft.roundToWireResolution()
                return Report(
                    identity: ReportIdentity(instance: "k3f9a2", boot: 1, sequence: UInt64(index + 1)), draft: draft)
            }
            for start in stride(from: 0, to: reports.count, by: 60) {
                batches.append(Array(reports[start..<min(start + 60, reports.count)]))
            }
        }
        try #require(batches.count > 30)
        try await holds(batches)
    }
}
