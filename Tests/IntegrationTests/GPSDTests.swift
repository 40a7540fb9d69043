import EventLoop
import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Synchronization
import Testing

/// A gpsd provider on a loop of its own, with what it told.
final class GPSDScene: Sendable {
    let thread: LoopThread
    let provider: GPSDProvider
    private let journal = Journal()

    init(
        port: UInt16, host: String = "127.0.0.1", device: String? = nil, fallback: Duration = .seconds(5),
        comeback: Duration = .seconds(10), silence: Duration = .seconds(10), deadAfter: Duration = .seconds(30),
        follows: Bool = true
    ) throws {
        thread = try LoopThread()
        provider = GPSDProvider(
            loop: thread.loop,
            settings: GPSDSettings(
                host: host, port: port, device: device, fallback: fallback, comeback: comeback, silence: silence,
                deadAfter: deadAfter),
            notify: { [journal] notice in journal.notices.withLock { $0.append(notice) } })
        if follows { follow() }
    }

    deinit { provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }

    func follow() {
        provider.setCallbacks(
            locationCallback: { [journal] location in journal.events.withLock { $0.append(.location(location)) } },
            availabilityCallback: { [journal] news in journal.events.withLock { $0.append(.availability(news)) } })
    }

    var notices: [ProviderNotice] { journal.notices.withLock { $0 } }
    var locations: [Location] {
        journal.events.withLock { $0 }.compactMap { if case .location(let location) = $0 { location } else { nil } }
    }
    var availabilities: [Availability] {
        journal.events.withLock { $0 }.compactMap { if case .availability(let news) = $0 { news } else { nil } }
    }
    func isAvailable() -> Bool { availabilities.last == .available }
}

private final class Journal: Sendable {
    let events = Mutex<[ProviderEvent]>([])
    let notices = Mutex<[ProviderNotice]>([])
}

private func nmea(_ body: String) -> String {
    String(format: "$%@*%02X\r\n", body, Int(body.utf8.reduce(0, ^)))
}

/// One second of a receiver that drives north.
private func epoch(_ second: Int, status: String = "A") -> String {
    let time = String(format: "1200%02d.00", second)
    let latitude = String(format: "5430.%04d", second * 10)
    return nmea("GPGGA,\(time),\(latitude),N,00330.0000,E,1,08,1.1,10.0,M,45.0,M,,")
        + nmea("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,2.0,1.1,1.6")
        + nmea("GPRMC,\(time),\(status),\(latitude),N,00330.0000,E,36.0,0.0,301126,,,A")
}

/// The receiver goes on, one epoch each time, until `condition` holds.
private func drive(
    _ daemon: GPSDaemon, from first: Int = 0, seconds: Double = 30, until condition: @Sendable () -> Bool
) async throws -> Bool {
    let second = Mutex(first)
    return await eventually(seconds: seconds) {
        if condition() { return true }
        daemon.feed(
            epoch(
                second.withLock { second in
                    defer { second += 1 }
                    return second % 60
                }))
        try? await Task.sleep(nanoseconds: 60_000_000)
        return condition()
    }
}

/// Epochs of a receiver at one place, with satellites in view.
private struct GoodOrLost {
    var quality: String
    var used: String
    var status: String

    /// Says the next epoch, and returns what holds then.
    func feed(_ daemon: GPSDaemon, _ second: borrowing Mutex<Int>, _ condition: () -> Bool) async -> Bool {
        let now = second.withLock { second in
            defer { second += 1 }
            return second % 3600
        }
        let time = String(format: "12%02d%02d.00", now / 60, now % 60)
        daemon.feed(
            nmea("GPGGA,\(time),5430.0000,N,00330.0000,E,\(quality)") + nmea("GPGSA,A,\(used)")
                + nmea("GPGSV,1,1,03,01,40,083,46,02,17,308,41,03,07,344,39")
                + nmea("GPRMC,\(time),\(status),5430.0000,N,00330.0000,E,,,301126,,,\(status)"))
        try? await Task.sleep(nanoseconds: 60_000_000)
        return condition()
    }
}

