/// A change in a provider's state that is worth a line in a log; told once per change. Holds no coordinates.
public enum ProviderNotice: Equatable, Sendable {
    /// The source answers.
    case connected(address: String)
    /// The source cannot be reached; attempts go on.
    case unreachable(address: String, ConnectFailure)
    /// The source ended the connection, or it broke; attempts go on.
    case disconnected(address: String)
    /// Connected, yet nothing usable came for the configured time.
    case silent(address: String)
    /// The source delivers again after ``silent(address:)``.
    case delivering(address: String)
    /// gpsd has no device, or lost the one it had.
    case deviceLost(address: String)
    /// Another of gpsd's devices is followed from now on, because the one before has no fix, or because it is the
    /// configured one and has one again; `nil` where gpsd did not name it.
    case deviceChanged(address: String, device: String?)
    /// gpsd does not know the configured device; another is followed as long as that is so.
    case deviceMissing(address: String, device: String)
    /// gpsd speaks another major version of its protocol; it is read as far as it is understood.
    case unknownProtocol(address: String, major: Int)
    /// gpsd refused a request.
    case refused(address: String)
    /// NMEA sentences come; from a serial port whose rate was found, with that.
    case reading(source: SourceAddress, found: BaudRate?)
    /// The source cannot be opened; attempts go on.
    case sourceUnavailable(source: SourceAddress, SourceFailure)
    /// The source was unplugged or closed at the other end; it is looked for.
    case sourceLost(source: SourceAddress)
    /// Open, yet nothing came for the configured time.
    case sourceSilent(source: SourceAddress)
    /// What comes is no NMEA: perhaps the wrong baud rate or another protocol.
    case notNMEA(source: SourceAddress)
    /// The program cannot be started (`errno` says why); attempts go on.
    case commandFailed(name: String, errno: Int32)
    /// The program tells positions.
    case commandDelivers(name: String)
    /// The program ended; it is started again.
    case commandEnded(name: String, CommandExit)
    /// The program runs, yet told of no position for the configured time.
    case commandSilent(name: String)
    /// The program printed a line that cannot be read; told once a start.
    case commandGarbage(name: String)
    /// A line of the program's standard error, or an error that it told, and how many were left out before it; what may
    /// be a coordinate is not in it.
    case commandSays(name: String, text: String, suppressed: UInt64)
    /// A row or a point of a log cannot be read and is left out; the first few are told.
    case skipped(file: String, line: UInt64)
    /// How many of a log's rows or points could not be read, told at its end where they were not all told before.
    case skippedInAll(file: String, count: UInt64)
    /// A log ends in the middle of something; what is whole was replayed.
    case cutOff(file: String)
    /// The file, or what else was read once, is at its end.
    case ended(file: String)
    /// The file could not be read on.
    case failed(ReplayError)

    /// Why no connection came about.
    public enum ConnectFailure: Error, Equatable, Sendable {
        /// The host's name is not known (now).
        case unknownHost
        /// The system's error number.
        case errno(Int32)
        /// No answer within the configured time.
        case timeout
    }
}
