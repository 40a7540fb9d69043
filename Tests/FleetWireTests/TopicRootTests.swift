import FleetWire
import Testing

@Suite struct TopicRootTests {
    @Test(arguments: [
        "fleet/{vehicle}", "{vehicle}", "a/{vehicle}/b", "a/b/c/d/e/{vehicle}", "{vehicle}/x", "größe/{vehicle}",
    ])
    func roundTripsTopics(template: String) throws {
        let root = try TopicRoot(template)
        for id in ["v", "van-042", String(repeating: "y", count: 64)] {
            let vehicle = try VehicleID(id)
            for kind in TopicKind.allCases {
                let topic = root.topic(kind, of: vehicle)
                #expect(topic == template.replacing("{vehicle}", with: id) + "/" + kind.rawValue)
                let parsed = try #require(root.parse(topic))
                #expect(parsed.vehicle == vehicle)
                #expect(parsed.kind == kind)
                #expect(root.filter(kind) == template.replacing("{vehicle}", with: "+") + "/" + kind.rawValue)
            }
        }
    }

    @Test func theStandardRootIsWhatItsTemplateSays() throws {
        #expect(try TopicRoot("fleet/{vehicle}") == .standard)
    }

    @Test(arguments: [
        ("fleet", TopicRoot.Problem.placeholder), ("", .emptyLevel), ("fleet/v{vehicle}", .placeholder),
        ("{vehicle}/{vehicle}", .placeholder), ("fleet/{car}/{vehicle}", .placeholder),
        ("/fleet/{vehicle}", .emptyLevel),
        ("fleet/{vehicle}/", .emptyLevel), ("fleet//{vehicle}", .emptyLevel), ("a/b/c/d/e/f/{vehicle}", .levels(7)),
        ("+/{vehicle}", .character("+")), ("fleet/{vehicle}/#", .character("#")), ("$SYS/{vehicle}", .character("$")),
        ("a\0/{vehicle}", .character("\0")), ("{Vehicle}", .placeholder),
    ])
    func refuses(template: String, problem: TopicRoot.Problem) {
        #expect(throws: problem) { try TopicRoot(template) }
        #expect(!problem.description.isEmpty)
    }

    @Test(arguments: [
        "", "fleet", "fleet/", "fleet//location", "fleet/v", "fleet/v/", "fleet/v/locations", "fleet/v/location/x",
        "fleet/v.1/location", "fleets/v/location", "fleet/v/Location", "x/fleet/v/location", "fleet/v/w/location",
    ])
    func ignoresForeignTopics(topic: String) { #expect(TopicRoot.standard.parse(topic) == nil) }
}
