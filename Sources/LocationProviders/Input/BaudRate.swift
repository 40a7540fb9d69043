/// The rates at which receivers talk over a serial line, in bits per second.
public enum BaudRate: Int, Sendable, CaseIterable {
    case b1200 = 1200
    case b2400 = 2400
    case b4800 = 4800
    case b9600 = 9600
    case b19200 = 19_200
    case b38400 = 38_400
    case b57600 = 57_600
    case b115200 = 115_200
    case b230400 = 230_400
    case b460800 = 460_800
    case b921600 = 921_600
}
