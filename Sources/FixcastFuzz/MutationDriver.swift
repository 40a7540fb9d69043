internal import LocationProviders

/// Damages seeds in repeatable ways: bytes changed, taken away, doubled, exchanged for numbers at the edge, and seeds
/// put into one another.
struct MutationDriver {
    private var state: UInt64
    private let seeds: [[UInt8]]

    init(seeds: [[UInt8]], seed: UInt64) {
        self.seeds = seeds.isEmpty ? [[0x24]] : seeds
        state = seed
    }

    private static let edges: [[UInt8]] =
        [
            "-9999999999999999999999.00000000000000000000000001e99", "1e400", "-0", "NaN", "180.0000001", "\\u0000",
            "9223372036854775808", "18446744073709551616", "\r", "\n", "\"", "\\", "<", "&#x0;", "<!--", "]]>", "*",
            "$",
            "!",
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "{\"a\":", ",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,",
            "2026-02-30T25:61:61Z",
        ].map { Array($0.utf8) } + [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x80, 0x80, 0x01], [0x90, 0x4E],
        ]

    /// SplitMix64.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(max(1, bound)))
    }

    mutating func next() -> [UInt8] {
        var bytes = seeds[below(seeds.count)]
        for _ in 0...below(6) {
            let place = below(bytes.count + 1)
            switch below(7) {
            case 0 where place < bytes.count: bytes[place] = UInt8(below(256))
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
            case 2 where place < bytes.count: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(20)))
            case 3 where place < bytes.count:
                let piece = bytes[place..<min(bytes.count, place + 1 + below(60))]
                for _ in 0...below(4) { bytes.insert(contentsOf: piece, at: below(bytes.count)) }
            case 4:
                let other = seeds[below(seeds.count)]
                let start = below(other.count)
                bytes.insert(contentsOf: other[start..<min(other.count, start + 200)], at: place)
            case 5 where place < bytes.count: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: Self.edges[below(Self.edges.count)], at: place)
            }
        }
        if bytes.count > 65_536 { bytes.removeSubrange(65_536...) }
        return bytes
    }
}
