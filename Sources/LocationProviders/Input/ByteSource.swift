internal import EventLoop
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A source of bytes on a loop, whatever its kind: opened, watched, read, closed and opened again.
///
/// `@unchecked Sendable`: `address`, `loop` and `timeout` never change; everything else is touched on the loop's thread
/// (before it runs, on the one that sets it up) alone; only the reference travels, when a provider is dropped elsewhere
/// and sends the loop to ``close()``.
final class ByteSource: @unchecked Sendable {
    /// What a source can do, as far as it decides how it is read.
    enum Kind: Equatable, Sendable {
        /// Serial line, TCP connection, or a device: opened again when it ends.
        case stream
        /// Each datagram has a sender.
        case datagrams
        /// Holds all that there will be: read at the consumer's pace, once.
        case file
        /// Its writers come and go.
        case fifo
        /// Ends for good.
        case once
    }

    /// What an attempt to read led to.
    enum Reading: Equatable, Sendable {
        case bytes(Int)
        case nothing
        /// The source is gone; it may come back.
        case lost
        /// The writer of a FIFO is gone; the FIFO stays open.
        case writerLeft
        /// The end of what there is.
        case ended
    }

    let address: SourceAddress
    /// As far as the path tells; looked at again at each opening.
    private(set) var kind: Kind
    private let loop: EventLoop
    private let timeout: Int64
    private let socket = LoopSocket()
    /// Counts attempts, so that the answer to one that was given up finds nobody.
    private var attempt: UInt64 = 0

    /// - Parameter timeout: nanoseconds for an attempt to connect to one address.
    init(_ address: SourceAddress, loop: EventLoop, timeout: Int64) {
        self.address = address
        self.loop = loop
        self.timeout = timeout
        kind = Self.kind(of: address)
    }

    /// When the file that is open was written; `nil` for everything else.
    private(set) var modified: UTCInstant?

    var isOpen: Bool { socket.descriptor >= 0 }

    /// Whether reading would not wait.
    var hasInput: Bool {
        guard isOpen else { return false }
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) > 0
    }

    // MARK: Opening

    /// Opens the source and tells how that went, on the loop, never inside the call.
    ///
    /// - Parameter rate: to begin with, of a serial port whose address has none.
    func open(rate: BaudRate?, _ completion: @escaping @Sendable (SourceFailure?) -> Void) {
        attempt += 1
        if case .tcp(let host, let port) = address { return connect(host, port, completion) }
        let failure: SourceFailure?
        do throws(SourceFailure) {
            let descriptor = try openDescriptor(rate)
            kind = Self.kind(of: address)
            modified = kind == .file ? Self.modification(of: descriptor) : nil
            socket.connected(descriptor)
            failure = nil
        } catch {
            failure = error
        }
        loop.execute { [weak self, attempt] in
            if let self, self.attempt == attempt { completion(failure) }
        }
    }

    private func connect(_ host: String, _ port: UInt16, _ completion: @escaping @Sendable (SourceFailure?) -> Void) {
        let connector = TCPConnector(loop: loop, host: host, port: port, timeout: timeout) { [weak self] result in
            switch (result, self) {
            case (.success(let descriptor), nil): closeDescriptor(descriptor)
            case (.success(let descriptor), let source?):
                source.socket.connected(descriptor)
                completion(nil)
            case (.failure(let failure), let source?):
                source.socket.connectFailed()
                completion(SourceFailure(failure))
            case (.failure, nil): break
            }
        }
        socket.connect(connector)
    }

    private func openDescriptor(_ rate: BaudRate?) throws(SourceFailure) -> Int32 {
        switch address {
        case .serial(let path, let baud):
            let descriptor = try SerialPort.open(path, rate: baud)
            if let rate { SerialPort.setRate(rate, of: descriptor) }
            return descriptor
        case .udp(let address, let port): return try DatagramSocket.listen(at: address, port: port)
        case .file(let path): return try Self.openFile(path)
        case .standardInput:
            // A descriptor of its own: closing it leaves the program's open. Not made non-blocking, which would
            // reach whoever else has it; it is read when there is something.
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { throw SourceFailure(errno: errno) }
            return descriptor
        case .tcp: throw .unknownHost
        }
    }

    private static func openFile(_ path: String) throws(SourceFailure) -> Int32 {
        // Of a FIFO nobody waits for a writer here, of a terminal for a carrier.
        let descriptor = try LocationProviders.openDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            closeDescriptor(descriptor)
            throw .directory
        }
        return descriptor
    }

    private static func modification(of descriptor: Int32) -> UTCInstant? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return UTCInstant(milliseconds: Int64(status.st_mtimespec.tv_sec) * 1000)
        #else
        return UTCInstant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000)
        #endif
    }

    private static func kind(of address: SourceAddress) -> Kind {
        var status = stat()
        switch address {
        case .serial, .tcp: return .stream
        case .udp: return .datagrams
        case .standardInput:
            return unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? .file : .once
        case .file(let path):
            guard unsafe stat(path, &status) == 0 else { return .file }
            switch status.st_mode & S_IFMT {
            case S_IFIFO: return .fifo
            case S_IFCHR: return .stream
            default: return .file
            }
        }
    }

    // MARK: Reading

    /// Calls `handler` while there is something to read, or the source is gone.
    func watch(_ handler: @escaping () -> Void) { socket.watch(on: loop, handler) }

    func unwatch() { socket.unwatch() }

    /// Reads what there is, as much as fits; not for datagrams.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        let count = unsafe systemRead(socket.descriptor, buffer)
        if count > 0 { return .bytes(count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        switch kind {
        case .file, .once: return .ended
        case .fifo where count == 0: return awaitNextWriter()
        case .stream, .fifo, .datagrams: return .lost
        }
    }

    /// Reads one datagram.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, sender: DatagramSocket.Sender)? {
        unsafe DatagramSocket.receive(socket.descriptor, into: buffer)
    }

    /// A FIFO at its end tells so again and again; opened anew, it waits. It is open all the time, so that no writer
    /// that comes just now finds nobody.
    private func awaitNextWriter() -> Reading {
        do throws(SourceFailure) {
            let next = try openDescriptor(nil)
            socket.close()
            socket.connected(next)
            return .writerLeft
        } catch {
            return .lost
        }
    }

    /// Sets the rate of a serial port.
    func setRate(_ rate: BaudRate) { SerialPort.setRate(rate, of: socket.descriptor) }

    /// Closes the source or gives the attempt to open it up. Idempotent.
    func close() {
        attempt += 1
        if case .serial = address, isOpen { SerialPort.release(socket.descriptor) }
        socket.close()
    }
}

extension SourceFailure {
    fileprivate init(_ failure: ProviderNotice.ConnectFailure) {
        switch failure {
        case .unknownHost: self = .unknownHost
        case .timeout: self = .timeout
        case .errno(let code): self = .errno(code)
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
