import Testing

@testable import Spelling

@Suite struct SpellingTests {
    @Test(arguments: [
        ("min-intervall", "min-interval"), ("min_interval", "min-interval"), ("Max-Interval", "max-interval"),
        ("mni-interval", "min-interval"), ("interval", "min-interval"), ("broker", nil), ("ulr", "url"), ("x", nil),
        ("", nil), ("log", "log"),
    ])
    func theNearestIsFoundOrNone(written: String, meant: String?) {
        #expect(Spelling.nearest(to: written, in: ["url", "min-interval", "max-interval", "log"]) == meant)
    }

    @Test func aWordThatIsFarFromAllHasNoNearest() {
        #expect(Spelling.nearest(to: "abc", in: ["xyz"]) == nil)
        #expect(Spelling.nearest(to: "ab", in: ["xy"]) == nil)
        #expect(Spelling.nearest(to: String(repeating: "a", count: 100_000), in: ["a"]) == nil)
    }

    @Test func aSwapIsOneSlip() {
        #expect(Spelling.distance(Array("ulr".utf8), Array("url".utf8)) == 1)
        #expect(Spelling.distance(Array("".utf8), Array("url".utf8)) == 3)
        #expect(Spelling.distance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
    }
}
