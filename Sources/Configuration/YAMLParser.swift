internal import CYAML

/// Hands what libyaml finds in `bytes` to `builder`, until the end, an error or the builder's refusal.
///
/// libyaml keeps no recursion and no memory beyond its parser, which lives as long as this call.
func parseYAML(_ bytes: [UInt8], into builder: inout TreeBuilder) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    let event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
    defer {
        unsafe parser.deallocate()
        unsafe event.deallocate()
    }
    guard unsafe yaml_parser_initialize(parser) == 1 else {
        builder.syntaxError("cannot be read: out of memory", at: .init(line: 1, column: 1))
        return
    }
    defer { unsafe yaml_parser_delete(parser) }
    unsafe bytes.withUnsafeBufferPointer { buffer in
        // libyaml wants an address even for no bytes.
        var nothing: UInt8 = 0
        unsafe withUnsafePointer(to: &nothing) { nothing in
            unsafe yaml_parser_set_input_string(parser, buffer.baseAddress ?? nothing, buffer.count)
            var goesOn = true
            while goesOn {
                guard unsafe yaml_parser_parse(parser, event) == 1 else {
                    unsafe builder.syntaxError(errorMessage(parser, bytes), at: errorPosition(parser))
                    return
                }
                goesOn = unsafe deliver(event, to: &builder)
                unsafe yaml_event_delete(event)
            }
        }
    }
}

private func deliver(_ event: UnsafeMutablePointer<yaml_event_t>, to builder: inout TreeBuilder) -> Bool {
    let position = unsafe TreeBuilder.Position(event.pointee.start_mark)
    switch unsafe event.pointee.type {
    case YAML_DOCUMENT_START_EVENT:
        return builder.documentStarts(at: position)
    case YAML_ALIAS_EVENT:
        return unsafe builder.alias(string(event.pointee.data.alias.anchor) ?? "", at: position)
    case YAML_SCALAR_EVENT:
        let scalar = unsafe event.pointee.data.scalar
        let text = unsafe String(
            decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let decoration = unsafe TreeBuilder.Decoration(anchor: string(scalar.anchor), tag: string(scalar.tag))
        return unsafe builder.scalar(
            text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, decoration, at: position)
    case YAML_SEQUENCE_START_EVENT:
        let start = unsafe event.pointee.data.sequence_start
        let decoration = unsafe TreeBuilder.Decoration(anchor: string(start.anchor), tag: string(start.tag))
        return builder.sequenceStarts(decoration, at: position)
    case YAML_MAPPING_START_EVENT:
        let start = unsafe event.pointee.data.mapping_start
        let decoration = unsafe TreeBuilder.Decoration(anchor: string(start.anchor), tag: string(start.tag))
        return builder.mappingStarts(decoration, at: position)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        builder.containerEnds()
        return true
    case YAML_STREAM_END_EVENT:
        builder.textEnds()
        return false
    default:
        return true
    }
}

private func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let text = unsafe text else { return nil }
    return unsafe String(cString: text)
}

private func errorPosition(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> TreeBuilder.Position {
    // The reader (encoding, control characters) knows a byte offset only; its mark is where the scanner stands.
    unsafe parser.pointee.error == YAML_READER_ERROR
        ? TreeBuilder.Position(parser.pointee.mark) : TreeBuilder.Position(parser.pointee.problem_mark)
}

private func errorMessage(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ bytes: [UInt8]) -> String {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "out of memory"
    if unsafe parser.pointee.error == YAML_READER_ERROR {
        return unsafe "is not text: \(problem) (byte \(parser.pointee.problem_offset))"
    }
    let line = unsafe bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .dropFirst(Int(clamping: parser.pointee.problem_mark.line)).first
    let indentation = line?.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if indentation?.contains(UInt8(ascii: "\t")) == true {
        return "is not YAML: a tab in the indentation; indent with spaces"
    }
    return "is not YAML: \(problem)"
}

extension TreeBuilder.Position {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}
