import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct NMEATCPTests {
    private func source(_ port: UInt16) -> SourceAddress { .tcp(host: "127.0.0.1", port: port) }

    @Test("G12: a server that goes away and comes back is read on, without the half sentence it left") func g12()
        async throws
    {
        let server = try LineServer()
        let address = source(server.port)
        let scene = try NMEAScene(address)
        #expect(await eventually { server.connected == 1 })
        #expect(await drive(server.send) { scene.locations.count >= 3 })
        let rmc = Receiver.sentence("GPRMC,120500.00,A,5500.0000,N,00400.0000,E,19.4,0.0,301126,,,A")
        server.send(String(rmc.prefix(30)))
        server.drop()
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(await eventually { server.connected == 1 })
        // The rest of it, on the next connection, makes no sentence.
        server.send(String(rmc.dropFirst(30)))
        let before = scene.locations.count
        #expect(await drive(from: 400, server.send) { scene.locations.count >= before + 3 })
        #expect(scene.locations.allSatisfy { $0.coordinate.latitude < 54.9 })
        #expect(scene.notices.prefix(2) == [.reading(source: address, found: nil), .sourceLost(source: address)])
        #expect(scene.notices.last == .reading(source: address, found: nil))
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.providerDown), .available])
    }

    @Test("G12: a server that accepts and sends nothing is told, left, and tried again") func g12Mute() async throws {
        let server = try LineServer()
        let scene = try NMEAScene(source(server.port), silence: .milliseconds(300), deadAfter: .milliseconds(900))
        #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        #expect(await eventually { server.accepted >= 3 })
        #expect(scene.notices == [.sourceSilent(source: source(server.port))])
    }

    @Test func aClosedPortAndAnUnknownHostAreTold() async throws {
        let port = try LoopbackPort.free()
        let closed = try NMEAScene(source(port))
        #expect(
            await eventually {
                closed.notices == [.sourceUnavailable(source: source(port), .errno(ECONNREFUSED))]
                    && closed.availabilities.last == .unavailable(.providerDown)
            })
        let nowhere = SourceAddress.tcp(host: "no-such-host.invalid", port: 10_110)
        let unknown = try NMEAScene(nowhere)
        #expect(await eventually { unknown.notices == [.sourceUnavailable(source: nowhere, .unknownHost)] })
    }

    @Test func bytesInAnyPiecesAndNoiseBetweenThemMakeTheSamePositions() async throws {
        let server = try LineServer()
        let scene = try NMEAScene(source(server.port))
        #expect(await eventually { server.connected == 1 })
        server.send(String(repeating: "\u{1}\u{7}binary, without an end of a line ", count: 20_000))
        var text = ""
        for second in 0..<20 { text += "\u{2}\u{3}\r" + Receiver.epoch(second) }
        text += Receiver.epoch(20)
        for start in stride(from: 0, to: text.utf8.count, by: 97) {
            server.send(String(decoding: Array(text.utf8)[start..<min(start + 97, text.utf8.count)], as: UTF8.self))
        }
        #expect(await eventually { scene.locations.count == 21 })
        let times = scene.locations.compactMap { $0.timestamp?.milliseconds }
        #expect(times == (0...20).map { Receiver.noon + Int64($0) * 1000 })
    }

    @Test func withoutCallbacksTheConnectionIsClosed() async throws {
        let server = try LineServer()
        let scene = try NMEAScene(source(server.port), follows: false)
        try await Task.sleep(for: .milliseconds(100))
        #expect(server.accepted == 0)
        for _ in 0..<2 {
            scene.follow()
            #expect(await eventually { server.connected == 1 })
            scene.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
            #expect(await eventually { server.connected == 0 })
        }
    }

    @Test func aProviderThatIsDroppedLeavesNothingBehind() async throws {
        let server = try LineServer()
        var scene: NMEAScene? = try NMEAScene(source(server.port))
        #expect(await eventually { server.connected == 1 })
        #expect(scene?.availabilities == [.unknown])
        scene = nil
        #expect(await eventually { server.connected == 0 })
    }
}

