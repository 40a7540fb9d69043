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
        case "POLL": try readPoll(&json)
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
        let tpv = try readTPVMembers(&json)
        try json.finish()
        return tpv
    }

    private static func readTPVMembers(_ json: inout JSONReader) throws(JSONError) -> TPV {
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
            case "geoidSep": tpv.geoidSeparation = try json.double()
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
        return tpv
    }

    private static func readSKY(_ json: inout JSONReader) throws(JSONError) -> SKY {
        let sky = try readSKYMembers(&json)
        try json.finish()
        return sky
    }

    /// Before 3.22 (protocol 3.14) gpsd did not count the satellites used: then the list is counted.
    private static func readSKYMembers(_ json: inout JSONReader) throws(JSONError) -> SKY {
        var (sky, counted) = (SKY(), Int64?.none)
        while let key = try json.nextKey() {
            switch key {
            case "device": sky.device = try json.device()
            case "hdop": sky.hdop = try json.double()
            case "uSat": sky.satellitesUsed = try json.integer()
            case "satellites": counted = try readSatellites(&json)
            default: break
            }
        }
        sky.satellitesUsed = sky.satellitesUsed ?? counted
        return sky
    }

    /// How many of a list of satellites are used.
    private static func readSatellites(_ json: inout JSONReader) throws(JSONError) -> Int64? {
        guard try json.kind() == .array else { return nil }
        var used: Int64 = 0
        try json.beginArray()
        while try json.nextElement() {
            guard try json.kind() == .object else { continue }
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "used", try json.boolean() == true { used += 1 }
            }
        }
        return used
    }

    private static func readPoll(_ json: inout JSONReader) throws(JSONError) -> GPSDMessage {
        var (tpvs, skies): ([TPV], [SKY]) = ([], [])
        while let key = try json.nextKey() {
            switch key {
            case "tpv", "fixes": tpvs = try list(&json) { (json) throws(JSONError) in try readTPVMembers(&json) }
            case "sky", "skyviews": skies = try list(&json) { (json) throws(JSONError) in try readSKYMembers(&json) }
            default: break
            }
        }
        try json.finish()
        return .poll(tpvs, skies)
    }

    /// The objects of an array, as far as anybody has that many devices.
    private static func list<Element>(
        _ json: inout JSONReader, _ read: (inout JSONReader) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        guard try json.kind() == .array else { return [] }
        var elements: [Element] = []
        try json.beginArray()
        while try json.nextElement() {
            guard elements.count < GPSDDevice.limit, try json.kind() == .object else { continue }
            try json.beginObject()
            elements.append(try read(&json))
        }
        return elements
    }

    private static func readVersion(_ json: inout JSONReader) throws(JSONError) -> Int? {
        var major: Int64?
        while let key = try json.nextKey() {
            if key == "proto_major" { major = try json.integer() }
        }
        return major.map { Int(clamping: $0) }
    }

    private static func readDevices(_ json: inout JSONReader) throws(JSONError) -> [DeviceInfo] {
        var devices: [DeviceInfo?] = []
        while let key = try json.nextKey() {
            guard key == "devices" else { continue }
            devices = try list(&json) { (json) throws(JSONError) in
                var device: DeviceInfo?
                while let key = try json.nextKey() {
                    if key == "path" { device = try json.string().map { DeviceInfo(path: $0) } }
                }
                return device
            }
        }
        return devices.compactMap(\.self)
    }

    /// `activated` is the time of activation, and 0 when the device went.
    private static func readDevice(_ json: inout JSONReader) throws(JSONError) -> GPSDMessage {
        var (device, isActive) = (DeviceInfo?.none, true)
        while let key = try json.nextKey() {
            switch key {
            case "path": device = try json.string().map { DeviceInfo(path: $0) }
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

    fileprivate mutating func boolean() throws(JSONError) -> Bool? {
        do { return try readBool() } catch { return try absent(error) }
    }

    fileprivate mutating func string() throws(JSONError) -> String? {
        do { return try readString() } catch { return try absent(error) }
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
