// swift-tools-version: 6.2
import PackageDescription

// One settings array for every Swift target: never `unsafeFlags`, which would make this package unusable as a dependency.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func command(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
    name: "fixcast",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Fixcast", targets: ["Fixcast"]),
        .library(name: "MosquittoTransport", targets: ["MosquittoTransport", "EventLoop"]),
        .library(name: "LocationProviders", targets: ["LocationProviders"]),
        .executable(name: "fixcast-agent", targets: ["AgentCommand"]),
        .executable(name: "fixcast", targets: ["FixcastCommand"]),
        .executable(name: "fixcast-bench", targets: ["FixcastBench"]),
        .executable(name: "fixcast-fuzz", targets: ["FixcastFuzz"]),
        .executable(name: "bench-publish-c", targets: ["BenchPeers"]),
    ],
    targets: [
        // The C libraries.
        library("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev", brew: "mosquitto"),
        library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
        .systemLibrary(name: "CGetopt"),

        // The rooms; each may know only what is named beside it.
        room("Positioning"),
        room("Reporting", ["Positioning"]),
        room("Delivery", ["Positioning"]),
        room("WireText"),
        room("XMLText", ["CExpat"]),
        room("FleetWire", ["Positioning", "WireText"], exclude: ["fleet.proto"]),
        room("MessageTransport"),
        room("EventLoop"),
        room("LocationProviders", ["Positioning", "WireText", "XMLText", "EventLoop"]),
        room("RemoteLocation", ["Positioning", "FleetWire", "MessageTransport"]),
        room("AppProviders", ["Positioning"]),
        room("Fixcast", ["Positioning", "FleetWire", "MessageTransport", "AppProviders", "RemoteLocation"]),
        room("Outbox", ["Positioning", "Delivery", "FleetWire", "CSQLite"]),
        room("MosquittoTransport", ["MessageTransport", "EventLoop", "CMosquitto"]),
        room("Spelling"),
        room("TrackDrawing", ["Positioning"]),
        room("Evaluation", ["Positioning", "Reporting", "WireText", "FleetWire", "TrackDrawing"]),
        room("Configuration", ["Spelling", "CYAML"]),
        room("CommandLineOptions", ["Spelling", "CGetopt"]),
        room(
            "FixcastAgent",
            [
                "Positioning", "Reporting", "Delivery", "WireText", "FleetWire", "MessageTransport", "EventLoop",
                "Outbox", "LocationProviders", "MosquittoTransport", "Configuration", "RemoteLocation", "Spelling",
                "Evaluation",
                "TrackDrawing",
            ]),

        // Thin mains; only their products carry the names that users type.
        command(
            "AgentCommand", ["Positioning", "FixcastAgent", "Evaluation", "CommandLineOptions", "SanitizerSupport"]),
        command(
            "FixcastCommand",
            [
                "Positioning", "WireText", "FleetWire", "RemoteLocation", "MessageTransport", "MosquittoTransport",
                "EventLoop", "CommandLineOptions", "SanitizerSupport", "LocationProviders", "Reporting", "Evaluation",
                "TrackDrawing",
            ]),

        // The measurements, and the C program beside them.
        command(
            "FixcastBench",
            [
                "CommandLineOptions", "Positioning", "LocationProviders", "WireText", "Reporting", "Evaluation",
                "TrackDrawing", "BenchProbes",
                "Outbox", "Delivery", "FleetWire", "MessageTransport", "MosquittoTransport", "EventLoop",
            ]),
        .target(name: "BenchProbes"),
        .executableTarget(name: "BenchPeers", dependencies: ["CMosquitto"]),

        // Damaged input for the readers; see deploy/fuzz.
        command("FixcastFuzz", ["LocationProviders", "FleetWire", "FuzzSupport"]),
        .target(name: "FuzzSupport"),

        // Shared by the tests.
        .target(name: "SanitizerSupport"),
        room(
            "FixcastTestKit",
            ["Positioning", "MessageTransport", "EventLoop", "SanitizerSupport", "FleetWire", "RemoteLocation"]),

        tests("PositioningTests", ["Positioning", "FixcastTestKit"]),
        tests("EventLoopTests", ["EventLoop"]),
        tests("ReportingTests", ["Reporting", "Positioning", "FleetWire", "FixcastTestKit"]),
        tests("SpellingTests", ["Spelling"]),
        tests(
            "FixcastBenchTests", ["FixcastBench", "Positioning", "Evaluation", "FixcastTestKit"],
            exclude: ["GPSDDifferences.md"]),
        tests("EvaluationTests", ["Evaluation", "Reporting", "Positioning"]),
        tests("TrackDrawingTests", ["TrackDrawing", "Positioning"]),
        tests("ConfigurationTests", ["Configuration"]),
        tests("XMLTextTests", ["XMLText"]),
        tests("WireTextTests", ["WireText", "FixcastTestKit"]),
        tests(
            "RemoteLocationTests", ["RemoteLocation", "FleetWire", "MessageTransport", "Positioning", "FixcastTestKit"]),
        tests("FleetWireTests", ["FleetWire", "Positioning", "FixcastTestKit"]),
        tests(
            "FixcastCommandTests",
            [
                "FixcastCommand", "CommandLineOptions", "FleetWire", "MessageTransport", "MosquittoTransport",
                "Positioning", "FixcastTestKit",
            ]),
        tests("AppProvidersTests", ["AppProviders", "Positioning", "FixcastTestKit"]),
        tests("FixcastTests", ["Fixcast", "FixcastTestKit"]),
        tests("CommandLineOptionsTests", ["CommandLineOptions"]),
        tests("DeliveryTests", ["Delivery", "Positioning", "FixcastTestKit"]),
        tests(
            "FixcastAgentTests",
            [
                "Outbox",
                "FixcastAgent", "Configuration", "LocationProviders", "MosquittoTransport", "MessageTransport",
                "FleetWire", "Reporting", "Positioning", "EventLoop", "FixcastTestKit",
            ]),
        tests("OutboxTests", ["Outbox", "Delivery", "Positioning", "FleetWire", "FixcastTestKit"]),
        tests("MessageTransportTests", ["MessageTransport"]),
        tests("MosquittoTransportTests", ["MosquittoTransport", "MessageTransport"]),
        tests(
            "IntegrationTests",
            [
                "FixcastTestKit", "EventLoop", "Positioning", "FleetWire", "MessageTransport", "MosquittoTransport",
                "LocationProviders", "RemoteLocation", "AgentCommand", "FixcastCommand",
                "Outbox", "Delivery", "FixcastBench",
            ]),
        tests("FixcastTestKitTests", ["FixcastTestKit", "Positioning"]),
        tests(
            "LocationProvidersTests",
            ["LocationProviders", "Positioning", "WireText", "XMLText", "EventLoop", "FixcastTestKit"]),
    ]
)