@Suite(.serialized, .timeLimit(.minutes(3))) struct NMEAUDPTests {
    @Test(arguments: ["127.0.0.1", "0.0.0.0", "::", "::1"]) func datagramsAreTaken(address: String) async throws {
        let port = try LoopbackPort.free()
        let source = SourceAddress.udp(address: address, port: port)
        let scene = try NMEAScene(source)
        #expect(await scene.isReading())
        let sender = try DatagramSender(to: port, v6: address == "::1")
        #expect(await drive(sender.send) { scene.locations.count >= 3 })
        #expect(scene.isAvailable)
        #expect(scene.notices == [.reading(source: source, found: nil)])
    }

    @Test func aDatagramEndsNoSentenceAndNeedsNoLineEnd() async throws {
        let port = try LoopbackPort.free()
        let scene = try NMEAScene(.udp(address: "127.0.0.1", port: port))
        #expect(await scene.isReading())
        let sender = try DatagramSender(to: port)
        // Cut anywhere.
        let text = (0..<5).map { Receiver.epoch($0) }.joined()
        for start in stride(from: 0, to: text.utf8.count, by: 61) {
            sender.send(String(decoding: Array(text.utf8)[start..<min(start + 61, text.utf8.count)], as: UTF8.self))
        }
        #expect(await eventually { scene.locations.count == 5 })
        // A sentence each, without an end.
        for second in 5..<10 {
            for line in Receiver.epoch(second).split(separator: "\r\n") { sender.send(String(line)) }
        }
        #expect(await eventually { scene.locations.count == 10 })
        // Half a sentence that never goes on spoils only itself.
        sender.send(String(Receiver.epoch(10).prefix(50)))
        sender.send(Receiver.epoch(11))
        #expect(await eventually { scene.locations.count == 11 })
        #expect(
            scene.locations.compactMap { $0.timestamp.map { ($0.milliseconds - Receiver.noon) / 1000 } }
                == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11])
        for location in scene.locations {
            let second = Int(((location.timestamp?.milliseconds ?? 0) - Receiver.noon) / 1000)
            #expect(abs(location.coordinate.latitude - Receiver.latitude(second)) < 1e-8)
        }
    }

    @Test func twoSendersAreNeverGluedTogether() async throws {
        let port = try LoopbackPort.free()
        let scene = try NMEAScene(.udp(address: "127.0.0.1", port: port))
        #expect(await scene.isReading())
        let (one, two) = (try DatagramSender(to: port), try DatagramSender(to: port))
        for second in 0..<20 {
            // In turn, in halves: behind one another they would make sentences of both.
            let first = Array(Receiver.epoch(second).utf8)
            let other = Array(Receiver.epoch(second + 3, longitude: "01230.0000").utf8)
            for start in stride(from: 0, to: first.count, by: 40) {
                one.send(String(decoding: first[start..<min(start + 40, first.count)], as: UTF8.self))
                if start < other.count {
                    two.send(String(decoding: other[start..<min(start + 40, other.count)], as: UTF8.self))
                }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(await eventually { scene.locations.count == 20 })
        #expect(scene.locations.allSatisfy { $0.coordinate.longitude == 3.5 }, "one is followed")
        for location in scene.locations {
            let second = Int(((location.timestamp?.milliseconds ?? 0) - Receiver.noon) / 1000)
            #expect(abs(location.coordinate.latitude - Receiver.latitude(second)) < 1e-8)
        }
    }

    @Test func moreSendersThanAreKeptDoNoHarm() async throws {
        let port = try LoopbackPort.free()
        let scene = try NMEAScene(.udp(address: "127.0.0.1", port: port))
        #expect(await scene.isReading())
        for _ in 0..<40 { try DatagramSender(to: port).send("$GPRMC,half a sentence") }
        let sender = try DatagramSender(to: port)
        #expect(await drive(sender.send) { scene.locations.count >= 3 })
    }

    @Test func aPortThatIsTakenIsTold() async throws {
        let port = try LoopbackPort.free()
        let source = SourceAddress.udp(address: "127.0.0.1", port: port)
        let first = try NMEAScene(source)
        #expect(await first.isReading())
        let second = try NMEAScene(source)
        #expect(await eventually { second.notices == [.sourceUnavailable(source: source, .inUse)] })
        #expect(await eventually { second.availabilities.last == .unavailable(.providerDown) })
    }
}
