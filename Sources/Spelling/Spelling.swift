/// Finds what was probably meant by a misspelt word.
public enum Spelling {
    /// The candidate nearest to `word`, or nil where none is near: at most one slip (a letter missing, extra, wrong or
    /// swapped with its neighbour) for each three letters. Case counts for nothing, and `_` is as good as `-`.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let written = letters(of: word)
        guard !written.isEmpty, written.count <= 64 else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let meant = letters(of: candidate)
            let allowed = max(1, max(written.count, meant.count) / 3)
            guard abs(written.count - meant.count) <= allowed else { continue }
            let distance = distance(written, meant)
            // A distance as long as the word itself would turn any short word into any other.
            guard distance <= allowed, distance < min(written.count, meant.count) else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    private static func letters(of word: String) -> [UInt8] {
        word.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            default: byte
            }
        }
    }

    /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [Int](repeating: i + 1, count: b.count + 1)
            for j in 0..<b.count {
                row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
