import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

@Suite struct CompactTrackTests {
    private func encoded(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        CompactTrack.encode(reports, into: &bytes)
        return bytes
    }

    /// What the JSON form of the same reports is read as.
    private func throughJSON(_ reports: [Report]) throws -> TrackMessage {
        var bytes: [UInt8] = []
        TrackJSON.encode(reports, into: &bytes)
        return try TrackJSON.decode(bytes)
    }

    private func batch(_ count: Int, seed: UInt64) -> [Report] {
        var samples = ReportSamples(random: SeededGenerator(seed: seed))
        var random = SeededGenerator(seed: seed &+ 1000)
        var sequence: UInt64 = 1
        return (0..<count).map { _ in
            var report = samples.next()
            report.identity = ReportIdentity(instance: "k3f9a2", boot: 17, sequence: sequence)
            sequence += Bool.random(using: &random) ? 1 : UInt64.random(in: 1...1000, using: &random)
            return report
        }
    }

    /// A batch as drives make it: most properties all along or not at all.
    private func drive(_ count: Int) -> [Report] {
        (0..<count).map { index in
            var report = ReportSamples.full
            report.identity.sequence = UInt64(4711 + index)
            report.draft.location.timestamp = UTCInstant(milliseconds: 1_796_010_000_200 + Int64(index) * 1000)
            report.draft.location.coordinate.latitude += Double(index * 1200) / 1e7
            report.draft.roundToWireResolution()
            return report
        }
    }

    @Test func carriesWhatTheJSONFormCarries() throws {
        for seed in 0..<200 as Range<UInt64> {
            let reports = batch(Int(seed) * 2 + 1, seed: seed)
            let message = try CompactTrack.decode(encoded(reports))
            try #require(message == TrackMessage(instance: "k3f9a2", boot: 17, reports: reports))
            let json = try throughJSON(reports)
            try #require(message == json)
        }
    }

