import Positioning
import Testing
import WireText

@testable import LocationProviders

@Suite struct GPSDMessageTests {
    func read(_ line: String) throws -> GPSDMessage {
        let bytes = Array(line.utf8)
        return try GPSDMessage.read(bytes.span)
    }
    func info(_ path: String) -> GPSDMessage.DeviceInfo { GPSDMessage.DeviceInfo(path: path) }
    func device(_ path: String) -> GPSDDevice {
        let bytes = Array(path.utf8)
        return GPSDDevice(bytes.span)
    }

    @Test func tpvIsReadWhole() throws {
        let line = """
            {"class":"TPV","device":"/dev/ttyUSB0","status":2,"mode":3,"time":"2026-11-30T12:00:00.500Z","ept":0.005,\
            "lat":54.500000010,"lon":-3.5,"altHAE":55.1,"altMSL":10.1,"alt":10.1,"epx":7.0,"epy":8.0,"epv":23.0,\
            "track":271.25,"speed":0.0,"climb":0.1,"eps":16.0,"epd":3.5,"eph":20.9,"sep":40.1,"geoidSep":45.0,\
            "tag":"RMC"}\r
            """
        var expected = GPSDMessage.TPV()
        expected.device = device("/dev/ttyUSB0")
        (expected.mode, expected.status, expected.time) = (3, 2, noon + 0.5)
        (expected.latitude, expected.longitude) = (54.50000001, -3.5)
        (expected.altitudeEllipsoid, expected.altitudeSeaLevel, expected.altitude) = (55.1, 10.1, 10.1)
        expected.geoidSeparation = 45
        (expected.speed, expected.track) = (0, 271.25)
        (expected.horizontalError, expected.eastError, expected.northError) = (20.9, 7, 8)
        (expected.verticalError, expected.speedError, expected.trackError) = (23, 16, 3.5)
        #expect(try read(line) == .tpv(expected))
    }

    @Test func theOrderOfKeysDoesNotMatter() throws {
        var expected = GPSDMessage.TPV()
        (expected.mode, expected.latitude, expected.longitude) = (2, 1, 2)
        #expect(try read(#"{"mode":2,"lat":1,"class":"TPV","lon":2}"#) == .tpv(expected))
    }

    @Test func theOtherClasses() throws {
        #expect(try read(#"{"class":"VERSION","release":"9","proto_major":4,"proto_minor":0}"#) == .version(major: 4))
        #expect(try read(#"{"class":"VERSION","release":"9"}"#) == .version(major: nil))
        #expect(try read(#"{"class":"DEVICES","devices":[]}"#) == .devices([]))
        #expect(
            try read(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"a"},{"driver":"x"},7,{"path":"b"}]}"#)
                == .devices([info("a"), info("b")]))
        #expect(
            try read(#"{"class":"DEVICE","path":"/dev/gps","activated":0}"#)
                == .device(info("/dev/gps"), isActive: false))
        #expect(
            try read(#"{"class":"DEVICE","path":"/dev/gps","activated":"2026-11-30T12:00:00.000Z"}"#)
                == .device(info("/dev/gps"), isActive: true))
        #expect(try read(#"{"class":"ERROR","message":"Unrecognized request"}"#) == .error)
        #expect(
            try read(
                #"{"class":"SKY","device":"d","hdop":1.5,"nSat":10,"uSat":6,"satellites":[{"PRN":16,"used":true}]}"#)
                == .sky(GPSDMessage.SKY(device: device("d"), hdop: 1.5, satellitesUsed: 6)))
        for line in [
            #"{"class":"WATCH","enable":true}"#, #"{"class":"NOVEL","text":"?"}"#, #"{"a":1}"#, "{}", #"{"class":7}"#,
        ] {
            #expect(try read(line) == .other)
        }
    }

    @Test func aPathIsTheSameDeviceWhereverItStands() {
        #expect(info("/dev/ttyUSB0").device == device("/dev/ttyUSB0"))
        #expect(info("/dev/ttyUSB0").device != info("/dev/ttyUSB1").device)
    }

    @Test func satellitesUsedAreCountedWhereGpsdDoesNot() throws {
        let list = #""satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false},{"PRN":3},{"used":true,"x":[1]},5]"#
        #expect(try read(#"{"class":"SKY",\#(list)}"#) == .sky(GPSDMessage.SKY(satellitesUsed: 2)))
        #expect(try read(#"{"class":"SKY",\#(list),"uSat":9}"#) == .sky(GPSDMessage.SKY(satellitesUsed: 9)))
        #expect(try read(#"{"class":"SKY","satellites":[]}"#) == .sky(GPSDMessage.SKY(satellitesUsed: 0)))
        #expect(try read(#"{"class":"SKY","satellites":3,"hdop":1}"#) == .sky(GPSDMessage.SKY(hdop: 1)))
    }

    @Test func anAnswerToAPollHoldsWhatEveryDeviceSaidLast() throws {
        let line = """
            {"class":"POLL","time":"2026-11-30T12:00:00.500Z","active":2,"tpv":[{"class":"TPV","device":"a","mode":0},\
            {"class":"TPV","device":"b","mode":3,"lat":1.5,"lon":2.5}],"gst":[{"class":"GST","device":"a"}],\
            "sky":[{"class":"SKY","device":"b","hdop":1.1,"nSat":0,"uSat":0}]}
            """
        var (a, b) = (GPSDMessage.TPV(), GPSDMessage.TPV())
        (a.device, a.mode) = (device("a"), 0)
        (b.device, b.mode, b.latitude, b.longitude) = (device("b"), 3, 1.5, 2.5)
        let sky = GPSDMessage.SKY(device: device("b"), hdop: 1.1, satellitesUsed: 0)
        #expect(try read(line) == .poll([a, b], [sky]))
        #expect(try read(#"{"class":"POLL","active":0,"tpv":[],"sky":[]}"#) == .poll([], []))
        #expect(try read(#"{"class":"POLL","tpv":7,"sky":[1]}"#) == .poll([], []))
    }

    @Test func whatHasAnotherTypeIsAbsent() throws {
        var expected = GPSDMessage.TPV()
        (expected.mode, expected.latitude) = (3, 1.5)
        let line =
            #"{"class":"TPV","mode":3,"lat":1.5,"lon":"13.4","time":1796040000,"eph":null,"speed":{"x":[1]},"track":[]}"#
        #expect(try read(line) == .tpv(expected))
        #expect(try read(#"{"class":"TPV","time":"yesterday"}"#) == .tpv(GPSDMessage.TPV()))
    }

    @Test(arguments: [
        #"{"class":"TPV","mode":3,"lat":54.5,"lon":3.5"#, #"{"class":"TPV","mode":3,"lat":54.5,"lon":3."#,
        #"{"class":"TPV","mode":3,"lat":nan,"lon":3.5}"#, #"{"class":"TPV","lat":1}{"class":"TPV"}"#, "[1]", "", "7",
    ])
    func halfALineAndGarbageAreRefused(line: String) {
        #expect(throws: JSONError.self) { try read(line) }
    }
}
