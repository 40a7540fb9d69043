import Testing

@testable import Configuration

private func tree(_ text: String) -> ConfigurationTree { ConfigurationTree(yaml: Array(text.utf8), file: "a.yaml") }

private func problems(_ text: String) -> [String] { tree(text).problems.map(\.description) }

@Suite struct TreeTests {
    @Test func eachPartKnowsItsPlaceAndPath() {
        let tree = tree("vehicle: van-042\nmqtt:\n  url: \"mqtt://b\"\n  list: [a, {b: c}]\n")
        #expect(tree.problems == [])
        #expect(tree.isComplete)
        let url = tree.root["mqtt"]?["url"]
        #expect(
            url
                == ConfigurationNode(
                    .scalar("mqtt://b"), at: .position(file: "a.yaml", line: 3, column: 8), path: "mqtt.url"))
        guard case .sequence(let elements)? = tree.root["mqtt"]?["list"]?.content else {
            Issue.record("no list")
            return
        }
        #expect(elements.map(\.path) == ["mqtt.list[0]", "mqtt.list[1]"])
        #expect(elements[1]["b"]?.path == "mqtt.list[1].b")
    }

    @Test(arguments: ["1e3", "0x10", "yes", "1.10", "2026-11-30", "007", "null", "3.1.1"])
    func aScalarStaysAsWritten(text: String) {
        #expect(tree("key: \(text)").root["key"]?.content == .scalar(text))
    }

    @Test func aKeyWithoutAValueIsEmptyAndAQuotedEmptyTextIsNot() {
        let tree = tree("a:\nb: ~\nc: \"\"\nd: '~'\n")
        #expect(tree.root["a"]?.content == .empty)
        #expect(tree.root["b"]?.content == .empty)
        #expect(tree.root["c"]?.content == .scalar(""))
        #expect(tree.root["d"]?.content == .scalar("~"))
    }

    @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n", "~"])
    func noTextIsAnEmptyConfiguration(text: String) {
        #expect(tree(text).root.content == .mapping([]))
        #expect(problems(text) == [])
    }

    @Test func aDuplicateKeyNamesBothPlacesAndTheFirstIsKept() {
        let tree = tree("a:\n  port: 1\n  port: 2\nb: 3\n")
        #expect(
            tree.problems.map(\.description) == [
                "a.yaml:3:3: a.port: was given before, at line 2, column 3; keep one of them"
            ])
        #expect(tree.root["a"]?["port"]?.content == .scalar("1"))
        #expect(tree.root["b"]?.content == .scalar("3"))
    }

    @Test func whatLetsOnePlaceChangeAnotherIsRefusedAndTheRestIsKept() {
        let tree = tree("a: &x 1\nb: *x\nc: !!int 3\n<<: {d: 1}\ne: 5\n")
        #expect(
            tree.problems.map(\.description) == [
                "a.yaml:1:4: a: &x is an anchor; a configuration has none: remove it",
                "a.yaml:2:4: b: *x is an alias; write the value out here instead",
                "a.yaml:3:4: c: tag:yaml.org,2002:int is a tag; a configuration has none: remove it",
                "a.yaml:4:1: << merges another section; write its keys out here instead",
            ])
        #expect(tree.root["b"]?.content == .refused)
        #expect(tree.root["<<"] == nil)
        #expect(tree.root["e"]?.content == .scalar("5"))
    }

    @Test func aSecondDocumentIsRefused() {
        #expect(
            problems("a: 1\n---\na: 2\n") == [
                "a.yaml:2:1: a second document begins; a configuration is one document: remove the ---"
            ])
    }

    @Test(arguments: ["just text", "[1, 2]", "- a\n- b\n"])
    func aTextWithoutKeysIsNoConfiguration(text: String) {
        #expect(tree(text).problems.map(\.code) == [.wrongKind])
        #expect(tree(text).root.content == .mapping([]))
    }

    @Test func aTextThatBreaksOffKeepsWhatCameBefore() {
        let tree = tree("vehicle: v\nmqtt:\n  url: x\n  bad: [1,\n")
        #expect(tree.problems.map(\.code) == [.syntax])
        #expect(!tree.isComplete)
        #expect(tree.root["mqtt"]?["url"]?.content == .scalar("x"))
    }

    @Test func aTabInTheIndentationIsNamed() {
        #expect(
            problems("a:\n\tb: 1\n") == ["a.yaml:2:1: a: is not YAML: a tab in the indentation; indent with spaces"])
    }

    @Test(arguments: ["? [a]\n: b\n", "? {a: 1}\n: b\n", "{[1]: 2}"])
    func aKeyIsText(text: String) {
        #expect(tree(text).problems.map(\.code) == [.unsupported])
    }

    @Test func deepNestingIsRefusedWithoutReadingOn() {
        for text in [
            String(repeating: "[", count: 500_000), String(repeating: "{a: ", count: 100_000),
            String(repeating: "- ", count: 100_000),
        ] {
            #expect(tree(text).problems.map(\.code) == [.tooLarge])
        }
    }

    @Test func tooManyPartsAndTooManyBytesAreRefused() {
        let many = (0...ConfigurationTree.Limit.nodes).map { "k\($0): 1\n" }.joined()
        #expect(tree(many).problems.map(\.code) == [.tooLarge])
        let large = tree("a: " + String(repeating: "x", count: ConfigurationTree.Limit.bytes))
        #expect(large.problems.map(\.code) == [.tooLarge])
        #expect(!large.isComplete)
    }

    @Test func hostileBytesNeverTrapAndAlwaysSaySomething() {
        let hostile: [[UInt8]] = [
            [0], [0xFF, 0xFE], [0xFF, 0xFE, 0x00, 0xD8], [0xC0, 0x80], [0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80],
            Array("a: \u{7}".utf8), Array("\"\\uD800\"".utf8), Array("a: \"\\x".utf8), Array("a: |".utf8) + [0x80],
            Array("&".utf8), Array("*".utf8), Array("!".utf8), Array("%YAML 9.9\n---\n".utf8), Array("a: b: c".utf8),
            Array("]".utf8), Array("a: 'x".utf8), Array("- a\nb".utf8), Array("?".utf8), Array(": : :".utf8),
        ]
        for bytes in hostile {
            let tree = ConfigurationTree(yaml: bytes, file: "h")
            // Two bytes that are only a byte order mark are an empty text; the lone ? and : are empty keys.
            if bytes != [0xFF, 0xFE] { #expect(!tree.problems.isEmpty, "\(bytes)") }
        }
    }

    @Test func everyPrefixOfATextAndEveryChangedByteIsSurvived() {
        let text = Array("a: &b !c {d: [1, \"\\u00e4\", 'x'], e: |\n  f\n}\n# g\n? h\n: *b\n".utf8)
        for end in 0...text.count { _ = ConfigurationTree(yaml: Array(text[..<end]), file: "p") }
        for index in text.indices {
            for byte: UInt8 in [0, 9, 10, 0x22, 0x26, 0x2A, 0x3A, 0x5B, 0x7B, 0x80, 0xC3, 0xFF] {
                var changed = text
                changed[index] = byte
                _ = ConfigurationTree(yaml: changed, file: "c")
            }
        }
    }

    @Test func aFileThatCannotBeReadIsAProblemOfTheFile() {
        let missing = ConfigurationTree(contentsOf: "/nonexistent/agent.yaml")
        #expect(missing.problems.map(\.code) == [.unreadable])
        #expect(
            missing.problems.first?.description == "/nonexistent/agent.yaml: cannot be read: No such file or directory")
        #expect(ConfigurationTree(contentsOf: "/").problems.map(\.code) == [.unreadable])
        #expect(ConfigurationTree(contentsOf: "/dev/zero").problems.map(\.code) == [.tooLarge])
    }
}
