import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct NMEASerialTests {
    private let directory: TemporaryDirectory
    private let port: PseudoTerminal

    init() throws {
        directory = try TemporaryDirectory()
        port = try PseudoTerminal(in: directory)
    }

    private func source(_ baud: BaudRate? = .b9600) -> SourceAddress { .serial(path: port.path, baud: baud) }

    @Test func aReceiversPositionsComeThrough() async throws {
        let scene = try NMEAScene(source())
        #expect(await scene.isReading())
        #expect(await drive(port.send) { scene.locations.count >= 8 })
        #expect(scene.isAvailable)
        let location = try #require(scene.locations.last)
        #expect(location.isReliable)
        #expect(location.source == "nmea")
        #expect(location.horizontalAccuracy.map { abs($0 - 6) < 1e-9 } == true)
        #expect(location.altitude == 10 && location.altitudeReference == .meanSeaLevel)
        #expect(location.course == 0)
        #expect(location.speed.map { abs($0 - 19.4 * 1852 / 3600) < 1e-9 } == true)
        #expect(location.satellitesUsed == 8)
        let times = scene.locations.compactMap(\.timestamp)
        #expect(Set(times).count == scene.locations.count, "one location an epoch")
        for location in scene.locations {
            let second = Int(((location.timestamp?.milliseconds ?? 0) - Receiver.noon) / 1000)
            #expect(abs(location.coordinate.latitude - Receiver.latitude(second)) < 1e-8)
        }
        #expect(scene.notices == [.reading(source: source(), found: nil)])
    }

    @Test func theLineIsRawAndAtTheRateAndNobodyTypesBack() async throws {
        let scene = try NMEAScene(source(.b38400))
        #expect(await scene.isReading())
        var line = port.attributes
        #expect(unsafe cfgetispeed(&line) == speed_t(B38400))
        #expect(line.c_lflag & tcflag_t(ICANON | ECHO | ISIG | IEXTEN) == 0)
        #expect(line.c_iflag & tcflag_t(ICRNL | INLCR | IGNCR | IXON | IXOFF | ISTRIP | BRKINT) == 0)
        #expect(line.c_oflag & tcflag_t(OPOST) == 0)
        #expect(line.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
        #expect(line.c_cflag & tcflag_t(PARENB | CSTOPB) == 0 && line.c_cflag & tcflag_t(CRTSCTS) == 0)
        #expect(line.c_cflag & tcflag_t(CLOCAL | CREAD) == tcflag_t(CLOCAL | CREAD))
        // An interrupt character, flow control and every other byte pass as they are.
        let noise = (0...255).map { UInt8($0) }
        port.send(noise)
        #expect(
            await eventually {
                scene.raw.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } } == noise
            })
        #expect(port.received.isEmpty, "nothing is echoed")
    }

    @Test("G12: unplugged and plugged in again behind the same link, the port is read on") func g12Replug() async throws
    {
        let scene = try NMEAScene(source())
        #expect(await scene.isReading())
        #expect(await drive(port.send) { scene.locations.count >= 3 })
        let last = scene.provider.lastLocation
        port.send(String(Receiver.epoch(30).prefix(40)))
        port.unplug()
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(
            scene.provider.lastLocation?.timestamp ?? UTCInstant(milliseconds: 0) >= last?.timestamp
                ?? UTCInstant(milliseconds: 0))
        #expect(await eventually { scene.notices.last == .sourceUnavailable(source: source(), .missing) })
        try port.plug()
        let before = scene.locations.count
        #expect(await drive(from: 40, port.send) { scene.locations.count >= before + 3 })
        #expect(scene.isAvailable)
        #expect(
            scene.notices == [
                .reading(source: source(), found: nil), .sourceLost(source: source()),
                .sourceUnavailable(source: source(), .missing), .reading(source: source(), found: nil),
            ])
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.providerDown), .available])
    }

    @Test func theRateIsFoundAndFoundAgainWhenTheReceiverChangesIt() async throws {
        let scene = try NMEAScene(source(nil))
        #expect(await scene.isReading())
        // What a line at another rate looks like: bytes, and no sentence.
        let port = port
        @Sendable func talking(at rate: Int32) -> @Sendable (String) -> Void {
            { text in
                var line = port.attributes
                let isRight = unsafe cfgetispeed(&line) == speed_t(rate)
                port.send(isRight ? Array(text.utf8) : text.utf8.map { $0 ^ 0x9C })
            }
        }
        #expect(
            await drive(seconds: 40, interval: 100_000_000, talking(at: B38400)) { scene.locations.count >= 3 })
        #expect(scene.notices.last == .reading(source: source(nil), found: .b38400))
        let before = scene.locations.count
        #expect(
            await drive(from: 1000, seconds: 60, interval: 100_000_000, talking(at: B57600)) {
                scene.locations.count >= before + 3
            })
        #expect(scene.notices.last == .reading(source: source(nil), found: .b57600))
    }

    @Test func aPortThatAnotherProgramReadsIsLeftToIt() async throws {
        let first = try NMEAScene(source())
        #expect(await first.isReading())
        let second = try NMEAScene(source())
        #expect(await eventually { second.notices == [.sourceUnavailable(source: source(), .inUse)] })
        #expect(await eventually { second.availabilities.last == .unavailable(.providerDown) })
        #expect(await drive(port.send) { first.locations.count >= 3 })
        #expect(second.locations.isEmpty)
        first.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        #expect(await drive(from: 20, port.send) { second.locations.count >= 3 })
    }

    @Test func whatIsNoSerialPortIsSaidToBeNone() async throws {
        let file = try directory.write("", to: "file")
        let scene = try NMEAScene(.serial(path: file, baud: nil))
        let address = SourceAddress.serial(path: file, baud: nil)
        #expect(await eventually { scene.notices == [.sourceUnavailable(source: address, .notSerial)] })
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aPortThatMayNotBeReadIsSaidToBeDenied() async throws {
        let file = try directory.write("", to: "denied")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        let scene = try NMEAScene(.serial(path: file, baud: nil))
        #expect(await eventually { scene.availabilities.last == .unavailable(.permissionDenied) })
    }

    @Test("G01: coordinates that go on without a fix are no positions", arguments: ["a", "b"])
    func g01(kind: String) async throws {
        let scene = try NMEAScene(source())
        #expect(await scene.isReading())
        #expect(await drive(port.send) { scene.locations.count >= 5 })
        let lost: @Sendable (Int) -> String = {
            kind == "a" ? Receiver.frozenEpoch($0, at: 4) : Receiver.voidEpoch($0)
        }
        #expect(
            await drive(from: 1000, port.send, lost) { scene.availabilities.last == .unavailable(.noFix) })
        let known = scene.locations.count
        let last = scene.provider.lastLocation
        for second in 1100..<1120 {
            port.send(lost(second))
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.noFix)])
        #expect(scene.locations.count == known && scene.provider.lastLocation == last)
        #expect(scene.locations.allSatisfy { ($0.timestamp?.milliseconds ?? 0) < Receiver.noon + 1_000_000 })
        #expect(await drive(from: 1200, port.send) { scene.isAvailable })
    }

    @Test func noiseIsToldAndASilentPortIsOpenedAnew() async throws {
        let scene = try NMEAScene(source(), silence: .milliseconds(400), deadAfter: .milliseconds(1200))
        #expect(await scene.isReading())
        let binary = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let isTold = await eventually {
            port.send(binary)
            try? await Task.sleep(for: .milliseconds(50))
            return scene.notices == [.notNMEA(source: source())]
        }
        #expect(isTold)
        #expect(scene.availabilities.last == .unavailable(.providerDown))
        #expect(await eventually { scene.notices.last == .sourceSilent(source: source()) })
        #expect(await eventually { scene.raw.filter { $0 == .connected }.count >= 2 })
        #expect(await drive(port.send) { scene.isAvailable })
    }

    @Test func whilePausedThePortIsNotRead() async throws {
        let scene = try NMEAScene(source())
        #expect(await scene.isReading())
        #expect(await drive(port.send) { scene.locations.count >= 2 })
        await scene.thread.run { scene.provider.setPaused(true) }
        let (known, read) = (scene.locations.count, scene.raw.count)
        for second in 100..<105 { port.send(Receiver.epoch(second)) }
        try await Task.sleep(for: .milliseconds(400))
        #expect(scene.locations.count == known && scene.raw.count == read)
        await scene.thread.run { scene.provider.setPaused(false) }
        #expect(await eventually { scene.locations.count == known + 5 || scene.locations.count == known + 6 })
        let times = scene.locations.compactMap(\.timestamp)
        #expect(times == times.sorted())
    }
}
