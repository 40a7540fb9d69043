extension Program {
    private static let width = 80

    /// The help of the program as a whole.
    public func help() -> String {
        let rows = commands.map { ($0.name, $0.summary) }
        let options = [Option.help, .version].map { (Self.label($0), $0.help) }
        return """
            Usage: \(name) COMMAND [OPTION…]

            \(wrapped(summary, width: Self.width))

            Commands:
            \(table(rows))

            Options:
            \(table(options))

            Exit status:
            \(table(exitCodes.map { (String($0.rawValue), $0.meaning) }))

            '\(name) COMMAND --help' shows a command's options.

            """
    }

    /// The help of one command.
    public func help(for command: Command) -> String {
        let options = command.options + [.help, .version]
        let rows = options.map { (Self.label($0), help(of: $0)) }
        return """
            \(usage(of: command))

            \(wrapped(command.summary, width: Self.width))

            Options:
            \(table(rows))

            """
    }

    private func help(of option: Option) -> String {
        option.choices.isEmpty ? option.help : option.help + ": " + option.choices.joined(separator: ", ")
    }

    private func usage(of command: Command) -> String {
        let start = "Usage: \(name) \(command.name)"
        let parts =
            command.options.map { option in
                let usage = option.usage + (option.isRepeatable ? " …" : "")
                return option.isRequired ? usage : "[\(usage)]"
            } + command.operands
        var lines = [start]
        for part in parts {
            if lines[lines.count - 1].count + 1 + part.count > Self.width {
                lines.append(String(repeating: " ", count: 7) + part)
            } else {
                lines[lines.count - 1] += " " + part
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func label(_ option: Option) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + option.usage
    }

    /// Two columns; a label that is too long for its column has a line of its own.
    private func table(_ rows: [(label: String, text: String)]) -> String {
        let column = min(28, (rows.map(\.label.count).max() ?? 0) + 4)
        return rows.map { row in
            let label = "  " + row.label
            let text = wrapped(row.text, width: Self.width - column)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: "\n" + String(repeating: " ", count: column))
            let gap =
                label.count + 2 <= column
                ? String(repeating: " ", count: column - label.count)
                : "\n" + String(repeating: " ", count: column)
            return label + gap + text
        }.joined(separator: "\n")
    }
}

/// The text in lines of at most `width` characters, broken between words.
func wrapped(_ text: String, width: Int) -> String {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
        if let last = lines.last, last.count + 1 + word.count <= width {
            lines[lines.count - 1] = last + " " + word
        } else {
            lines.append(String(word))
        }
    }
    return lines.joined(separator: "\n")
}
