import Configuration
import LocationProviders
import Testing

@testable import FixcastAgent

@Suite struct SourceAddressTests {
    @Test(arguments: [
        ("serial:/dev/ttyUSB0", SourceAddress.serial(path: "/dev/ttyUSB0", baud: nil)),
        ("serial:/dev/ttyUSB0?baud=auto", .serial(path: "/dev/ttyUSB0", baud: nil)),
        ("serial:/dev/ttyUSB0?baud=4800", .serial(path: "/dev/ttyUSB0", baud: .b4800)),
        ("serial:///dev/ttyACM0?baud=115200", .serial(path: "/dev/ttyACM0", baud: .b115200)),
        (
            "serial:/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_7-if00",
            .serial(path: "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_7-if00", baud: nil)
        ),
        (
            "serial:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0",
            .serial(path: "/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0", baud: nil)
        ),
        ("tcp://router", .tcp(host: "router", port: 10_110)),
        ("tcp://192.168.1.1:5000", .tcp(host: "192.168.1.1", port: 5000)),
        ("tcp://[fe80::1]:5000", .tcp(host: "fe80::1", port: 5000)),
        ("tcp://[::1]", .tcp(host: "::1", port: 10_110)),
        ("udp://0.0.0.0:10110", .udp(address: "0.0.0.0", port: 10_110)),
        ("udp://[::]:2000", .udp(address: "::", port: 2000)),
        ("udp://239.2.1.1", .udp(address: "239.2.1.1", port: 10_110)),
        ("file:drive.nmea", .file("drive.nmea")), ("file:/var/log/a?b.nmea", .file("/var/log/a?b.nmea")),
        ("file:///var/log/a.nmea", .file("/var/log/a.nmea")), ("stdin:", .standardInput), ("stdin", .standardInput),
    ])
    func sourcesAreRead(text: String, source: SourceAddress) throws {
        #expect(try AgentKeys.sourceFormat.read(text) == source)
        #expect(try AgentKeys.sourceFormat.read(source.description) == source)
    }

    @Test(arguments: [
        ("/dev/ttyUSB0", "write serial:/dev/ttyUSB0"), ("drive.nmea", "write file:drive.nmea"), ("-", "write stdin:"),
        ("gps", "does not say what it is"), ("serail:/dev/ttyUSB0", "did you mean serial:?"),
        ("http://host", "begins with none of serial:, tcp://, udp://, file: and stdin:"),
        ("router:10110", "write tcp://router:10110 or udp://0.0.0.0:10110"),
        ("serial:ttyUSB0", "names no device by its path"), ("serial:", "names no device by its path"),
        ("serial:/dev/ttyUSB0:9600", "write serial:/dev/ttyUSB0?baud=9600"),
        ("serial:/dev/ttyUSB0?baud=9601", "\"9601\" is no baud rate; did you mean 9600?"),
        ("serial:/dev/ttyUSB0?baud=09600", "is no baud rate"),
        ("serial:/dev/ttyUSB0?baud=fast", "It is one of 1200, 2400, 4800"),
        ("serial:/dev/ttyUSB0?speed=9600", "all that may stand there is ?baud=9600"),
        ("serial:/dev/ttyUSB0?", "all that may stand there is ?baud=9600"), ("tcp:router", "lacks the //"),
        ("tcp://", "names no host"), ("tcp://router:0", "no port from 1 to 65535"),
        ("tcp://router:65536", "no port from 1 to 65535"), ("tcp://router:", "no port from 1 to 65535"),
        ("tcp://fe80::1:10110", "IPv6 address without brackets"),
        ("tcp://[router]:1", "no IPv6 address in its brackets"),
        ("tcp://router/path", "names no host"), ("tcp://user@router", "names no host"),
        ("udp://router:10110", "write udp://0.0.0.0:10110"), ("udp://:10110", "names no host"),
        ("udp:10110", "lacks the //"), ("file:", "names no file"),
    ])
    func whatIsWrongIsSaidWithWhatWouldBeRight(text: String, expected: String) {
        #expect {
            try AgentKeys.sourceFormat.read(text)
        } throws: { error in
            let message = (error as? InvalidValue)?.message ?? ""
            return message.contains(expected)
        }
    }
}
