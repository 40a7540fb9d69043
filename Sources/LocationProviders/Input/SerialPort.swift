#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A serial line as receivers use it: 8 data bits, no parity, 1 stop bit, no flow control, no modem lines, no
/// processing of what comes.
enum SerialPort {
    /// Opens the port for this program alone, without waiting for a carrier and without becoming its terminal.
    ///
    /// - Parameter rate: as it is set already where `nil`.
    /// - Returns: a non-blocking descriptor that is the caller's to close.
    static func open(_ path: String, rate: BaudRate?) throws(SourceFailure) -> Int32 {
        // Reading is all that is needed, also to set the line up.
        let descriptor = try openDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        do throws(SourceFailure) {
            guard isatty(descriptor) == 1 else { throw .notSerial }
            // The lock tells other programs that look for one; root passes the exclusive mode.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse }
            setExclusive(true, descriptor)
            try setUp(descriptor, rate)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Sets the rate of an open port and forgets what came at the old one; a port that has no such rate keeps its own.
    static func setRate(_ rate: BaudRate, of descriptor: Int32) {
        do throws(SourceFailure) {
            var line = try attributes(of: descriptor)
            unsafe cfsetspeed(&line, rate.speed)
            try apply(&line, to: descriptor)
        } catch {
            // Reading will tell, as a rate that is not the receiver's or as the end of the port.
        }
    }

    /// Gives the port back to others; to be called before it is closed.
    static func release(_ descriptor: Int32) { setExclusive(false, descriptor) }

    private static func setExclusive(_ isExclusive: Bool, _ descriptor: Int32) {
        #if os(Linux)
        _ = ioctl(descriptor, UInt(isExclusive ? TIOCEXCL : TIOCNXCL))
        #else
        // TIOCEXCL and TIOCNXCL, which are macros that Swift does not read there.
        _ = ioctl(descriptor, UInt(isExclusive ? 0x2000_740D : 0x2000_740E))
        #endif
    }

    private static func setUp(_ descriptor: Int32, _ rate: BaudRate?) throws(SourceFailure) {
        var line = try attributes(of: descriptor)
        line.c_iflag &= ~tcflag_t(
            IGNBRK | BRKINT | IGNPAR | PARMRK | INPCK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF | IXANY)
        line.c_oflag &= ~tcflag_t(OPOST)
        line.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        // Whether closing drops the modem lines stays as it was set: it resets some receivers.
        line.c_cflag &= ~(tcflag_t(CSIZE | PARENB | CSTOPB) | tcflag_t(CRTSCTS))
        line.c_cflag |= tcflag_t(CS8 | CREAD | CLOCAL)
        // Without a byte there is an error and no end of file, which means that the port is gone.
        unsafe withUnsafeMutableBytes(of: &line.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
        if let rate { unsafe cfsetspeed(&line, rate.speed) }
        try apply(&line, to: descriptor)
    }

    private static func attributes(of descriptor: Int32) throws(SourceFailure) -> termios {
        var line = termios()
        guard unsafe tcgetattr(descriptor, &line) == 0 else { throw SourceFailure(errno: errno) }
        return line
    }

    private static func apply(_ line: inout termios, to descriptor: Int32) throws(SourceFailure) {
        guard unsafe tcsetattr(descriptor, TCSANOW, &line) == 0 else { throw SourceFailure(errno: errno) }
        tcflush(descriptor, TCIFLUSH)
    }
}

/// Opens a path, closed on exec.
func openDescriptor(_ path: String, _ flags: Int32) throws(SourceFailure) -> Int32 {
    let descriptor = unsafe open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw SourceFailure(errno: errno) }
    return descriptor
}

extension SourceFailure {
    init(errno code: Int32) {
        switch code {
        case ENOENT, ENOTDIR, ENODEV, ENXIO, EIO: self = .missing
        case EACCES, EPERM: self = .permissionDenied
        case EBUSY, EADDRINUSE: self = .inUse
        case ENOTTY: self = .notSerial
        case EISDIR: self = .directory
        default: self = .errno(code)
        }
    }
}

extension BaudRate {
    /// The system's word for it.
    fileprivate var speed: speed_t {
        #if os(Linux)
        switch self {
        case .b1200: speed_t(B1200)
        case .b2400: speed_t(B2400)
        case .b4800: speed_t(B4800)
        case .b9600: speed_t(B9600)
        case .b19200: speed_t(B19200)
        case .b38400: speed_t(B38400)
        case .b57600: speed_t(B57600)
        case .b115200: speed_t(B115200)
        case .b230400: speed_t(B230400)
        case .b460800: speed_t(B460800)
        case .b921600: speed_t(B921600)
        }
        #else
        speed_t(rawValue)
        #endif
    }
}
