/// What the identity file holds: lines of a word and its value, with a version first.
struct IdentityRecord: Equatable {
    var instance: String
    var boot: UInt64
    /// The highest sequence given in `boot`; only right when `isClean`.
    var last: UInt64
    /// Whether the boot ended by a clean stop.
    var isClean: Bool

    init(instance: String, boot: UInt64, last: UInt64, isClean: Bool) {
        self.instance = instance
        self.boot = boot
        self.last = last
        self.isClean = isClean
    }

    /// `nil` for anything that this program did not write whole.
    init?(_ bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[...]
        func value(_ word: String) -> Substring? {
            guard let line = lines.popFirst(), line.hasPrefix(word + " ") else { return nil }
            return line.dropFirst(word.count + 1)
        }
        guard value("fixcast-identity") == "1", let instance = value("inst"),
            let boot = value("boot").flatMap({ UInt64($0) }),
            let last = value("last").flatMap({ UInt64($0) }), let clean = value("clean"),
            clean == "true" || clean == "false", lines.popFirst() == "", lines.isEmpty,
            (1...64).contains(instance.utf8.count), boot > 0, boot < 1 << 53, last < 1 << 53,
            instance.utf8.allSatisfy({
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            })
        else { return nil }
        self.init(instance: String(instance), boot: boot, last: last, isClean: clean == "true")
    }

    var bytes: [UInt8] {
        Array("fixcast-identity 1\ninst \(instance)\nboot \(boot)\nlast \(last)\nclean \(isClean)\n".utf8)
    }
}