    @Test func roundsAsTheJSONFormDoes() throws {
        var random = SeededGenerator(seed: 3)
        func number() -> Double? {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: nil
            case 1: [.nan, .infinity, -.infinity, -0.0, 0, -1, 1e-9, 1e300, -1e300].randomElement(using: &random)!
            // From where on units reach 2^53, and around.
            case 2: Double.random(in: 1e8...1e17, using: &random)
            // Ties.
            case 3: Double(Int.random(in: 0...100_000, using: &random)) / 16
            default: Double.random(in: -1...400, using: &random)
            }
        }
        for seed in 0..<400 as Range<UInt64> {
            var reports = batch(20, seed: seed)
            for index in reports.indices {
                var draft = reports[index].draft
                draft.location.coordinate = Coordinate(latitude: number() ?? .nan, longitude: number() ?? .nan)
                draft.location.horizontalAccuracy = number()
                draft.location.altitude = number()
                draft.location.verticalAccuracy = number()
                draft.location.speed = number()
                draft.location.speedAccuracy = number()
                draft.location.course = number()
                draft.location.courseAccuracy = number()
                draft.location.hdop = number()
                draft.due = number()
                draft.bound = number()
                draft.uptime = number()
                draft.predictionVelocity = Velocity(north: number() ?? .nan, east: number() ?? 0)
                draft.location.satellitesUsed = [-1, 0, 10_001, Int.max].randomElement(using: &random)!
                draft.location.timestamp = UTCInstant(milliseconds: Int64.random(in: .min...(.max), using: &random))
                draft.location.passedValues = PassedValues(
                    json: Array(["{} \n", "{", "[1]", "{}{}", "{\"a\":1}"].randomElement(using: &random)!.utf8))
                reports[index].draft = draft
            }
            let json = try throughJSON(reports)
            let compact = try CompactTrack.decode(encoded(reports))
            try #require(compact.reports.map(\.identity) == json.reports.map(\.identity))
            try #require(compact.refused == json.refused)
            for (a, b) in zip(compact.reports, json.reports) {
                // A coordinate that is none equals itself nowhere.
                try #require(a.location.coordinate.latitude.isNaN == b.location.coordinate.latitude.isNaN)
                guard !a.location.coordinate.latitude.isNaN else { continue }
                try #require(a == b)
            }
        }
    }

    @Test func anUnplacedReportKeepsItsReason() throws {
        var report = ReportSamples.full
        report.draft.location.coordinate = Coordinate(latitude: .nan, longitude: 5)
        #expect(
            try CompactTrack.decode(encoded([report])).refused == [WireError(.missing, in: .track, key: "lat")])
        report.draft.location.unreliable = .coordinate
        let read = try CompactTrack.decode(encoded([ReportSamples.full, report]))
        #expect(read.refused.isEmpty && read.reports[0] == ReportSamples.full)
        #expect(
            read.reports[1].location.coordinate.longitude.isNaN && read.reports[1].location.unreliable == .coordinate)
    }

    @Test func isSmall() {
        #expect(encoded(drive(60)).count < 60 * 4 + 110)
        #expect(encoded(drive(60)).count < encoded(drive(1)).count * 5)
    }

    @Test func aFullBatchFits() throws {
        let reports = drive(CompactTrack.reportLimit)
        let bytes = encoded(reports)
        #expect(bytes.count < CompactTrack.sizeLimit)
        #expect(try CompactTrack.decode(bytes).reports == reports)
    }

    @Test func beginsOtherwiseThanJSON() {
        #expect(encoded(drive(1)).prefix(2) == [0x08, 1])
    }

    // MARK: Either form

    @Test func theFirstByteTellsTheFormsApart() throws {
        let reports = drive(3)
        var json: [UInt8] = []
        TrackJSON.encode(reports, into: &json)
        let expected = TrackMessage(instance: "k3f9a2", boot: 17, reports: reports)
        #expect(try TrackMessage(payload: json) == expected)
        #expect(try TrackMessage(payload: encoded(reports)) == expected)
        json = []
        ReportJSON.encode(reports[0], into: &json)
        #expect(try Report(payload: json) == reports[0])
        #expect(try Report(payload: encoded([reports[0]])) == reports[0])
        #expect(throws: WireError(.value, in: .report, key: "count")) { try Report(payload: encoded(reports)) }
        #expect(throws: WireError(.encoding, in: .report)) { try Report(payload: Array("home".utf8)) }
        #expect(throws: WireError(.encoding, in: .track)) { try TrackMessage(payload: Array("home".utf8)) }
        #expect(throws: WireError(.empty, in: .track)) { try TrackMessage(payload: []) }
    }

    // MARK: Damaged and hostile input

    private func field(_ number: Int, _ value: UInt64) -> [UInt8] { varint(UInt64(number) << 3) + varint(value) }

    private func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(UInt64(number) << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    private func head(count: UInt64) -> [UInt8] {
        field(1, 1) + field(2, [0x69]) + field(3, 1) + field(4, 1) + field(5, count)
    }

    /// A place for each of so many reports: 0, 0, which is a place.
    private func place(_ count: UInt64) -> [UInt8] {
        let column = field(2, [0]) + field(3, varint(count))
        return field(7, column) + field(8, column)
    }

    private func code(_ bytes: [UInt8]) -> WireError? {
        do {
            _ = try CompactTrack.decode(bytes)
            return nil
        } catch { return error }
    }

    @Test func readsWhatAnotherWriterMayWrite() throws {
        // Unpacked numbers, unknown fields of each kind, an empty column, the last of two columns.
        let speed = [field(2, 20), field(2, 20), field(99, 1), varint(99 << 3 | 5) + [1, 2, 3, 4]].flatMap { $0 }
        let bytes =
            head(count: 2) + place(2) + field(9, field(2, [9]) + field(1, [9, 9])) + field(9, speed) + field(10, [])
            + field(200, [1, 2, 3]) + varint(201 << 3 | 1) + [UInt8](repeating: 7, count: 8)
        let message = try CompactTrack.decode(bytes)
        #expect(message.reports.map(\.location.speed) == [0.1, 0.2])
        #expect(message.reports.map(\.location.course) == [nil, nil])
        #expect(message.reports.map(\.identity.sequence) == [1, 2])
    }

    @Test func saysWhatIsMissing() {
        let parts = [(1, field(1, 1)), (2, field(2, [0x69])), (3, field(3, 1)), (4, field(4, 1)), (5, field(5, 1))]
        for (left, key) in [(1, "v"), (2, "inst"), (3, "boot"), (4, "seq"), (5, "count")] {
            let bytes = parts.filter { $0.0 != left }.flatMap { $0.1 } + place(1)
            #expect(code(bytes) == WireError(.missing, in: .track, key: key))
        }
        #expect(code(head(count: 1) + place(1)) == nil)
    }

    @Test func aNewerVersionIsNamedWhateverElseIsWrong() {
        #expect(code(field(1, 2) + [0xFF]) == WireError(.version, in: .track, key: "v"))
        #expect(code(field(1, 7)) == WireError(.version, in: .track, key: "v"))
    }

    @Test func impossibleColumnsAreRefused() {
        func speed(_ column: [UInt8]) -> WireError? { code(head(count: 3) + place(3) + field(9, column)) }
        let wrong = WireError(.value, in: .track, key: "speed")
        #expect(speed(field(2, [0, 0, 0])) == nil)
        #expect(speed(field(2, [0, 0])) == wrong)
        #expect(speed(field(2, [0, 0, 0, 0])) == wrong)
        #expect(speed(field(1, [1]) + field(2, [0])) == nil)
        #expect(speed(field(1, [0, 1, 2]) + field(2, [0, 0])) == nil)
        #expect(speed(field(1, [0, 1, 3]) + field(2, [0, 0, 0])) == wrong)
        #expect(speed(field(1, varint(.max)) + field(2, [0, 0, 0])) == wrong)
        #expect(speed(field(2, [0]) + field(3, [3])) == nil)
        #expect(speed(field(2, [0]) + field(3, [4])) == wrong)
        #expect(speed(field(2, [0]) + field(3, varint(1 << 62))) == wrong)
        #expect(speed(field(2, [0, 0]) + field(3, [3, 0])) == wrong)
        #expect(speed(field(2, [0, 0, 0]) + field(3, [3])) == wrong)
        #expect(speed(field(2, [0, 0, 0]) + field(4, 3)) == wrong)
        #expect(speed(field(2, [0, 0, 0]) + field(5, 10)) == wrong)
        #expect(speed(field(2, varint(1 << 54) + [0, 0])) == wrong)
        #expect(speed(field(2, varint(.max) + varint(.max) + [0])) == wrong)
        #expect(speed(field(6, [0])) == wrong)
        #expect(speed(field(2, [0x80])) == wrong)
        #expect(speed([0x0B]) == wrong)
    }

    @Test func numbersThatTheirKeyCannotMeanAreUnknown() throws {
        let bytes =
            head(count: 1) + place(1) + field(9, field(2, [1])) + field(10, field(2, varint(8000)))
            + field(11, field(2, [0])) + field(18, field(2, [99])) + field(19, field(2, [1]))
            + field(22, field(2, [99]))
            + field(28, field(2, varint(128)))
        let location = try CompactTrack.decode(bytes).reports[0].location
        #expect(location.speed == nil && location.course == nil && location.horizontalAccuracy == nil)
        #expect(location.fix == .unknown && location.satellitesUsed == nil)
        #expect(location.unreliable == [.other, .accuracy])
    }

    @Test func oneBadReportLosesNoOther() throws {
        let infinite = (0..<8).map { UInt8(truncatingIfNeeded: Double.infinity.bitPattern >> UInt64(8 * $0)) }
        let words = field(1, Array("{}".utf8)) + field(1, Array("[]".utf8)) + field(2, field(2, [0, 2, 2, 0]))
        let bytes =
            head(count: 4) + place(4) + field(9, field(1, [0, 3, 1]) + field(6, infinite)) + field(31, words)
            + field(6, field(1, [1]) + field(2, varint(1 << 51)))
        let message = try CompactTrack.decode(bytes)
        #expect(message.reports.map(\.identity.sequence) == [])
        #expect(message.refused.map(\.key) == ["time", "ext", "ext", "speed"])
    }

    @Test func sequencesStayWithinTheirNumbers() {
        let most = UInt64(Int64.max)
        let start = field(1, 1) + field(2, [0x69]) + field(3, 1) + field(5, 2)
        #expect(code(start + field(4, most) + place(2)) == WireError(.value, in: .track, key: "gap"))
        #expect(code(start + field(4, most + 1) + place(2)) == WireError(.value, in: .track, key: "seq"))
        // Back behind the first.
        #expect(
            code(start + field(4, 1) + place(2) + field(16, field(1, [0, 1, 1]) + field(2, [3])))
                == WireError(.value, in: .track, key: "gap"))
    }

    @Test func aFewBytesNeverBecomeMuch() {
        #expect(code(head(count: 10_001) + place(10_001)) == WireError(.size, in: .track, key: "count"))
        #expect(code(head(count: .max)) == WireError(.size, in: .track, key: "count"))
        #expect(code([UInt8](repeating: 0, count: CompactTrack.sizeLimit + 1)) == WireError(.size, in: .track))
        // As many columns, runs and words as fit are refused or passed over, each in its own bytes' time.
        let columns = [[UInt8]](repeating: field(9, field(2, [0]) + field(3, varint(10_000))), count: 80_000)
        #expect(code(head(count: 10_000) + place(10_000) + columns.joined()) == nil)
        let runs = field(9, field(1, [UInt8](repeating: 0, count: 1_000_000)))
        #expect(code(head(count: 10_000) + place(10_000) + runs) == WireError(.value, in: .track, key: "speed"))
        let words = field(30, [UInt8]([[UInt8]](repeating: field(1, []), count: 400_000).joined()))
        #expect(code(head(count: 10_000) + place(10_000) + words) == WireError(.value, in: .track, key: "src"))
    }

    /// A short run of what deploy/fuzz does for long: the reader keeps its promises, or ``TrackCheck`` traps.
    @Test func keepsItsPromisesOverDamagedPayloads() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("FuzzSeeds/track")
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        #expect(seeds.count > 2)
        for seed in seeds { #expect(TrackCheck.read(seed.span) > 0) }
        var random = SeededGenerator(seed: 5)
        let payloads = (0..<20 as Range<UInt64>).map { encoded(batch(8, seed: $0)) } + seeds
        var (read, refused) = (0, 0)
        for index in 0..<4000 {
            var mutated = payloads.randomElement(using: &random)!
            if index.isMultiple(of: 2) {
                mutated = mutate(mutated, &random)
            } else {
                mutated[Int.random(in: 0..<mutated.count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            if TrackCheck.read(mutated.span) > 0 { read += 1 } else { refused += 1 }
        }
        #expect(read > 300 && refused > 1000, "\(read) read, \(refused) refused")
    }
}
