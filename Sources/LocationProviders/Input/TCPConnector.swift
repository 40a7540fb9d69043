internal import EventLoop

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One attempt to connect: the name is resolved on a helper thread, then each address is tried in turn on the loop.
///
/// `@unchecked Sendable`: the helper thread keeps only the reference and hands it back to the loop, where everything
/// is touched; `loop`, `host` and `port` never change.
final class TCPConnector: @unchecked Sendable {
    private let loop: EventLoop
    private let host: String
    private let port: UInt16
    private let timeout: Int64
    private var completion: ((Result<Int32, ConnectFailure>) -> Void)?
    private var addresses: [SocketAddress] = []
    private var failure = ConnectFailure.unknownHost
    private var descriptor: Int32 = -1
    private var watch: Watch?
    private var timer: LoopTimer?

    typealias ConnectFailure = ProviderNotice.ConnectFailure

    /// - Parameters:
    ///   - timeout: nanoseconds for each address.
    ///   - completion: called once on the loop, never inside ``start()``, with a connected non-blocking socket that
    ///     is then the callee's to close, or with why the last address failed.
    init(
        loop: EventLoop, host: String, port: UInt16, timeout: Int64,
        completion: @escaping (Result<Int32, ConnectFailure>) -> Void
    ) {
        self.loop = loop
        self.host = host
        self.port = port
        self.timeout = timeout
        self.completion = completion
    }

    func start() {
        do {
            try BackgroundThread.start { [loop, self] in
                let addresses = SocketAddress.resolve(host: host, port: port)
                loop.execute { self.resolved(addresses) }
            }
        } catch {
            // Without a thread there is no resolving: as if the name were not known, to be tried again.
            loop.execute { self.resolved([]) }
        }
    }

    /// Forgets the attempt; the completion is not called any more. Idempotent.
    func cancel() {
        completion = nil
        endAttempt()
    }

    private func resolved(_ addresses: [SocketAddress]) {
        guard completion != nil else { return }
        self.addresses = addresses.reversed()
        tryNext()
    }

    private func tryNext() {
        while let address = addresses.popLast() {
            do {
                descriptor = try address.connect()
            } catch {
                failure = .errno(error.errno)
                continue
            }
            // Both hold the attempt until it ends, and the descriptor with it.
            watch = loop.watch(descriptor, for: .write) { _ in self.ready() }
            timer = loop.schedule(at: EventLoop.now() + timeout) { self.failed(.timeout) }
            return
        }
        complete(.failure(failure))
    }

    private func ready() {
        if let error = SocketError(pendingOn: descriptor) { return failed(.errno(error.errno)) }
        let connected = descriptor
        descriptor = -1
        endAttempt()
        complete(.success(connected))
    }

    private func failed(_ failure: ConnectFailure) {
        self.failure = failure
        endAttempt()
        tryNext()
    }

    private func endAttempt() {
        watch?.cancel()
        timer?.cancel()
        (watch, timer) = (nil, nil)
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func complete(_ result: Result<Int32, ConnectFailure>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
