public import Foundation

/// A directory of its own for one test, removed with the object.
public final class TemporaryDirectory: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fixcast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public var path: String { url.path }

    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes a text file and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: file(name))
        return file(name).path
    }
}
