import Testing

@testable import FixcastAgent

@Suite struct LogTests {
    private func text(_ entry: LogEntry, _ format: LogFormat) -> String {
        String(decoding: entry.line(format, at: 1_796_010_000_200), as: UTF8.self)
    }

    @Test func aLineIsALineInBothFormats() {
        let entry = LogEntry(.warning, "code", "a \"quoted\"\nsecond\u{7F} ü")
        #expect(text(entry, .text) == "2026-11-30T03:40:00.200Z warning code: a \"quoted\" second  ü\n")
        #expect(
            text(entry, .json)
                == "{\"time\":\"2026-11-30T03:40:00.200Z\",\"level\":\"warning\",\"code\":\"code\",\"message\":\"a \\\"quoted\\\"\\nsecond\u{7F} ü\"}\n"
        )
    }

    @Test func repeatsAreCountedNotWritten() {
        var filter = RepeatFilter()
        let entry = LogEntry(.warning, "lost", "gone")
        let other = LogEntry(.info, "found", "back")
        #expect(filter.pass(entry, now: 0) == entry)
        #expect(filter.pass(entry, now: 1) == nil)
        #expect(filter.pass(other, now: 2) == other)
        #expect(filter.pass(entry, now: 3) == nil)
        let later = filter.pass(entry, now: 60_000_000_000)
        #expect(later?.message == "gone (2 times more since the last line)")
        #expect(filter.pass(LogEntry(.warning, "lost", "differently"), now: 60_000_000_001)?.message == "differently")
    }

    @Test func theLevelIsAFloor() {
        var lines: [[UInt8]] = []
        let log = AgentLog(level: .warning, format: .text) { lines.append($0) }
        log(.debug, "a", "")
        log(.info, "b", "")
        log(.warning, "c", "")
        log(.error, "d", "")
        #expect(lines.count == 2)
    }
}
