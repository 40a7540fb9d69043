import Testing

@testable import Configuration

private enum Keys {
    static let vehicle = ConfigurationKey<String>.required("vehicle", .string, "The vehicle.")
    static let url = ConfigurationKey("mqtt.url", .string, default: "mqtt://localhost", "The broker.")
    static let keepAlive = ConfigurationKey("mqtt.keep-alive", .duration(), default: "60s", "The keep alive.")
    static let caFile = ConfigurationKey<String?>.optional("mqtt.ca-file", .path, "The authority.")
    static let minInterval = ConfigurationKey(
        "reporting.moving.min-interval", .duration(in: .zero ... .seconds(3600)), default: "1s", "Never more often.")
    static let maxInterval = ConfigurationKey(
        "reporting.moving.max-interval", .duration(in: .seconds(1) ... .seconds(3600)), default: "60s", "At the latest."
    )
    static let all: [any DeclaredKey] = [vehicle, url, keepAlive, caFile, minInterval, maxInterval]
}

private func reader(_ text: String, _ environment: [String: String] = [:]) -> ConfigurationReader {
    ConfigurationReader(
        ConfigurationTree(yaml: Array(text.utf8), file: "agent.yaml"), keys: Keys.all, environment: environment)
}

private func problems(_ text: String, _ environment: [String: String] = [:]) -> [String] {
    var reader = reader(text, environment)
    for case let key as ConfigurationKey<Duration> in Keys.all { _ = reader.value(key) }
    return reader.finish().map(\.description)
}

@Suite struct ReaderTests {
    @Test func valuesComeFromTheTextElseFromTheDefault() {
        var reader = reader("vehicle: van-042\nmqtt: { keep-alive: 2min }\n")
        #expect(reader.value(Keys.vehicle) == "van-042")
        #expect(reader.value(Keys.keepAlive) == .seconds(120))
        #expect(reader.value(Keys.minInterval) == .seconds(1))
        #expect(reader.value(Keys.caFile) == nil)
        #expect(reader.isGiven(Keys.keepAlive))
        #expect(!reader.isGiven(Keys.url))
        #expect(reader.finish() == [])
    }

    @Test func theEnvironmentOverridesTheTextEvenAWrongOne() {
        let text = "vehicle: v\nmqtt:\n  keep-alive: 5\n"
        var reader = reader(
            text, ["FIXCAST_AGENT_MQTT_KEEP_ALIVE": "7s", "FIXCAST_AGENT_MQTT_CA_FILE": "/ca", "HOME": "/"])
        #expect(reader.value(Keys.keepAlive) == .seconds(7))
        #expect(reader.value(Keys.caFile) == "/ca")
        #expect(reader.origin(of: Keys.keepAlive) == .environment("FIXCAST_AGENT_MQTT_KEEP_ALIVE"))
        #expect(reader.finish() == [])
    }

