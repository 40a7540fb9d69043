internal import Positioning
internal import WireText

extension GPSDMessage {
    /// Reads one line; throws where it is not the JSON of an object, so that half a line is never half a position.
    static func read(_ line: Span<UInt8>) throws(JSONError) -> GPSDMessage {
        // gpsd writes the class first, and then one pass does.
        let message = try JSONReader.read(line) { (json: inout JSONReader) throws(JSONError) -> GPSDMessage? in
            try json.beginObject()
            guard let key = try json.nextKey(), key == "class" else { return nil }
            return try readMembers(&json, of: try json.word())
        }
        if let message { return message }
        let className = try findClass(line)
        return try JSONReader.read(line) { (json: inout JSONReader) throws(JSONError) -> GPSDMessage in
            try json.beginObject()
            return try readMembers(&json, of: className)
        }
    }

    private static func readMembers(
        _ json: inout JSONReader, of className: JSONWord?
    ) throws(JSONError) -> GPSDMessage {
        switch className {
        case "TPV": .tpv(try readTPV(&json))
        case "SKY": .sky(try readSKY(&json))
        case "VERSION": .version(major: try readVersion(&json))
        case "DEVICES": .devices(try readDevices(&json))
        case "DEVICE": try readDevice(&json)
        case "ERROR": .error
        default: .other
        }
    }

    private static func findClass(_ line: Span<UInt8>) throws(JSONError) -> JSONWord? {
        try JSONReader.read(line) { (json: inout JSONReader) throws(JSONError) -> JSONWord? in
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "class" { return try json.word() }
            }
            return nil
        }
    }

    private static func readTPV(_ json: inout JSONReader) throws(JSONError) -> TPV {
        var tpv = TPV()
        while let key = try json.nextKey() {
            switch key {
            case "device": tpv.device = try json.device()
            case "mode": tpv.mode = try json.integer()
            case "status": tpv.status = try json.integer()
            case "time": tpv.time = try json.time()
            case "lat": tpv.latitude = try json.double()
            case "lon": tpv.longitude = try json.double()
            case "altHAE": tpv.altitudeEllipsoid = try json.double()
            case "altMSL": tpv.altitudeSeaLevel = try json.double()
            case "alt": tpv.altitude = try json.double()
            case "speed": tpv.speed = try json.double()
            case "track": tpv.track = try json.double()
            case "eph": tpv.horizontalError = try json.double()
            case "epx": tpv.eastError = try json.double()
            case "epy": tpv.northError = try json.double()
            case "epv": tpv.verticalError = try json.double()
            case "eps": tpv.speedError = try json.double()
            case "epd": tpv.trackError = try json.double()
            default: break
            }
        }
        try json.finish()
        return tpv
    }

    private static func readSKY(_ json: inout JSONReader) throws(JSONError) -> SKY {
        var sky = SKY()
        while let key = try json.nextKey() {
            switch key {
            case "device": sky.device = try json.device()
            case "hdop": sky.hdop = try json.double()
            case "uSat": sky.satellitesUsed = try json.integer()
            default: break
            }
        }
        try json.finish()
        return sky
    }

    private static func readVersion(_ json: inout JSONReader) throws(JSONError) -> Int? {
        var major: Int64?
        while let key = try json.nextKey() {
            if key == "proto_major" { major = try json.integer() }
        }
        return major.map { Int(clamping: $0) }
    }

    private static func readDevices(_ json: inout JSONReader) throws(JSONError) -> Int {
        var count = 0
        while let key = try json.nextKey() {
            guard key == "devices", try json.kind() == .array else { continue }
            try json.beginArray()
            while try json.nextElement() { count += 1 }
        }
        return count
    }

    /// `activated` is the time of activation, and 0 when the device went.
    private static func readDevice(_ json: inout JSONReader) throws(JSONError) -> GPSDMessage {
        var (device, isActive) = (GPSDDevice?.none, true)
        while let key = try json.nextKey() {
            switch key {
            case "path": device = try json.device()
            case "activated": if try json.kind() == .number { isActive = try json.double() != 0 }
            default: break
            }
        }
        return .device(device, isActive: isActive)
    }
}

extension JSONReader {
    /// A number, or `nil` for a value of another type, which is then passed over.
    fileprivate mutating func double() throws(JSONError) -> Double? {
        do { return try readDouble() } catch { return try absent(error) }
    }

    fileprivate mutating func integer() throws(JSONError) -> Int64? {
        do { return try readInteger() } catch { return try absent(error) }
    }

    fileprivate mutating func word() throws(JSONError) -> JSONWord? {
        do { return try readWord() } catch { return try absent(error) }
    }

    fileprivate mutating func time() throws(JSONError) -> UTCInstant? {
        do { return try readTimestamp().map { UTCInstant(milliseconds: $0) } } catch { return try absent(error) }
    }

    fileprivate mutating func device() throws(JSONError) -> GPSDDevice? {
        do { return try withStringBytes { GPSDDevice($0) } } catch { return try absent(error) }
    }

    private func absent<Value>(_ error: JSONError) throws(JSONError) -> Value? {
        if error.code == .type { return nil }
        throw error
    }
}
