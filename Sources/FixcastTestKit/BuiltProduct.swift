internal import Foundation

/// The executables that were built together with the tests.
public enum BuiltProduct {
    /// The path of a product such as `fixcast-agent`.
    public static func path(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
