internal import CExpat

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Reads XML a piece at a time through libexpat: memory does not grow with the text. Declared entities are refused,
/// and nothing outside the text is ever fetched. Of the encodings that expat does not know itself (windows-1252, …) the
/// ASCII characters are read right.
@safe public struct XMLStream: ~Copyable {
    /// Bytes in which some element, text or comment must come to its end.
    public static let longestToken = 1 << 20

    // It holds the parser too: kept in this struct, the compiler with the thread sanitizer breaks on it.
    private let collector = Collector()
    private var silentBytes = 0

    public init() {
        guard let parser = unsafe collector.parser else { return }
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(collector).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { context, name, attributes in unsafe Collector.of(context)?.start(name, attributes) },
            { context, _ in unsafe Collector.of(context)?.events.list.append(.end) })
        unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
            unsafe Collector.of(context)?.text(text, count)
        }
        unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            unsafe Collector.of(context)?.refuseEntities()
        }
        unsafe XML_SetUnknownEncodingHandler(parser, { _, _, encoding in unsafe mapBytes(encoding) }, nil)
    }

    /// Lends the events of the last piece, of one with an error those before it.
    public borrowing func withEvents<Result>(_ body: (borrowing XMLEvents) -> Result) -> Result {
        body(collector.events)
    }

    /// Reads the next piece, the last one where `isFinal` is true.
    public mutating func read(_ bytes: Span<UInt8>, isFinal: Bool) throws(XMLError) {
        guard let parser = unsafe collector.parser else { throw XMLError(.memory, line: 1) }
        collector.events.removeAll()
        let status = unsafe bytes.withUnsafeBytes { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe XML_Parse(parser, base, Int32(clamping: bytes.count), isFinal ? 1 : 0)
        }
        silentBytes = collector.events.list.isEmpty ? silentBytes + bytes.count : 0
        let line = unsafe Int(clamping: XML_GetCurrentLineNumber(parser))
        guard status == XML_STATUS_ERROR else {
            if silentBytes > Self.longestToken { throw XMLError(.tooLong, line: line) }
            return
        }
        if collector.hasEntities { throw XMLError(.entities, line: line) }
        let code = unsafe XML_GetErrorCode(parser)
        switch code {
        case XML_ERROR_NO_MEMORY: throw XMLError(.memory, line: line)
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
            throw XMLError(.truncated, line: line)
        default:
            let text = unsafe XML_ErrorString(code)
            throw XMLError(.malformed(unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"), line: line)
        }
    }
}

/// Gathers what expat tells; its callbacks copy and return.
@safe private final class Collector {
    var events = XMLEvents()
    var hasEntities = false
    let parser: XML_Parser?

    init() { unsafe parser = XML_ParserCreate(nil) }

    deinit {
        if let parser = unsafe parser { unsafe XML_ParserFree(parser) }
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Collector? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
    }

    func start(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        let first = events.attributes.count
        let name = unsafe copy(name, isName: true)
        if var next = unsafe attributes {
            while let key = unsafe next[0], let value = unsafe next[1] {
                unsafe events.attributes.append((copy(key, isName: true), copy(value, isName: false)))
                unsafe next += 2
            }
        }
        let line = unsafe parser.map { unsafe Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 0
        events.list.append(.start(name: name, attributes: first..<events.attributes.count, line: line))
    }

    func text(_ text: UnsafePointer<CChar>?, _ count: Int32) {
        guard let text = unsafe text, count > 0 else { return }
        let start = events.bytes.count
        unsafe events.bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: text, count: Int(count)))
        events.list.append(.text(start..<events.bytes.count))
    }

    func refuseEntities() {
        hasEntities = true
        if let parser = unsafe parser { unsafe XML_StopParser(parser, 0) }
    }

    /// A name loses its prefix.
    private func copy(_ text: UnsafePointer<CChar>?, isName: Bool) -> Range<Int> {
        var start = events.bytes.count
        guard let text = unsafe text else { return start..<start }
        unsafe events.bytes.append(contentsOf: UnsafeRawBufferPointer(start: text, count: strlen(text)))
        let end = events.bytes.count
        if isName, let colon = events.bytes[start..<end].lastIndex(of: UInt8(ascii: ":")) { start = colon + 1 }
        return start..<end
    }
}

/// ASCII as ASCII, and each other byte as the character of its number.
private func mapBytes(_ encoding: UnsafeMutablePointer<XML_Encoding>?) -> Int32 {
    guard let encoding = unsafe encoding else { return 0 }
    unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
        for value in 0..<256 { unsafe map.storeBytes(of: Int32(value), toByteOffset: value * 4, as: Int32.self) }
    }
    unsafe encoding.pointee.data = nil
    unsafe encoding.pointee.convert = nil
    unsafe encoding.pointee.release = nil
    return 1
}