    @Test func allProblemsAreFoundAtOnceInTheOrderOfTheText() {
        let text = """
            vehicel: van-042
            mqtt:
              ulr: mqtt://b
              keep-alive: [1]
              min-interval: 1s
            reporting:
              moving:
                min-interval: 5
                max-interval: 2h
            """
        #expect(
            problems(text, ["FIXCAST_AGENT_MQTT_CA_FLE": "x", "FIXCAST_AGENT_MQTT_CA_FILE": ""]) == [
                "agent.yaml: vehicle: is missing; write for example vehicle: text",
                "agent.yaml:1:1: vehicel: is no known key; did you mean vehicle?",
                "agent.yaml:3:3: mqtt.ulr: is no known key; did you mean url?",
                "agent.yaml:4:15: mqtt.keep-alive: is a list; it takes one value, for example 5s",
                "agent.yaml:5:3: mqtt.min-interval: is no known key; did you mean reporting.moving.min-interval?",
                "agent.yaml:8:19: reporting.moving.min-interval: \"5\" has no unit; write for example 5s",
                "agent.yaml:9:19: reporting.moving.max-interval: 2h is more than 1h; write 1s to 1h",
                "environment FIXCAST_AGENT_MQTT_CA_FILE: mqtt.ca-file: is empty; write a path, for example /etc/fixcast/ca.pem",
                "environment FIXCAST_AGENT_MQTT_CA_FLE: sets no known key; did you mean FIXCAST_AGENT_MQTT_CA_FILE?",
            ])
    }

    @Test func aSectionTakesNoValueAndAnEmptyOneIsFine() {
        #expect(problems("vehicle: v\nmqtt:\nreporting: {moving: }\n") == [])
        #expect(
            problems("vehicle: v\nmqtt: mqtt://b\n") == [
                "agent.yaml:2:7: mqtt: is the value \"mqtt://b\"; it is a section with the keys url, keep-alive, ca-file"
            ])
    }

    @Test func aKeyWithoutAValueIsAskedForOne() {
        #expect(
            problems("vehicle: v\nmqtt:\n  keep-alive:\n") == [
                "agent.yaml:3:14: mqtt.keep-alive: has no value; write for example 5s, or remove the key"
            ])
    }

    @Test func aValueReadTwiceIsReportedOnce() {
        var reader = reader("vehicle: v\nmqtt: {keep-alive: 5}\n")
        _ = reader.value(Keys.keepAlive)
        _ = reader.value(Keys.keepAlive)
        #expect(reader.finish().count == 1)
        #expect(reader.finish().count == 1)
    }

    @Test func aTextThatBreaksOffReportsNothingAsMissingButStillChecksTheRest() {
        #expect(
            problems("mqtt:\n  keep-alive: 5\n  url: [\n").map { $0.prefix(16) } == [
                "agent.yaml:2:15:", "agent.yaml:4:1: ",
            ])
    }

    @Test func theCallerCanReportWhatOnlyItKnows() {
        var reader = reader("vehicle: a b\n")
        reader.report("has a space", at: Keys.vehicle)
        reader.report("does not go with mqtt.url", at: Keys.caFile, code: .conflict)
        #expect(
            reader.finish() == [
                ConfigurationProblem(
                    .conflict, at: .file("agent.yaml"), key: "mqtt.ca-file", "does not go with mqtt.url"),
                ConfigurationProblem(
                    .invalidValue, at: .position(file: "agent.yaml", line: 1, column: 10), key: "vehicle", "has a space"
                ),
            ])
    }

    @Test func theNameInTheEnvironmentIsThePathInCapitals() {
        #expect(Keys.caFile.environmentName(prefix: "FIXCAST_AGENT") == "FIXCAST_AGENT_MQTT_CA_FILE")
    }

    private static let sources = ConfigurationListKey(
        "provider.first-of", example: "[ { type: gpsd } ]", "Sources in order.")
    private static let words = ConfigurationListKey("provider.run", example: "[ /bin/true, --fast ]", "A program.")

    private func listReader(_ text: String, _ environment: [String: String] = [:]) -> ConfigurationReader {
        ConfigurationReader(
            ConfigurationTree(yaml: Array(text.utf8), file: "agent.yaml"), keys: [Self.sources, Self.words],
            environment: environment)
    }

    @Test func aListOfSectionsHasKeysOfItsOwn() {
        var reader = listReader("provider:\n  first-of: [ { type: gpsd }, { tipe: nmea } ]\n")
        let sections = reader.sections(Self.sources)
        #expect(sections == ["provider.first-of[0]", "provider.first-of[1]"])
        let types = sections.map { ConfigurationKey("\($0).type", .string, default: "none", "The type.") }
        reader.declare(types)
        #expect(types.map { reader.value($0) } == ["gpsd", "none"])
        #expect(types[1].environmentName(prefix: "A") == "A_PROVIDER_FIRST_OF_1_TYPE")
        #expect(
            reader.finish().map(\.description) == [
                "agent.yaml:2:33: provider.first-of[1].tipe: is no known key; did you mean type?"
            ])
    }

    @Test func aListOfValuesIsReadInItsOrderAndTheEnvironmentGivesWords() {
        var reader = listReader("provider:\n  run: [ a, \"b c\" ]\n")
        #expect(reader.texts(Self.words) == ["a", "b c"])
        #expect(reader.finish() == [])
        var other = listReader("provider:\n  run: [ a ]\n", ["FIXCAST_AGENT_PROVIDER_RUN": "x  --y"])
        #expect(other.texts(Self.words) == ["x", "--y"])
        #expect(other.finish() == [])
        var absent = listReader("{}")
        #expect(absent.texts(Self.words) == [] && absent.sections(Self.sources) == [])
    }

    @Test(arguments: [
        ("provider: { run: a }", "is the value \"a\"; it takes a list, for example [ /bin/true, --fast ]"),
        ("provider: { run: [] }", "is empty; write for example [ /bin/true, --fast ]"),
        ("provider: { run: [ a, { b: c } ] }", "provider.run[1]: is a section; the list looks like"),
        ("provider: { first-of: [ gpsd ] }", "provider.first-of[0]: is the value \"gpsd\"; the list looks like"),
        ("provider: { first-of: { type: gpsd } }", "is a section; it takes a list"),
    ])
    func whatIsNoListIsSaid(text: String, expected: String) {
        var reader = listReader(text)
        _ = (reader.sections(Self.sources), reader.texts(Self.words))
        let found = reader.finish().map(\.description)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }
}
