import FixcastTestKit
import Positioning
import Testing

@testable import LocationProviders

/// A recording is read as the live source was, by the times at which its bytes came.
@Suite struct RecordingReplayTests {
    let start = MonotonicInstant(nanoseconds: 0)

    enum Step {
        case bytes(Double, String)
        case event(Double, RecordingEvent)
    }

    func records(_ kind: RecordingKind, utc: UTCInstant? = noon, _ steps: [Step]) throws -> [LogRecord] {
        let writer = RecordingWriter(kind, start: start, utc: utc)
        var output: [UInt8] = []
        for step in steps {
            switch step {
            case .bytes(let second, let text):
                let bytes = Array(text.utf8)
                writer.append(bytes.span, at: start + .seconds(second), to: &output)
            case .event(let second, let event): writer.append(event, at: start + .seconds(second), to: &output)
            }
        }
        var parser = RecordingParser(
            RecordingReader.Header(kind: kind, utc: utc), common: CommonProviderSettings(), dates: .asRecorded)
        var splitter = LineSplitter(capacity: 65_536)
        var records: [LogRecord] = []
        _ = splitter.append(output.span)
        while let line = splitter.nextLine() { Self.read(line, splitter, &parser, &records) }
        parser.finish(into: &records)
        return records
    }

    static func read(
        _ line: Range<Int>, _ lines: borrowing LineSplitter, _ parser: inout RecordingParser,
        _ records: inout [LogRecord]
    ) {
        parser.read(lines.bytes.span, line, into: &records)
    }

    func rmc(_ time: String) -> String { nmea("GPRMC,\(time),A,5430.0,N,00330.0,E,1,,301126,,,A") }

    /// Seconds since noon, and what it is.
    func summary(_ records: [LogRecord]) -> [String] {
        records.map { record in
            let seconds = record.time.map { "\(($0 - noon).inSeconds)" } ?? "never"
            return switch record.event {
            case .fix(let location): "\(seconds) fix \(location.timestamp.map { "\(($0 - noon).inSeconds)" } ?? "-")"
            case .noFix: "\(seconds) noFix"
            case .lost: "\(seconds) lost"
            }
        }
    }

    @Test func sentencesInPiecesMakeEpochsThatEndByTheStreamsRhythm() throws {
        // The host's clock is five seconds late.
        let sentence = rmc("120005.00")
        let records = try records(
            .nmea,
            [
                .event(0, .connected), .bytes(0.1, String(sentence.prefix(20))),
                .bytes(0.15, String(sentence.dropFirst(20))),
                .bytes(9, rmc("120014.00")),
            ])
        #expect(records.count == 2)
        #expect(
            records.map { record -> UTCInstant? in
                if case .fix(let location) = record.event { location.timestamp } else { nil }
            } == [noon + 5.0, noon + 14.0])
        // Long before the next sentence ended it.
        let first = try #require(records.first?.time)
        #expect(first > noon + 0.1 && first < noon + 2.0)
    }

    @Test func aLostConnectionIsToldAndHalfALineIsForgotten() throws {
        let records = try records(
            .command,
            [
                .bytes(0, "{\"lat\":1,\"lon\":2}\n{\"lat\":3,"), .event(1, .disconnected), .event(2, .connected),
                .bytes(3, "\"lon\":4}\n{\"lat\":5,\"lon\":6}\n{\"fix\":\"none\"}\nnoise\n{\"error\":\"no modem\"}\n"),
            ])
        #expect(summary(records) == ["0.0 fix 0.0", "1.0 lost", "3.0 fix 3.0", "3.0 noFix"])
    }

    @Test func gpsdIsReadAsTheLiveProviderReadsIt() throws {
        func tpv(_ second: Int) -> String {
            "{\"class\":\"TPV\",\"mode\":3,\"eph\":9,\"time\":\"2026-11-30T12:00:\(second + 10).000Z\",\"lat\":54.5,\"lon\":3.5}\r\n"
        }
        let records = try records(
            .gpsd,
            [
                .event(0, .connected), .bytes(0, "{\"class\":\"VERSION\",\"proto_major\":3}\r\n"), .bytes(1, tpv(0)),
                .bytes(2, tpv(1) + "{\"class\":\"DEVICES\",\"devices\":[]}\n"), .event(5, .disconnected),
                .event(8, .connected), .bytes(9, tpv(8)), .bytes(25, "{\"class\":\"SKY\"}\n"),
            ])
        // After the last report gpsd kept silent for ten seconds.
        #expect(
            summary(records) == [
                "1.0 fix 10.0", "2.0 fix 11.0", "2.0 lost", "5.0 lost", "9.0 fix 18.0", "19.0 noFix",
            ])
    }

    @Test func withoutATrustedClockItStillHasItsPace() throws {
        let records = try records(
            .command, utc: nil, [.bytes(1, "{\"lat\":1,\"lon\":2}\n"), .bytes(3, "{\"lat\":1,\"lon\":2}\n")])
        #expect(records.map { $0.time?.milliseconds } == [1000, 3000])
        #expect(
            records.allSatisfy { if case .fix(let location) = $0.event { location.timestamp == nil } else { false } })
    }
}
