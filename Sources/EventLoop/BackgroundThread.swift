#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A short-lived thread for what blocks (name resolution, a connect); results go back with ``EventLoop/execute(_:)``.
public enum BackgroundThread {
    /// Runs `body` on a new detached thread with all signals blocked.
    ///
    /// - Throws: ``EventLoopError/noThread(errno:)`` when the system has none to give.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(EventLoopError) {
        let box = unsafe Unmanaged.passRetained(Body(body))
        var (all, previous) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        #if os(Linux)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = unsafe pthread_create(&thread, nil, runBody, box.toOpaque())
        guard code == 0 else {
            unsafe box.release()
            throw .noThread(errno: code)
        }
        #if os(Linux)
        pthread_detach(thread)
        #else
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
    }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if os(Linux)
private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
#else
private func runBody(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
#endif
