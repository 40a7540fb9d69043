public import Foundation

/// Real receivers' logs, where they are at hand: in `FIXCAST_DATA`, by default beside the project. Tests that need them
/// are disabled with ``missing`` elsewhere.
public enum RealData {
    public static let missing: String = "no real logs here: set FIXCAST_DATA"

    public static let directory: URL? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["FIXCAST_DATA"]
        let url = path.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent("../shared/data").standardized
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()

    /// The bytes of a file, named from the directory.
    public static func bytes(_ name: String) throws -> [UInt8] {
        guard let directory else { throw CocoaError(.fileNoSuchFile) }
        return [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
    }

    /// The files of a folder whose names end so, as ``bytes(_:)`` takes them.
    public static func names(in folder: String, suffix: String = "") throws -> [String] {
        guard let directory else { throw CocoaError(.fileNoSuchFile) }
        return try FileManager.default.contentsOfDirectory(
            at: directory.appendingPathComponent(folder), includingPropertiesForKeys: [.isDirectoryKey]
        )
        .filter { !$0.hasDirectoryPath && $0.lastPathComponent.hasSuffix(suffix) }
        .map { "\(folder)/\($0.lastPathComponent)" }
        .sorted()
    }
}
