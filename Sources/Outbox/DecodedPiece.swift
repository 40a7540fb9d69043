internal import Positioning

/// A piece that was read, so that its reports are decoded once.
struct DecodedPiece {
    var numbers: Range<UInt64>
    var reports: [Report]

    subscript(number: UInt64) -> Report? {
        numbers.contains(number) ? reports[Int(number - numbers.lowerBound)] : nil
    }
}
