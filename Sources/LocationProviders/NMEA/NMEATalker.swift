/// Who speaks: the two letters behind the dollar, such as `GP`, `GL`, `GA`, `GB`, `BD`, `GQ`, `GI` or `GN`.
struct NMEATalker: Equatable, Sendable {
    /// The first letter in the high byte.
    var code: UInt16

    /// The solution of all constellations together: its values win over those of one.
    static let combined = NMEATalker(code: 0x47_4E)

    /// Where satellites in view are counted for it: 0 to 7.
    var constellation: Int {
        switch code {
        case 0x47_50: 0
        case 0x47_4C: 1
        case 0x47_41: 2
        case 0x47_42, 0x42_44: 3
        case 0x47_51, 0x51_5A, 0x50_51: 4
        case 0x47_49: 5
        case Self.combined.code: 6
        default: 7
        }
    }
}
