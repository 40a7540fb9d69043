// swift-tools-version: 6.2
import PackageDescription

// An app that depends on Fixcast by a version, as users do; `deploy/test --only consumer` builds it against a tagged
// clone. Not part of Fixcast's own package.
guard let clone = Context.environment["FIXCAST_CLONE"] else {
    fatalError("FIXCAST_CLONE is not set; run deploy/test --only consumer")
}

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "file://\(clone)", exact: "0.0.1")],
    targets: [
        .executableTarget(name: "consumer", dependencies: [.product(name: "Fixcast", package: "fixcast")])
    ]
)
