extension Subscription {
    /// Whether the filter stands for more than one topic.
    public var isWildcard: Bool { filter.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") } }

    /// Whether a topic matches the filter (MQTT 5, 4.7): `+` stands for one level, `#` for all that follow; a wildcard in
    /// the first place does not stand for a level that begins with `$`.
    public func matches(_ topic: String) -> Bool {
        if topic.utf8.first == UInt8(ascii: "$"), let first = filter.utf8.first,
            first == UInt8(ascii: "+") || first == UInt8(ascii: "#")
        {
            return false
        }
        var levels = topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        for part in filter.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if part.elementsEqual("#".utf8) { return true }
            guard let level = levels.popFirst() else { return false }
            if !part.elementsEqual("+".utf8), !part.elementsEqual(level) { return false }
        }
        return levels.isEmpty
    }
}
