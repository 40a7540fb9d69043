import FixcastTestKit

/// Changes, removes, adds or cuts a few bytes.
func mutate(_ payload: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var payload = payload
    for _ in 0...Int.random(in: 0...3, using: &random) where !payload.isEmpty {
        let index = Int.random(in: 0..<payload.count, using: &random)
        let byte =
            Bool.random(using: &random)
            ? Array("{}[],:\"\\0123456789.eE+-tfn".utf8).randomElement(using: &random)!
            : UInt8.random(in: 0...255, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: payload[index] = byte
        case 1: payload.remove(at: index)
        case 2: payload.insert(byte, at: index)
        case 3: payload.replaceSubrange(index..<min(index + 3, payload.count), with: Array("1e308".utf8))
        default: payload.removeSubrange(index...)
        }
    }
    return payload
}
