internal import FleetWire

/// What mosquitto_sub took down: lines of `RETAIN EXPIRY TOPIC PAYLOAD`.
struct CapturedMessages {
    private let text: [UInt8]
    let count: Int
    /// How many reports the messages carry.
    let reports: Int

    init(text: [UInt8]) {
        self.text = text
        count = text.count { $0 == UInt8(ascii: "\n") }
        reports = CapturedMessages.occurrences(of: Array(#""seq":"#.utf8), in: text)
    }

    /// The same with a message for each report, as a gateway that gathers nothing publishes: the batches taken apart.
    func takenApart(topic: String) throws(BenchmarkError) -> CapturedMessages {
        var lines: [UInt8] = []
        lines.reserveCapacity(2 * text.count)
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
            guard words.count == 4, words[2].elementsEqual("\(topic)/track".utf8) else {
                lines += line
                lines.append(UInt8(ascii: "\n"))
                continue
            }
            do throws(WireError) {
                for report in try TrackJSON.decode(Array(words[3])).reports {
                    lines += "0  \(topic)/location ".utf8
                    ReportJSON.encode(report, into: &lines)
                    lines.append(UInt8(ascii: "\n"))
                }
            } catch {
                throw BenchmarkError("a batch of the agent cannot be read: \(error)")
            }
        }
        return CapturedMessages(text: lines)
    }

    /// The lines as the C program reads them: `RETAIN QOS EXPIRY TOPIC PAYLOAD`.
    func lines(qos: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 2 * count)
        var isAtStart = true
        for byte in text {
            if isAtStart {
                isAtStart = false
                result.append(contentsOf: [byte, UInt8(ascii: " "), UInt8(ascii: "0") + UInt8(qos)])
                continue
            }
            result.append(byte)
            isAtStart = byte == UInt8(ascii: "\n")
        }
        return result
    }

    private static func occurrences(of pattern: [UInt8], in text: [UInt8]) -> Int {
        guard text.count >= pattern.count else { return 0 }
        var count = 0
        for start in 0...(text.count - pattern.count) where text[start] == pattern[0] {
            var matches = true
            for offset in pattern.indices where text[start + offset] != pattern[offset] {
                matches = false
                break
            }
            if matches { count += 1 }
        }
        return count
    }
}
