internal import WireText

/// One line for the log: a stable code for programs and a sentence for people. Holds no secret, and at info level and
/// above no coordinates.
struct LogEntry: Equatable, Sendable {
    var level: LogLevel
    var code: String
    var message: String

    init(_ level: LogLevel, _ code: String, _ message: String) {
        self.level = level
        self.code = code
        self.message = message
    }

    /// The line with its newline.
    ///
    /// - Parameter milliseconds: the wall clock.
    func line(_ format: LogFormat, at milliseconds: Int64) -> [UInt8] {
        var line: [UInt8] = []
        // The longest prefix with its timestamp, level and punctuation, and each byte escaped.
        let capacity = 128 + 6 * (code.utf8.count + message.utf8.count)
        line.append(addingCapacity: capacity) { output in
            switch format {
            case .text:
                output.append(timestamp: milliseconds)
                for byte in " \(level.rawValue) \(code): ".utf8 { output.append(byte) }
                // A line stays a line, whatever a library or a file put into the message.
                for byte in message.utf8 { output.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte) }
            case .json:
                output.append("{\"time\":\"")
                output.append(timestamp: milliseconds)
                output.append("\",\"level\":")
                output.append(json: level.rawValue)
                output.append(",\"code\":")
                output.append(json: code)
                output.append(",\"message\":")
                output.append(json: message)
                output.append("}")
            }
            output.append(UInt8(ascii: "\n"))
        }
        return line
    }
}
