import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct NMEAFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func drive(_ seconds: Range<Int>) -> String { seconds.map { Receiver.epoch($0) }.joined() }

    @Test func aFileIsReadToItsEndOnce() async throws {
        let path = try directory.write(String(drive(0..<5000).dropLast(2)), to: "drive.nmea")
        let scene = try NMEAScene(.file(path))
        #expect(scene.provider.isPacedByConsumer)
        #expect(await eventually { scene.notices.last == .ended(file: "file:\(path)") })
        #expect(scene.availabilities == [.unknown, .available, .unavailable(.providerDown)])
        #expect(
            scene.locations.compactMap { $0.timestamp?.milliseconds }
                == (0..<5000).map { Receiver.noon + Int64($0) * 1000 })
        #expect(scene.raw.first == .connected && scene.raw.last == .disconnected)
        // Disabled and enabled, it begins again.
        scene.provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        await scene.thread.run {}
        scene.follow()
        #expect(await eventually { scene.locations.count == 10_000 })
    }

    @Test func aFileWaitsWhileItsConsumerIsBusy() async throws {
        let path = try directory.write(drive(0..<5000), to: "drive.nmea")
        let scene = try NMEAScene(.file(path), follows: false)
        await scene.thread.run { scene.provider.setPaused(true) }
        scene.follow()
        try await Task.sleep(for: .milliseconds(200))
        #expect(scene.locations.isEmpty)
        // In pieces: each stop is somewhere within a buffer.
        while scene.notices.last != .ended(file: "file:\(path)") {
            let before = scene.locations.count
            await scene.thread.run { scene.provider.setPaused(false) }
            _ = await eventually { scene.locations.count > before || scene.notices.count == 2 }
            await scene.thread.run { scene.provider.setPaused(true) }
        }
        #expect(scene.locations.count == 5000)
        let times = scene.locations.compactMap { $0.timestamp?.milliseconds }
        #expect(times == (0..<5000).map { Receiver.noon + Int64($0) * 1000 })
    }

    @Test func aFileThatIsNotThereYetIsLookedFor() async throws {
        let path = directory.file("later.nmea").path
        let scene = try NMEAScene(.file(path))
        #expect(await eventually { scene.notices == [.sourceUnavailable(source: .file(path), .missing)] })
        _ = try directory.write(drive(0..<3), to: "later.nmea")
        #expect(await eventually { scene.locations.count == 3 })
        let folder = try NMEAScene(.file(directory.path))
        #expect(
            await eventually { folder.notices == [.sourceUnavailable(source: .file(directory.path), .directory)] })
    }

    @Test func aFIFOIsReadFromWriterToWriter() async throws {
        let path = directory.file("fifo").path
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let scene = try NMEAScene(.file(path))
        #expect(!scene.provider.isPacedByConsumer)
        #expect(await scene.isReading())
        for round in 0..<3 {
            let before = scene.locations.count
            let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            // Half a sentence at the end is no beginning for the next writer.
            try writer.write(contentsOf: Data((drive(round * 100..<round * 100 + 5) + "$GPRMC,1203").utf8))
            #expect(await eventually { scene.locations.count >= before + 4 })
            try writer.close()
            #expect(await eventually { scene.locations.count == before + 5 })
            #expect(await eventually { scene.availabilities.last == .unavailable(.providerDown) })
        }
        let source = SourceAddress.file(path)
        let rounds = (0..<3).flatMap { _ in
            [ProviderNotice.reading(source: source, found: nil), .sourceLost(source: source)]
        }
        #expect(scene.notices == rounds)
    }
}
