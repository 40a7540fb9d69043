public import Positioning

/// Is told the current position by a ``PositionLoop`` (S3's navigation control): a map that follows it, for example.
public protocol PositionObserver: AnyObject, Sendable {
    /// - Parameter position: marked ``Positioning/UnreliableReasons/noFix`` where its source has no fix.
    func update(_ position: Location)
}
