#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a descriptor is watched for, and what it is ready for.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Readiness(rawValue: 1)
    public static let write = Readiness(rawValue: 2)
    /// The other end hung up or the descriptor is broken; never asked for, always told.
    public static let failed = Readiness(rawValue: 4)

    var pollEvents: Int16 {
        (contains(.read) ? Int16(POLLIN) : 0) | (contains(.write) ? Int16(POLLOUT) : 0)
    }

    init(pollEvents: Int16) {
        var ready: Readiness = []
        if pollEvents & Int16(POLLIN) != 0 { ready.insert(.read) }
        if pollEvents & Int16(POLLOUT) != 0 { ready.insert(.write) }
        if pollEvents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { ready.insert(.failed) }
        self = ready
    }
}

/// A watched descriptor. Confined to its loop's thread.
public final class Watch {
    let descriptor: Int32
    private(set) var isCancelled = false
    let handler: (Readiness) -> Void
    private weak var loop: EventLoop?

    /// What the descriptor is watched for; empty pauses it.
    public var interest: Readiness {
        didSet { if interest != oldValue { loop?.watchesChanged() } }
    }

    init(_ descriptor: Int32, _ interest: Readiness, _ handler: @escaping (Readiness) -> Void, loop: EventLoop) {
        self.descriptor = descriptor
        self.interest = interest
        self.handler = handler
        self.loop = loop
    }

    /// Stops watching; the handler is not called again. Idempotent.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        loop?.remove(self)
    }
}
