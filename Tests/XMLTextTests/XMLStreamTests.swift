import Testing

@testable import XMLText

@Suite struct XMLStreamTests {
    /// The events as text, from pieces of `size` bytes, and how it ended.
    func read(_ text: String, pieces size: Int = 1 << 20) -> (events: String, error: XMLError?) {
        read(Array(text.utf8), pieces: size)
    }

    func read(_ bytes: [UInt8], pieces size: Int = 1 << 20) -> (events: String, error: XMLError?) {
        var stream = XMLStream()
        var (found, next) = ("", 0)
        repeat {
            let end = min(bytes.count, next + size)
            var failure: XMLError?
            do throws(XMLError) {
                try stream.read(bytes.span.extracting(next..<end), isFinal: end == bytes.count)
            } catch {
                failure = error
            }
            stream.withEvents { events in
                func text(_ range: Range<Int>) -> String { String(decoding: events.bytes[range], as: UTF8.self) }
                for event in events.list {
                    switch event {
                    case .start(let name, let attributes, let line):
                        found += "<\(text(name)) \(line)"
                        for attribute in events.attributes[attributes] {
                            found += " \(text(attribute.name))=\(text(attribute.value))"
                        }
                        found += ">"
                    case .end: found += "</>"
                    case .text(let range): found += text(range)
                    }
                }
            }
            if let failure { return (found, failure) }
            next = end
        } while next < bytes.count
        return (found, nil)
    }

    @Test(arguments: [1, 3, 1000]) func elementsAttributesAndTextComeInOrderWhateverThePieces(size: Int) {
        let text = "<?xml version='1.0'?>\n<g:a xmlns:g='u' x:lat=\"1.5\">4<!-- c -->5\n<b/>&lt;<![CDATA[<]]></g:a>\n"
        let (events, error) = read(text, pieces: size)
        #expect(events == "<a 2 g=u lat=1.5>45\n<b 3></><<</>")
        #expect(error == nil)
    }

    @Test func whatIsWrongIsToldWithItsLineAfterWhatCameBefore() {
        #expect(read("<a>1\n<b>2</c></a>").error == XMLError(.malformed("mismatched tag"), line: 2))
        #expect(read("<a>1\n<b>2</c></a>").events == "<a 1>1\n<b 2>2")
        #expect(read("<a>1\n<b>2").error == XMLError(.truncated, line: 2))
        #expect(read("<a>1\n<b>2").events == "<a 1>1\n<b 2>2")
        #expect(read("").error == XMLError(.truncated, line: 1))
    }

    @Test func entitiesAreRefusedBeforeTheyGrow() {
        let laughs = "<!DOCTYPE a [<!ENTITY x 'ha'><!ENTITY y '&x;&x;'>]><a>&y;</a>"
        #expect(read(laughs) == ("", XMLError(.entities, line: 1)))
        let outside = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"
        #expect(read(outside).error?.reason == .entities)
        #expect(read("<!DOCTYPE gpx SYSTEM 'gpx.dtd'><gpx>1</gpx>").events == "<gpx 1>1</>")
    }

    @Test func aTokenWithoutEndIsNotKept() {
        let (_, error) = read("<a b='" + String(repeating: "x", count: 3 << 20), pieces: 65_536)
        #expect(error == XMLError(.tooLong, line: 1))
    }

    @Test func otherEncodingsAreRead() {
        #expect(read([0xEF, 0xBB, 0xBF] + Array("<a>1</a>".utf8)).events == "<a 1>1</>")
        var utf16: [UInt8] = [0xFF, 0xFE]
        for unit in "<a>ü</a>".utf16 { utf16 += [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(read(utf16, pieces: 3).events == "<a 1>ü</>")
        let windows = Array("<?xml version='1.0' encoding='windows-1252'?><a>".utf8) + [0xFC] + Array("1</a>".utf8)
        #expect(read(windows).events == "<a 1>ü1</>")
    }
}
