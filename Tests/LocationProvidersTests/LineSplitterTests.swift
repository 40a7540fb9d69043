import Testing

@testable import LocationProviders

@Suite struct LineSplitterTests {
    func split(_ text: String, piece: Int, capacity: Int = 64) -> [String] {
        var found: [String] = []
        lines(Array(text.utf8), piece: piece, capacity: capacity) { bytes, line in
            found.append(String(decoding: line.map { bytes[$0] }, as: UTF8.self))
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 5, 64])
    func endsOfLinesMixAndEmptyLinesVanish(piece: Int) {
        #expect(split("one\r\ntwo\nthree\rfour\n\r\n\nfive", piece: piece) == ["one", "two", "three", "four", "five"])
    }

    @Test(arguments: [1, 7, 64])
    func anOverlongLineIsDroppedWholeAndTheNextIsKept(piece: Int) {
        let long = String(repeating: "x", count: 200)
        #expect(split("before\n\(long)\nafter\n\(long)", piece: piece) == ["before", "after"])
    }

    @Test func aLineAsLongAsTheBufferAllowsIsKept() {
        let longest = String(repeating: "y", count: 63)
        #expect(split("a\n\(longest)\nb\n", piece: 10) == ["a", longest, "b"])
    }

    @Test func halfALineIsForgottenByReset() {
        var splitter = LineSplitter(capacity: 64)
        func feed(_ text: String, _ splitter: inout LineSplitter) {
            _ = unsafe splitter.fill { free in
                unsafe free.copyBytes(from: text.utf8)
                return text.utf8.count
            }
        }
        feed("half", &splitter)
        #expect(splitter.nextLine() == nil)
        splitter.reset()
        feed("whole\n", &splitter)
        #expect(splitter.nextLine()?.count == 5)
    }
}
