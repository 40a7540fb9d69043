import FixcastTestKit
import Positioning
import Testing

@Suite struct SequenceRangesTests {
    @Test func touchingRangesBecomeOne() {
        var set = SequenceRanges()
        for range: Range<UInt64> in [5..<7, 1..<3, 3..<5] { set.insert(range) }
        #expect(set.ranges == [1..<7])
        #expect(set.count == 6)
        #expect(set.first == 1 && set.last == 6)
    }

    @Test func whatIsTakenFromTheMiddleLeavesTwo() {
        var set = SequenceRanges(0..<10)
        set.remove(4..<6)
        #expect(set.ranges == [0..<4, 6..<10])
        #expect(set.first(in: 4..<6) == nil)
        #expect(set.first(in: 4..<7) == 6)
        #expect(set.gaps(in: 2..<12).ranges == [4..<6, 10..<12])
    }

    @Test("each step does what a plain set does", arguments: [UInt64(1), 2, 3])
    func asASet(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var set = SequenceRanges()
        var plain = Set<UInt64>()
        for _ in 0..<3000 {
            let low = UInt64.random(in: 0..<60, using: &generator)
            let range = low..<low + UInt64.random(in: 0..<9, using: &generator)
            if Bool.random(using: &generator) {
                set.insert(range)
                plain.formUnion(range)
            } else {
                set.remove(range)
                plain.subtract(range)
            }
            #expect(set.ranges.flatMap { Array($0) } == plain.sorted())
            #expect(set.count == UInt64(plain.count))
            #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            let asked = UInt64.random(in: 0..<70, using: &generator)
            #expect(set.contains(asked) == plain.contains(asked))
            let window = asked..<asked + 7
            #expect(set.first(in: window) == plain.filter(window.contains).min())
            #expect(set.intersection(window).ranges.flatMap { Array($0) } == plain.filter(window.contains).sorted())
            #expect(set.gaps(in: window).count == UInt64(window.count) - set.intersection(window).count)
        }
    }
}
