internal import EventLoop
internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One question to gpsd for what it saw last, over a connection of its own: for `lastLocation` while nobody tracks.
///
/// `@unchecked Sendable`: confined to the loop's thread, from ``start()`` on; only the reference travels.
final class GPSDInquiry: @unchecked Sendable {
    /// gpsd answers only those who watch; these watch without being told anything.
    private static let request = #"?WATCH={"enable":true,"json":false};"# + "\n?POLL;\n"

    private let loop: EventLoop
    private let settings: GPSDSettings
    private let accuracy: GPSDAccuracy
    private let device: GPSDDevice?
    private var completion: ((Location?) -> Void)?
    private let socket = LoopSocket()
    private var lines = LineSplitter()
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - device: whose position is wanted first.
    ///   - completion: called once, on the loop, with gpsd's best position, or `nil` where it has none or does not answer.
    init(
        loop: EventLoop, settings: GPSDSettings, accuracy: GPSDAccuracy, device: GPSDDevice?,
        completion: @escaping (Location?) -> Void
    ) {
        self.loop = loop
        self.settings = settings
        self.accuracy = accuracy
        self.device = device
        self.completion = completion
    }

    /// The attempt holds itself until it ends, which it does in time.
    func start() {
        let timeout = settings.inquiryTimeout.wholeNanoseconds
        timer = loop.schedule(at: EventLoop.now() + timeout) { self.end(nil) }
        socket.connect(
            TCPConnector(loop: loop, host: settings.host, port: settings.port, timeout: timeout) { result in
                switch result {
                case .success(let descriptor): self.ask(descriptor)
                case .failure: self.end(nil)
                }
            })
    }

    private func ask(_ descriptor: Int32) {
        socket.connected(descriptor)
        let request = [UInt8](Self.request.utf8)
        guard unsafe write(descriptor, request, request.count) == request.count else { return end(nil) }
        socket.watch(on: loop) { self.receive() }
    }

    private func receive() {
        let descriptor = socket.descriptor
        let count = unsafe lines.fill { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        if count <= 0 { return end(nil) }
        while let line = lines.nextLine() {
            if case .poll(let tpvs, let skies)? = try? GPSDMessage.read(lines.bytes.span.extracting(line)) {
                return end(GPSDTranslator.best(tpvs, skies, of: device, accuracy: accuracy))
            }
        }
    }

    private func end(_ location: Location?) {
        timer?.cancel()
        timer = nil
        socket.close()
        let completion = completion
        self.completion = nil
        completion?(location)
    }
}
