internal import Foundation

/// Asks `condition` again and again until it holds or the deadline passes; returns whether it held.
public func eventually(
    seconds: Double = 20, _ condition: @Sendable () async throws -> Bool
) async rethrows -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
        if try await condition() { return true }
        if Date() > deadline { return false }
        try? await Task.sleep(nanoseconds: 20_000_000)
    }
}
