#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension ReplayError: CustomStringConvertible {
    /// What is wrong and what would be right, beginning with the file.
    public var description: String {
        switch self {
        case .cannotRead(let file, let code): "\(file): cannot be read: \(systemText(code))"
        case .notAFile(let file): "\(file): is no regular file"
        case .unknownFormat(let file, let found):
            "\(file): \(text(found)); a log is NMEA 0183 with checksums, gpsd's JSON, GPX, CSV with lat and lon in its header, or a recording"
        case .noPositions(let file): "\(file): holds no position"
        case .unknownRoute(let file): "\(file): is neither GPX nor GeoJSON; a route is one of them"
        case .damaged(let file, let line, let damage):
            "\(file):\(line): cannot be read from here on: \(text(damage))"
        }
    }
}

private func text(_ content: UnknownContent) -> String {
    switch content {
    case .nothing: "is empty"
    case .binary: "holds binary data"
    case .text: "holds some other text"
    case .xml(let root): "holds XML, but its root is \(root)"
    case .json: "holds JSON, but no TPV report of gpsd"
    case .uncheckedSentences: "holds NMEA 0183 sentences without a right checksum"
    case .sentencesWithoutPosition: "holds NMEA 0183 sentences, but none that tells a position"
    case .laterRecording: "is a recording that a later version made"
    }
}

private func text(_ damage: ReplayError.Damage) -> String {
    switch damage {
    case .malformed(let text): text
    case .entities: "it declares entities, which no GPX file needs"
    case .tooLong: "a tag or a comment without end"
    case .memory: "no memory left"
    }
}

private func systemText(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