private func tpv(_ second: Int, mode: Int = 3) -> String {
    String(
        format:
            "{\"class\":\"TPV\",\"mode\":%d,\"time\":\"2026-11-30T12:00:%02d.000Z\",\"lat\":54.5,\"lon\":3.5,\"eph\":10}\r\n",
        mode, second)
}
private let greeting = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
private let request = "?WATCH={\"enable\":true,\"json\":true};\n?POLL;\n"

@Suite(.serialized) struct GPSDTests {
    @Test func aRealGpsdsPositionsComeThrough() async throws {
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port)
        #expect(try await drive(daemon) { scene.locations.count >= 8 })
        let location = try #require(scene.locations.last)
        #expect(scene.isAvailable())
        #expect(location.isReliable)
        #expect(abs(location.coordinate.latitude - 54.5) < 0.02)
        #expect(abs(location.coordinate.longitude - 3.5) < 1e-6)
        #expect(location.altitude == 10)
        #expect(location.altitudeReference == .meanSeaLevel)
        // gpsd says eph = 19 x HDOP at 95 %.
        #expect(abs((location.horizontalAccuracy ?? 0) - 19 * 1.1 * 0.62) < 0.01)
        #expect(location.speed.map { abs($0 - 36 * 1852 / 3600) < 0.01 } == true)
        #expect(location.course == 0)
        #expect(location.fix == .threeD)
        #expect(location.source == "gpsd")
        let times = scene.locations.compactMap(\.timestamp)
        #expect(Set(times).count == times.count, "one location an epoch")
        #expect(scene.notices.first == .connected(address: "127.0.0.1:\(daemon.port)"))
    }

    @Test("G01: gpsd falls silent when the receiver loses its fix, and recovers") func g01() async throws {
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port, silence: .seconds(1))
        #expect(try await drive(daemon) { scene.locations.count >= 3 })
        let last = scene.provider.lastLocation
        let lost = await eventually(seconds: 20) {
            daemon.feed(nmea("GPRMC,120030.00,V,5430.0000,N,00330.0000,E,,,301126,,,N"))
            try? await Task.sleep(nanoseconds: 100_000_000)
            return scene.availabilities.last == .unavailable(.noFix)
        }
        #expect(lost)
        #expect(scene.provider.lastLocation == last)
        #expect(try await drive(daemon, from: 40) { scene.isAvailable() })
    }

    /// The receiver has lost its fix and repeats its last position; gpsd 3.22 makes mode 2 of a satellite count of 08.
    @Test(
        "G01: the old coordinates with quality 0 are no position, whatever gpsd makes of them", arguments: ["08", "00"])
    func g01OldCoordinates(satellites: String) async throws {
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port)
        let second = Mutex(0)
        let good = GoodOrLost(quality: "1,08,1.1,10.0,M,45.0,M,,", used: "3,01,02,03,,,,,,,,,,2.0,1.1,1.6", status: "A")
        let lost = GoodOrLost(
            quality: "0,\(satellites),99.9,,M,,M,,", used: "1,,,,,,,,,,,,,99.9,99.9,99.9", status: "V")
        #expect(await eventually { await good.feed(daemon, second) { scene.locations.count >= 4 } })
        #expect(
            await eventually {
                await lost.feed(daemon, second) { scene.availabilities.last == .unavailable(.noFix) }
            })
        let (last, count) = (scene.provider.lastLocation, scene.locations.count)
        for _ in 0..<10 { _ = await lost.feed(daemon, second) { true } }
        #expect(scene.locations.count == count, "no position with a fresh time")
        #expect(scene.provider.lastLocation == last)
        #expect(scene.availabilities.filter { $0 == .unavailable(.noFix) }.count == 1)
    }

    @Test("G12: gpsd is killed and comes back") func g12Restart() async throws {
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port)
        #expect(try await drive(daemon) { scene.locations.count >= 3 })
        daemon.kill()
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(scene.provider.lastLocation != nil)
        try await Task.sleep(for: .seconds(2))
        try await daemon.restart()
        let before = scene.locations.count
        #expect(try await drive(daemon, from: 30, seconds: 60) { scene.locations.count > before })
        #expect(scene.isAvailable())
        let address = "127.0.0.1:\(daemon.port)"
        let told = scene.notices.filter { if case .delivering = $0 { false } else { true } }
        #expect(told.first == .connected(address: address))
        #expect(told.filter { $0 == .disconnected(address: address) }.count == 1)
        #expect(told.filter { if case .unreachable = $0 { true } else { false } }.count <= 1)
        #expect(told.filter { $0 == .connected(address: address) }.count == 2)
    }

    /// gpsd 3.22 says so at once, or frees the device without a word: then the next connection shows it.
    /// gpsd 3.22 mostly says that it lost the device, and sometimes frees it in silence: then the silence is the sign.
    @Test func anUnpluggedReceiverIsUnavailable() async throws {
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port, silence: .seconds(1), deadAfter: .seconds(3))
        #expect(try await drive(daemon) { scene.locations.count >= 2 })
        daemon.unplug()
        let lost = ProviderNotice.deviceLost(address: "127.0.0.1:\(daemon.port)")
        let silent = ProviderNotice.silent(address: "127.0.0.1:\(daemon.port)")
        #expect(await eventually { scene.notices.contains(lost) || scene.notices.contains(silent) })
        #expect(
            await eventually {
                [.unavailable(.providerDown), .unavailable(.noFix)].contains(scene.availabilities.last)
            })
    }

    @Test(
        .enabled(if: RealData.directory != nil, "\(RealData.missing)"),
        arguments: ["ublox-zed-f9p-nmea.log", "nmea-rtk.log", "garmin-10x.log", "unicore-um621.log"])
    func realReceiversThroughARealGpsd(name: String) async throws {
        let text = String(decoding: try RealData.bytes("gpsd-nmea/\(name)"), as: UTF8.self)
        let daemon = try await GPSDaemon()
        let scene = try GPSDScene(port: daemon.port)
        _ = await eventually { scene.notices.contains(.connected(address: "127.0.0.1:\(daemon.port)")) }
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            daemon.feed(line + "\r\n")
            try await Task.sleep(for: .milliseconds(4))
        }
        #expect(await eventually { scene.locations.count >= 5 })
        #expect(scene.locations.allSatisfy { $0.coordinate.isCorrect })
        #expect(scene.locations.allSatisfy { $0.horizontalAccuracy ?? 1 > 0 })
        let times = scene.locations.compactMap(\.timestamp)
        #expect(Set(times).count == times.count)
    }

    @Test("G12: a connection closed after half a line is forgotten with it, and the request is sent again verbatim")
    func g12HalfALine() async throws {
        let server = try LineServer(greeting: greeting)
        let scene = try GPSDScene(port: server.port)
        #expect(await eventually { server.received == request })
        server.send(tpv(0) + String(tpv(1).prefix(70)))
        #expect(await eventually { scene.locations.count == 1 })
        server.drop()
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(await eventually { server.accepted == 2 && server.received == request })
        // Behind what was cut off, this would be no JSON.
        server.send(tpv(2))
        #expect(await eventually { scene.locations.count == 2 && scene.isAvailable() })
    }

    @Test("G12: a server that accepts and sends nothing is told, left, and tried again") func g12Mute() async throws {
        let server = try LineServer()
        let scene = try GPSDScene(port: server.port, silence: .milliseconds(300), deadAfter: .milliseconds(900))
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(await eventually { server.accepted >= 3 })
        #expect(scene.notices == [.silent(address: "127.0.0.1:\(server.port)")])
        #expect(server.received == request || server.received.isEmpty)
    }

    @Test func linesOfAnyShapeNeitherStopNorMislead() async throws {
        let server = try LineServer(greeting: greeting)
        let scene = try GPSDScene(port: server.port)
        #expect(await eventually { server.received == request })
        let long = "{\"class\":\"SKY\",\"x\":\"" + String(repeating: "x", count: 200_000) + "\"}\r\n"
        server.send(
            "\r\nnoise\n{\"class\":\n" + long + tpv(0) + "{\"class\":\"TPV\",\"mode\":3,\"lat\":\"1\"}\n" + tpv(1))
        #expect(await eventually { scene.locations.count == 2 })
    }

    @Test("G04: what a later or older gpsd sends is read as far as it is understood") func g04OtherVersions()
        async throws
    {
        let server = try LineServer(greeting: "{\"class\":\"VERSION\",\"release\":\"9\",\"proto_major\":4}\r\n")
        let scene = try GPSDScene(port: server.port)
        #expect(await eventually { server.received == request })
        server.send(
            "{\"class\":\"NOVELTY\",\"mode\":3}\r\n"
                + "{\"class\":\"TPV\",\"tag\":\"RMC\",\"device\":\"/dev/x\",\"mode\":3,\"time\":\"2026-11-30T12:00:00.000Z\","
                + "\"lat\":54.5,\"lon\":3.5,\"altHAE\":50.5,\"altMSL\":5.5,\"epx\":3,\"epy\":4,\"wings\":{\"left\":[1]}}\r\n"
                + "{\"class\":\"TPV\",\"device\":\"/dev/x\",\"mode\":3,\"time\":\"2026-11-30T12:00:01.000Z\",\"lat\":54.5,\"lon\":3.5}\r\n"
                + "{\"class\":\"VERSION\",\"proto_major\":4}\r\n")
        #expect(await eventually { scene.locations.count == 2 })
        let first = try #require(scene.locations.first)
        #expect((first.altitude, first.geoidSeparation) == (5.5, 45))
        #expect(abs((first.horizontalAccuracy ?? 0) - 3.1) < 1e-9)
        #expect(scene.locations.last?.horizontalAccuracy == nil, "absent, never 0")
        #expect(scene.locations.last?.unreliable == .accuracy)
        let address = "127.0.0.1:\(server.port)"
        #expect(scene.notices.filter { $0 == .unknownProtocol(address: address, major: 4) }.count == 1)
    }

    @Test func anUnknownHostIsToldAndAClosedPortToo() async throws {
        let unknown = try GPSDScene(port: 2947, host: "no-such-host.invalid")
        #expect(
            await eventually {
                unknown.notices == [.unreachable(address: "no-such-host.invalid:2947", .unknownHost)]
                    && unknown.availabilities.last == .unavailable(.providerDown)
            })
        let port = try LoopbackPort.free()
        let closed = try GPSDScene(port: port)
        #expect(
            await eventually {
                closed.notices == [.unreachable(address: "127.0.0.1:\(port)", .errno(ECONNREFUSED))]
            })
    }

    @Test func whilePausedGpsdWaitsAndNothingIsLost() async throws {
        let server = try LineServer(greeting: greeting)
        let scene = try GPSDScene(port: server.port)
        #expect(await eventually { server.received == request })
        server.send(tpv(0))
        #expect(await eventually { scene.locations.count == 1 })
        await scene.thread.run { scene.provider.setPaused(true) }
        server.send((1..<50).map { tpv($0) }.joined())
        try await Task.sleep(for: .milliseconds(200))
        #expect(scene.locations.count == 1)
        await scene.thread.run { scene.provider.setPaused(false) }
        #expect(await eventually { scene.locations.count == 50 })
        let times = scene.locations.compactMap(\.timestamp)
        #expect(times == times.sorted())
    }

    @Test func withoutCallbacksTheConnectionIsClosed() async throws {
        let server = try LineServer(greeting: greeting)
        let scene = try GPSDScene(port: server.port, follows: false)
        try await Task.sleep(for: .milliseconds(100))
        #expect(server.accepted == 0)
        scene.follow()
        #expect(await eventually { server.connected == 1 })
        scene.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        #expect(await eventually { server.connected == 0 })
        scene.follow()
        #expect(await eventually { server.connected == 1 && server.received == request })
    }
}
