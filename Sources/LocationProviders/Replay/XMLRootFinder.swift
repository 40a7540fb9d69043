/// Looks for the root element of XML in bytes that may begin with something else: pure.
struct XMLRootFinder: Equatable, Sendable {
    /// The first element's name without its prefix, where there is one.
    private(set) var firstName: String?
    /// Where XML with the root `gpx` begins.
    private(set) var gpxStart: Int?
    /// Whether the bytes begin with the mark of UTF-16.
    private(set) var isUTF16 = false

    private var offset = 0
    private var first: UInt8 = 0
    /// Where the last `<` was, while what follows may be a name.
    private var tagStart: Int?
    private var declarationStart: Int?
    private var name: [UInt8] = []

    mutating func read(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            if gpxStart != nil { return }
            let byte = bytes[index]
            if offset == 0 { first = byte }
            if offset == 1 { isUTF16 = first == 0xFF && byte == 0xFE || first == 0xFE && byte == 0xFF }
            // Every other byte of UTF-16.
            if byte != 0 { read(byte) }
            offset += 1
        }
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "<"):
            tagStart = offset
            name.removeAll(keepingCapacity: true)
        case UInt8(ascii: ":") where name != Array("?xml".utf8): name.removeAll(keepingCapacity: true)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "?"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            guard tagStart != nil, name.count < 40 else {
                tagStart = nil
                return
            }
            name.append(byte)
        case UInt8(ascii: " "), 9, 10, 13, UInt8(ascii: ">"), UInt8(ascii: "/"): end()
        default: tagStart = nil
        }
    }

    private mutating func end() {
        guard let start = tagStart, !name.isEmpty else {
            tagStart = nil
            return
        }
        tagStart = nil
        if name == Array("?xml".utf8) {
            declarationStart = start
        } else if name == Array("gpx".utf8) {
            gpxStart = isUTF16 ? 0 : declarationStart ?? start
        } else if firstName == nil, name.first != UInt8(ascii: "?"), name.first != UInt8(ascii: "-") {
            firstName = String(decoding: name, as: UTF8.self)
        }
    }
}
