import FixcastTestKit
import Foundation
import Testing
import WireText

@Suite struct JSONReaderTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func error(_ text: String) -> JSONError.Code? {
        do {
            _ = try JSONTree(reading: bytes(text))
            return nil
        } catch {
            return (error as? JSONError)?.code
        }
    }

    @Test(arguments: 0..<8)
    func agreesWithFoundationOnGeneratedText(seed: UInt64) throws {
        var generator = JSONGenerator(random: SeededGenerator(seed: seed))
        for _ in 0..<500 {
            let text = generator.text()
            let expected = try #require(
                JSONTree.foundation(text), "Foundation refuses \(String(decoding: text, as: UTF8.self))")
            let read = try JSONTree(reading: text)
            #expect(read.agrees(with: expected), "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test(arguments: 8..<16)
    func agreesWithFoundationOnMutatedText(seed: UInt64) {
        var generator = JSONGenerator(random: SeededGenerator(seed: seed))
        var refused = 0
        for _ in 0..<1000 {
            let text = generator.mutate(generator.text())
            let read = try? JSONTree(reading: text)
            if read == nil { refused += 1 }
            guard let read else { continue }
            // What is accepted means what Foundation says it means. Foundation is stricter nowhere.
            #expect(read.agrees(with: JSONTree.foundation(text)), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(refused > 300)
    }

    @Test func refusesWhatFoundationRefuses() {
        var generator = JSONGenerator(random: SeededGenerator(seed: 99))
        for _ in 0..<5000 {
            let text = generator.mutate(generator.text())
            guard JSONTree.foundation(text) == nil else { continue }
            #expect((try? JSONTree(reading: text)) == nil, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test(arguments: [
        ("", JSONError.Code.truncated), ("01", .trailing), ("-", .truncated), ("1.", .truncated), (".5", .syntax),
        ("+1", .syntax), ("1e", .truncated), ("NaN", .syntax), ("Infinity", .syntax), ("-Infinity", .syntax),
        ("1e400", .range), ("[1,]", .syntax), ("{\"a\":1,}", .syntax), ("{a:1}", .syntax), ("[1 2]", .syntax),
        ("\"\u{1}\"", .string), ("\"\\x\"", .syntax), ("\"\\uD800\"", .truncated), ("\"\\uDC00\"", .string),
        ("\"\\uD800 ......\"", .string), ("tru", .truncated), ("trux", .syntax), ("[1]]", .trailing),
        ("{\"a\"}", .syntax),
        ("'a'", .syntax), ("[1", .truncated), ("{\"a\":", .truncated), ("\u{FEFF}1", .syntax), ("54,5", .trailing),
    ])
    func refuses(text: String, code: JSONError.Code) {
        // A leading zero is refused wherever it shows: "01" as one number, not as 0 with something behind.
        #expect(error(text) == (text == "01" ? .syntax : code))
    }

    @Test(
        arguments: [
            [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(text: [UInt8]) {
        #expect(throws: JSONError(.string, at: 1)) { try JSONTree(reading: text) }
    }

    @Test func limitsDepthAndSize() throws {
        let deepest = bytes(String(repeating: "[", count: 32) + String(repeating: "]", count: 32))
        _ = try JSONTree(reading: deepest)
        #expect(throws: JSONError(.depth, at: 32)) { try JSONTree(reading: [0x5B] + deepest + [0x5D]) }
        let endless = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONError(.depth, at: 32)) { try JSONTree(reading: endless) }
        #expect(throws: JSONError(.size, at: 3)) {
            try JSONReader.read(bytes("[1]").span, limits: .init(size: 2)) {
                (reader: inout JSONReader) throws(JSONError) in
                try reader.beginArray()
            }
        }
    }

    @Test func skipsWhatIsNotRead() throws {
        let text = bytes(#"{"a":[1,{"b":[]},"x"],"c":{"d":null},"e":7}"#)
        let seen = try JSONReader.read(text.span) { (reader: inout JSONReader) throws(JSONError) in
            var seen: [String] = []
            try reader.beginObject()
            while let key = try reader.nextKey() {
                seen.append(key.description)
                if key == "e" {
                    let value = try reader.readInteger()
                    seen.append("\(value)")
                }
            }
            try reader.finish()
            return seen
        }
        #expect(seen == ["a", "c", "e", "7"])
    }

    @Test func checksWhatItSkips() {
        for text in [#"{"a":[1,],"b":2}"#, #"{"a":01}"#, #"{"a":"\q"}"#, #"{"a":{"b":nul}}"#] {
            #expect(throws: JSONError.self) {
                try JSONReader.read(bytes(text).span) { (reader: inout JSONReader) throws(JSONError) in
                    try reader.beginObject()
                    while try reader.nextKey() != nil {}
                    try reader.finish()
                }
            }
        }
    }

    @Test func aMismatchLeavesTheReaderBeforeTheValue() throws {
        try JSONReader.read(bytes(#"["54.5",54.5,"x",1.5]"#).span) { (reader: inout JSONReader) throws(JSONError) in
            try reader.beginArray()
            _ = try reader.nextElement()
            do throws(JSONError) {
                _ = try reader.readDouble()
                Issue.record("a string was read as a number")
            } catch { #expect(error == JSONError(.type, at: 1)) }
            let text = try reader.readString()
            #expect(text == "54.5")
            _ = try reader.nextElement()
            let number = try reader.readDouble()
            #expect(number == 54.5)
            _ = try reader.nextElement()
            _ = try reader.nextElement()
            do throws(JSONError) {
                _ = try reader.readInteger()
                Issue.record("a fraction was read as an integer")
            } catch { #expect(error == JSONError(.type, at: 17)) }
            let fraction = try reader.readDouble()
            #expect(fraction == 1.5)
            let isMore = try reader.nextElement()
            #expect(!isMore)
            try reader.finish()
        }
    }

    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("-0", 0), ("75.0", 75), ("7.5e1", 75),
        ("1e15", 1_000_000_000_000_000),
    ])
    func readsIntegersExactly(text: String, value: Int64) throws {
        let read = try JSONReader.read(bytes(text).span) { (reader: inout JSONReader) throws(JSONError) in
            try reader.readInteger()
        }
        #expect(read == value)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1e19", "99999999999999999999999", "1e999999999999",
    ])
    func refusesIntegersBeyondInt64(text: String) {
        #expect(throws: JSONError(.range, at: 0)) {
            try JSONReader.read(bytes(text).span) { (reader: inout JSONReader) throws(JSONError) in
                try reader.readInteger()
            }
        }
    }

    @Test func roundsNumbersCorrectly() throws {
        var generator = JSONGenerator(random: SeededGenerator(seed: 7))
        var texts = (0..<20_000).map { _ in generator.number() }
        texts += [
            "9007199254740993", "2.2250738585072011e-308", "4.9e-324", "1e-400", "1.7976931348623157e308", "0.1e1",
            "123456789012345678901234567890", "0.000000000000000000000000000001234567890123456789",
            "1" + String(repeating: "0", count: 300), "0." + String(repeating: "0", count: 400) + "1",
        ]
        for text in texts {
            let read = try JSONReader.read(bytes(text).span) { (reader: inout JSONReader) throws(JSONError) in
                try reader.readDouble()
            }
            #expect(unsafe read.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    @Test func comparesWordsByTheirMeaning() throws {
        let words = try JSONReader.read(
            bytes(#"["seq","s\u0065q","seqs","haccAssumed","0123456789abcdefghijklmn","0123456789abcdefghijklmno"]"#)
                .span
        ) { (reader: inout JSONReader) throws(JSONError) in
            var words: [JSONWord] = []
            try reader.beginArray()
            while try reader.nextElement() { words.append(try reader.readWord()) }
            return words
        }
        #expect(words == ["seq", "seq", "seqs", "haccAssumed", "0123456789abcdefghijklmn", words[5]])
        #expect(words[5] != words[4])
        #expect(words[5].description == "0123456789abcdefghijklmn…")
    }

    @Test func leavesWhatIsOpen() throws {
        let text = bytes(#"[{"a":{"b":[1,2],"c":3},"d":4},5]"#)
        try JSONReader.read(text.span) { (reader: inout JSONReader) throws(JSONError) in
            try reader.beginArray()
            let outside = reader.depth
            _ = try reader.nextElement()
            try reader.beginObject()
            _ = try reader.nextKey()
            try reader.beginObject()
            _ = try reader.nextKey()
            try reader.beginArray()
            _ = try reader.nextElement()
            try reader.leave(to: outside)
            let isMore = try reader.nextElement()
            #expect(isMore)
            let value = try reader.readInteger()
            #expect(value == 5)
        }
    }
}
