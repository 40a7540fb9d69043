// swift-tools-version: 6.2
import PackageDescription

// Where there is no CoreLocation, `CoreLocationProvider` is compiled and tested against a small module of that name;
// `deploy/test --only corelocation` runs it. Not part of Fixcast's own package, whose sources it reaches by links.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "corelocation-shim",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "CoreLocation", swiftSettings: settings),
        .target(name: "Positioning", swiftSettings: settings),
        .target(name: "AppProviders", dependencies: ["Positioning", "CoreLocation"], swiftSettings: settings),
        .target(name: "FixcastTestKit", dependencies: ["Positioning"], swiftSettings: settings),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: ["AppProviders", "CoreLocation", "FixcastTestKit", "Positioning"], swiftSettings: settings),
    ]
)
