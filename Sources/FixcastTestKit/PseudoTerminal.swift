public import Foundation
internal import Synchronization

/// A serial port without hardware: the test has the receiver's end, a program opens ``path``, a symbolic link as udev
/// makes them. Begins with the line discipline that a terminal has, so that nobody forgets to set the line up.
public final class PseudoTerminal: Sendable {
    /// The link to the device; stays where it is when the receiver is unplugged.
    public let path: String
    private let master = Mutex<Int32>(-1)

    /// - Parameter name: of the link in `directory`.
    public init(_ name: String = "ttyUSB0", in directory: TemporaryDirectory) throws {
        path = directory.file(name).path
        try plug()
    }

    deinit { unplug() }

    /// Puts a receiver in, as another device behind the same link.
    public func plug() throws {
        let (descriptor, device) = try Self.open()
        master.withLock { $0 = descriptor }
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: device)
    }

    /// Pulls the receiver out: the port hangs up, and the link leads nowhere.
    public func unplug() {
        master.withLock { master in
            if master >= 0 { close(master) }
            master = -1
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The receiver's end, and the path of the device.
    private static func open() throws -> (Int32, String) {
        #if os(Linux)
        // glibc hides the functions of POSIX for this from a plain import.
        let descriptor = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (number, locked) = (Int32(-1), Int32(0))
        let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        guard descriptor >= 0, unsafe ioctl(descriptor, unlock, &locked) == 0,
            unsafe ioctl(descriptor, getNumber, &number) == 0
        else { throw POSIXError(.ENXIO) }
        return (descriptor, "/dev/pts/\(number)")
        #else
        let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
        guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0,
            let name = unsafe ptsname(descriptor)
        else { throw POSIXError(.ENXIO) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return (descriptor, unsafe String(cString: name))
        #endif
    }

    /// Sends bytes; what does not fit is lost, as on a serial line that nobody reads.
    public func send(_ bytes: [UInt8]) {
        master.withLock { master in
            guard master >= 0 else { return }
            _ = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
        }
    }

    public func send(_ text: String) { send(Array(text.utf8)) }

    /// How the line is set up now.
    public var attributes: termios {
        var line = termios()
        _ = master.withLock { unsafe tcgetattr($0, &line) }
        return line
    }

    /// What came from the program; a receiver expects nothing.
    public var received: [UInt8] {
        master.withLock { master in
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(master, &bytes, bytes.count)
            return Array(bytes.prefix(max(0, count)))
        }
    }
}
