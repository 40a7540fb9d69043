import FixcastTestKit
import Positioning
import Testing

@testable import LocationProviders

@Suite struct RecordingTests {
    let start = MonotonicInstant(nanoseconds: 77_000_000_000)

    func text(_ kind: RecordingKind = .nmea, utc: UTCInstant? = noon, _ body: (RecordingWriter, inout [UInt8]) -> Void)
        -> String
    {
        let writer = RecordingWriter(kind, start: start, utc: utc)
        var output: [UInt8] = []
        writer.begin(&output)
        body(writer, &output)
        return String(decoding: output, as: UTF8.self)
    }

    func append(_ bytes: [UInt8], after delay: Duration, by writer: RecordingWriter, to output: inout [UInt8]) {
        writer.append(bytes.span, at: start + delay, to: &output)
    }

    /// The lines of a recording as they are read back.
    func read(_ text: String) -> (lines: [String], damaged: UInt64) {
        var (reader, found) = (RecordingReader(), [String]())
        lines(Array(text.utf8), piece: 4096, capacity: 65_536) { bytes, line in
            switch reader.read(bytes, line) {
            case .data: found.append("\(reader.elapsed) \(reader.bytes)")
            case .event(let event): found.append("\(reader.elapsed) \(event)")
            case nil: break
            }
        }
        return (found, reader.damagedLines)
    }

    func header(_ text: String) throws -> RecordingReader.Header? {
        let bytes = Array(text.utf8)
        return try RecordingReader.header(bytes.span, 0..<bytes.count)
    }

    @Test func itIsTextThatPeopleCanRead() {
        let text = text { writer, output in
            append(Array("$GPRMC,1*00\r\n".utf8), after: .zero, by: writer, to: &output)
            writer.append(.disconnected, at: start + .milliseconds(12_500), to: &output)
            append([], after: .zero, by: writer, to: &output)
            append([0x21, 0x21, 0x5C, 9, 0, 0x7F, 0xFF, 0x20], after: .microseconds(7), by: writer, to: &output)
        }
        #expect(
            text == """
                fixcast-recording 1 nmea 2026-11-30T12:00:00.000Z
                0.000000 $GPRMC,1*00\\r\\n
                12.500000 !disconnected
                0.000007 \\x21!\\\\\\t\\x00\\x7F\\xFF\u{20}

                """)
        #expect(self.text(.command, utc: nil) { _, _ in } == "fixcast-recording 1 command -\n")
    }

    @Test func whatIsWrittenIsReadBack() {
        var random = FixcastTestKit.SeededGenerator(seed: 3)
        var (expected, now) = ([String](), start)
        let text = text { writer, output in
            for _ in 0..<200 {
                now = now + .microseconds(Int64.random(in: 0..<5_000_000, using: &random))
                let elapsed = (now - start).wholeNanoseconds
                if Int.random(in: 0..<8, using: &random) == 0 {
                    writer.append(.connected, at: now, to: &output)
                    expected.append("\(elapsed) connected")
                } else {
                    let bytes = (0...Int.random(in: 0..<40, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    append(bytes, after: now - start, by: writer, to: &output)
                    expected.append("\(elapsed) \(bytes)")
                }
            }
        }
        let body = text.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
        #expect(read(body).lines == expected)
        #expect(read(body).damaged == 0)
    }

    @Test func muchAtOnceBecomesSeveralLinesOfOneTime() {
        let text = text { writer, output in
            append([UInt8](repeating: 0xAA, count: 10_000), after: .seconds(1), by: writer, to: &output)
        }
        let lines = text.split(separator: "\n").dropFirst()
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasPrefix("1.000000 ") })
        #expect(lines.map { ($0.count - 9) / 4 }.reduce(0, +) == 10_000)
    }

    @Test func damagedLinesAreLeftOutAndTimeNeverGoesBack() {
        let (found, damaged) = read(
            "1.5 A\nnonsense\n2.000000\n2.0 \\q\n2.0 \\x2\n2.0 B\\\n.5 C\n99999999999999999999 D\n2.0 !exploded\n3.000000 E\n1.000000 F\n4.000000 \n"
        )
        #expect(
            found == [
                "1500000000 [65]", "3000000000 [69]", "3000000000 [70]", "4000000000 []",
            ])
        #expect(damaged == 8)
    }

    @Test func theFirstLineTellsKindAndTime() throws {
        #expect(
            try header("fixcast-recording 1 gpsd 2026-11-30T12:00:00.000Z")
                == RecordingReader.Header(kind: .gpsd, utc: noon))
        #expect(try header("fixcast-recording 1 command -") == RecordingReader.Header(kind: .command, utc: nil))
        #expect(try header("fixcast-recording 1 nmea") == RecordingReader.Header(kind: .nmea, utc: nil))
        for wrong in ["", "fixcast-recording", "fixcast-recording 1", "fixcast-recording 1 ais -", "fixcast 1 nmea -"] {
            #expect(try header(wrong) == nil)
        }
        #expect(throws: RecordingReader.UnknownVersion()) { try header("fixcast-recording 2 nmea -") }
    }
}
