internal import Spelling

extension Program {
    /// What the arguments (without the program's own name) ask for.
    public func parse(_ arguments: [String]) -> Outcome {
        let scanned: ScannedArguments
        switch scan(arguments, options: [.help, .version], program: name, stopsAtOperand: true) {
        case .success(let result): scanned = result
        case .failure(let wrong): return usageError(wrong, options: [.help, .version], command: nil)
        }
        if let outcome = informative(scanned, command: nil) { return outcome }
        guard let word = scanned.operands.first else { return error("a command is missing", command: nil) }
        if word == "help" {
            guard let about = scanned.operands.dropFirst().first else { return .help(help()) }
            return command(about).map { .help(help(for: $0)) } ?? unknownCommand(about)
        }
        guard let command = command(word) else { return unknownCommand(word) }
        return parse(Array(scanned.operands.dropFirst()), for: command)
    }

    private func parse(_ arguments: [String], for command: Command) -> Outcome {
        let options = command.options + [.help, .version]
        let scanned: ScannedArguments
        switch scan(arguments, options: options, program: name, stopsAtOperand: false) {
        case .success(let result): scanned = result
        case .failure(let wrong): return usageError(wrong, options: options, command: command)
        }
        if let outcome = informative(scanned, command: command) { return outcome }

        var given: [String: [String]] = [:]
        for (index, argument) in scanned.options {
            let option = options[index]
            if given[option.name] != nil, !option.isRepeatable {
                return error("--\(option.name) is given twice", command: command)
            }
            if !option.choices.isEmpty, let argument, !option.choices.contains(argument) {
                let choices = option.choices.joined(separator: ", ")
                return error(
                    "--\(option.name) takes one of \(choices), not '\(printable(argument))'"
                        + suggestion(for: argument, in: option.choices), command: command)
            }
            given[option.name, default: []].append(argument ?? "")
        }
        if let missing = command.options.first(where: { $0.isRequired && given[$0.name] == nil }) {
            // An argument too many is most likely the option's.
            let lone = scanned.operands.count == command.operands.count + 1 ? scanned.operands.last : nil
            let hint = missing.argument == nil ? nil : lone.map { "; did you mean --\(missing.name) \(printable($0))?" }
            return error("\(missing.usage) is missing\(hint ?? "")", command: command)
        }
        if scanned.operands.count < command.operands.count {
            return error("\(command.operands[scanned.operands.count]) is missing", command: command)
        }
        if scanned.operands.count > command.operands.count {
            let surplus = scanned.operands[command.operands.count]
            return error("unexpected argument '\(printable(surplus))'", command: command)
        }
        return .run(Invocation(command: command.name, operands: scanned.operands, given: given))
    }

    private func command(_ name: String) -> Command? { commands.first { $0.name == name } }

    /// Help and version come before anything that may be missing.
    private func informative(_ scanned: ScannedArguments, command: Command?) -> Outcome? {
        let count = (command?.options ?? []).count
        for (index, _) in scanned.options where index >= count {
            if index > count { return .version("\(name) \(version)") }
            return .help(command.map { help(for: $0) } ?? help())
        }
        return nil
    }

    // MARK: Errors

    private func unknownCommand(_ word: String) -> Outcome {
        let names = commands.map(\.name)
        return error("unknown command '\(printable(word))'" + suggestion(for: word, in: names), command: nil)
    }

    private func usageError(_ wrong: WrongOption, options: [Option], command: Command?) -> Outcome {
        switch wrong {
        case .unknown(let text):
            let written = String(text.prefix { $0 != "=" })
            let names = options.map { "--" + $0.name }
            let matching = names.filter { $0.hasPrefix(written) }
            if matching.count > 1, written.hasPrefix("--") {
                return error(
                    "'\(printable(written))' may mean \(matching.joined(separator: " or "))", command: command)
            }
            return error(
                "unknown option '\(printable(written))'" + suggestion(for: written, in: names), command: command)
        case .takesNoArgument(let index):
            return error("--\(options[index].name) takes no argument", command: command)
        case .lacksArgument(let index):
            return error("\(options[index].usage): the argument is missing", command: command)
        }
    }

    private func suggestion(for word: String, in words: [String]) -> String {
        Spelling.nearest(to: word, in: words).map { "; did you mean \($0)?" } ?? ""
    }

    private func error(_ message: String, command: Command?) -> Outcome {
        let full = name + (command.map { " " + $0.name } ?? "")
        return .usageError("\(full): \(message)\nTry '\(full) --help'.")
    }
}

/// What was typed, without characters that a terminal would obey.
private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
}
