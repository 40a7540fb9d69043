internal import EventLoop

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// One life of a program: its process, the watches of its pipes and the half lines in them. Confined to its loop.
final class CommandLife {
    /// What there was to read.
    enum Reading { case some, none, end }

    private let process: CommandProcess
    private let loop: EventLoop
    private var output = LineSplitter(capacity: 65_536)
    private var errors = LineSplitter(capacity: 4096)
    private var (outputWatch, errorWatch): (Watch?, Watch?)

    init(_ process: CommandProcess, on loop: EventLoop) {
        self.process = process
        self.loop = loop
    }

    func watchOutput(_ handler: @escaping () -> Void) {
        guard outputWatch == nil, process.output >= 0 else { return }
        outputWatch = loop.watch(process.output, for: .read) { _ in handler() }
    }

    func unwatchOutput() {
        outputWatch?.cancel()
        outputWatch = nil
    }

    func watchErrors(_ handler: @escaping () -> Void) {
        errorWatch = loop.watch(process.errors, for: .read) { _ in handler() }
    }

    private func unwatchErrors() {
        errorWatch?.cancel()
        errorWatch = nil
    }

    /// Reads what there is; all lines must have been taken before. At the end the last line needs no line end.
    func fillOutput(_ tap: ((RawStreamEvent) -> Void)?) -> Reading {
        let descriptor = process.output
        var copy: [UInt8] = []
        let count = unsafe output.fill { free in
            let count = unsafe read(descriptor, free.baseAddress, free.count)
            if count > 0, tap != nil {
                unsafe copy.append(contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(free)[..<count]))
            }
            return count
        }
        if count > 0 {
            tap?(.bytes(copy))
            return .some
        }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .none : .end
    }

    func nextLine() -> Range<Int>? { output.nextLine() }

    func withOutput<Result>(_ line: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        Self.lend(line, of: output, to: body)
    }

    func readErrors(_ body: (Span<UInt8>) -> Void) {
        let descriptor = process.errors
        let count = unsafe errors.fill { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        while let line = errors.nextLine() { withErrors(line, body) }
        guard count <= 0 else { return }
        if let line = errors.lastLine() { withErrors(line, body) }
        unwatchErrors()
        process.closeErrors()
    }

    private func withErrors(_ line: Range<Int>, _ body: (Span<UInt8>) -> Void) {
        Self.lend(line, of: errors, to: body)
    }

    private static func lend<Result>(
        _ line: Range<Int>, of lines: borrowing LineSplitter, to body: (Span<UInt8>) -> Result
    ) -> Result {
        body(lines.bytes.span.extracting(line))
    }

    func end(isWanted: Bool, _ ended: @escaping (CommandExit) -> Void) {
        unwatchOutput()
        unwatchErrors()
        process.end(isWanted: isWanted, ended)
    }
}
