import FixcastTestKit
import Foundation
import Positioning
import Synchronization
import Testing

@testable import LocationProviders

/// A provider under a manual clock, with what it told.
final class Recording: Sendable {
    let events = Mutex<[ProviderEvent]>([])
    let notices = Mutex<[ProviderNotice]>([])

    var locations: [Location] {
        events.withLock { $0 }.compactMap { if case .location(let location) = $0 { location } else { nil } }
    }
    var availabilities: [Availability] {
        events.withLock { $0 }.compactMap { if case .availability(let news) = $0 { news } else { nil } }
    }

    func follow(_ provider: any LocationProvider, onLocation: (@Sendable (Location) -> Void)? = nil) {
        provider.setCallbacks(
            locationCallback: { location in
                self.events.withLock { $0.append(.location(location)) }
                onLocation?(location)
            },
            availabilityCallback: { news in self.events.withLock { $0.append(.availability(news)) } })
    }
}

@Suite struct ReplayProviderTests {
    let scheduler = ManualScheduler(utcNow: noon + 1_000_000.0)
    let recording = Recording()
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func provider(
        _ text: String, speed: Double = 1, loops: Bool = false, time: ReplaySettings.Time = .original,
        common: CommonProviderSettings = CommonProviderSettings()
    ) throws -> ReplayProvider {
        let file = try directory.write(text, to: "drive.log")
        let recording = recording
        return try ReplayProvider(
            scheduler: scheduler, settings: ReplaySettings(file: file, speed: speed, loops: loops, time: time),
            common: common, notify: { notice in recording.notices.withLock { $0.append(notice) } })
    }

    func tpv(_ second: Int, mode: Int = 3) -> String {
        #"{"class":"TPV","mode":\#(mode),"time":"2026-11-30T12:00:\#(second < 10 ? "0" : "")\#(second).000Z","lat":54.5,"lon":3.5}"#
            + "\n"
    }

    @Test func aGpsdLogComesAtItsPaceAndItsEndIsTold() throws {
        let text =
            #"{"class":"VERSION","proto_major":3}"# + "\nnoise\n" + tpv(0) + tpv(1) + tpv(2, mode: 1) + tpv(3) + tpv(9)
        let provider = try self.provider(text)
        recording.follow(provider)
        scheduler.runPending()
        #expect(recording.locations.map(\.timestamp) == [noon])
        scheduler.advance(by: .seconds(3))
        #expect(recording.locations.map(\.timestamp) == [noon, noon + 1.0, noon + 3.0])
        // The gap in the log is a gap.
        scheduler.advance(by: .milliseconds(5999))
        #expect(recording.locations.count == 3)
        scheduler.advance(by: .milliseconds(1))
        #expect(recording.locations.count == 4)
        #expect(
            recording.availabilities.drop { $0 == .unknown } == [
                .available, .unavailable(.noFix), .available, .unavailable(.providerDown),
            ])
        #expect(recording.notices.withLock { $0 } == [.ended(file: directory.file("drive.log").path)])
        #expect(provider.lastLocation?.timestamp == noon + 9.0)
        #expect(recording.locations.allSatisfy { $0.source == "replay" })
    }

    @Test func anNmeaLogIsToldByItsContentAndItsLastEpochIsNotLost() throws {
        let text =
            "*** logger started ***\n" + nmea("GPGSV,1,1,00")
            + nmea("GPRMC,120000.00,A,5430.0,N,00330.0,E,1,,301126,,,A")
            + nmea("GPGGA,120000.00,5430.0,N,00330.0,E,1,08,2.0,10.0,M,45.0,M,,") + tpv(5)
            + nmea("GPRMC,120001.00,A,5430.0,N,00330.0,E,1,,301126,,,A", end: "")
        let provider = try self.provider(
            text, common: CommonProviderSettings(assumption: AccuracyAssumption(metres: 30)))
        recording.follow(provider)
        scheduler.runPending()
        scheduler.advance(by: .seconds(1))
        #expect(recording.locations.map(\.timestamp) == [noon, noon + 1.0])
        #expect(recording.locations.map(\.horizontalAccuracy) == [10, 30])
        #expect(recording.locations.map(\.isAccuracyAssumed) == [false, true])
    }

    @Test func asFastAsTheConsumerTakesItLeavesRoomForOthersAndStandsStillWhenPaused() throws {
        let text = (0..<60).map { tpv($0) }.joined()
        let provider = try self.provider(text + text.replacing("12:", with: "13:"), speed: 0)
        #expect(provider.isPacedByConsumer)
        recording.follow(provider) { [recording] _ in
            if recording.locations.count == 10 { provider.setPaused(true) }
        }
        scheduler.runPending()
        #expect(recording.locations.count == 10)
        #expect(recording.notices.withLock { $0 }.isEmpty)
        let between = Mutex<[Int]>([])
        // A job of somebody else, always at the end of the queue, sees the replay come in batches.
        @Sendable func watch() {
            between.withLock { $0.append(recording.locations.count) }
            if recording.locations.count < 120 { scheduler.enqueue(watch) }
        }
        scheduler.enqueue { provider.setPaused(false) }
        scheduler.enqueue { watch() }
        scheduler.runPending()
        #expect(recording.locations.count == 120)
        #expect(between.withLock { $0 }.count > 2)
        #expect(recording.notices.withLock { $0 }.count == 1)
    }

    @Test func timeNowStartsAtThePresent() throws {
        let provider = try self.provider(tpv(0, mode: 1) + tpv(4) + tpv(6), time: .now)
        recording.follow(provider)
        scheduler.runPending()
        scheduler.advance(by: .seconds(10))
        let present = noon + 1_000_000.0
        #expect(recording.locations.map(\.timestamp) == [present + 4.0, present + 6.0])
    }

    @Test func aLoopGoesOnWithTimeThatIncreases() throws {
        let provider = try self.provider(tpv(0) + tpv(1) + tpv(2), loops: true)
        recording.follow(provider)
        scheduler.runPending()
        scheduler.advance(by: .seconds(7))
        #expect(recording.locations.map { ($0.timestamp ?? noon) - noon } == (0...7).map { Duration.seconds($0) })
        #expect(recording.notices.withLock { $0 }.isEmpty)
    }

    @Test(arguments: LogReaderTests.logs.keys.sorted())
    func everyFormatKeepsItsPaceAndLoopsWithTimeThatIncreases(format: String) throws {
        let text = try #require(LogReaderTests.logs[format])
        let provider = try self.provider(text, loops: true)
        recording.follow(provider)
        scheduler.runPending()
        #expect(recording.locations.count == 1)
        scheduler.advance(by: .seconds(5))
        #expect(recording.locations.map { ($0.timestamp ?? noon) - noon } == (0...5).map { Duration.seconds($0) })
        let now = try self.provider(text, time: .now)
        let shifted = Recording()
        shifted.follow(now)
        scheduler.runPending()
        scheduler.advance(by: .seconds(2))
        let present = noon + 1_000_005.0
        #expect(shifted.locations.map(\.timestamp) == [present, present + 1.0])
    }

    @Test func aRouteWithoutTimesIsDrivenAPointASecond() throws {
        let text = "<gpx><rte><rtept lat='1' lon='1'/><rtept lat='1' lon='2'/></rte></gpx>"
        let provider = try self.provider(text)
        recording.follow(provider)
        scheduler.runPending()
        #expect(recording.locations.count == 1)
        scheduler.advance(by: .seconds(1))
        #expect(recording.locations.map(\.timestamp) == [nil, nil])
        let now = try self.provider(text, time: .now)
        let shifted = Recording()
        shifted.follow(now)
        scheduler.advance(by: .seconds(1))
        let present = noon + 1_000_001.0
        #expect(shifted.locations.map(\.timestamp) == [present, present + 1.0])
    }

    @Test func whatCannotBeReadIsToldOnceWithItsLine() throws {
        let bad = (0..<7).map { "row \($0)\n" }.joined()
        let provider = try self.provider("lat,lon\n1,1\n" + bad + "1,2\n", speed: 0, loops: true)
        recording.follow(provider) { [recording] _ in
            if recording.locations.count == 10 { provider.setPaused(true) }
        }
        scheduler.runPending()
        let file = directory.file("drive.log").path
        #expect(
            recording.notices.withLock { $0 } == (3...7).map { .skipped(file: file, line: $0) } + [
                .skippedInAll(file: file, count: 7)
            ])
    }

    @Test func aLogThatWasCutOffOrIsDamagedSaysSo() throws {
        let point = "<gpx><trk><trkseg><trkpt lat='1' lon='1'/>"
        let cut = try self.provider(point)
        recording.follow(cut)
        scheduler.advance(by: .seconds(1))
        #expect(cut.lastLocation != nil)
        let file = directory.file("drive.log").path
        #expect(recording.notices.withLock { $0 } == [.cutOff(file: file), .ended(file: file)])
        let broken = Recording()
        let settings = ReplaySettings(file: try directory.write(point + "</wrong>", to: "broken.gpx"))
        let provider = try ReplayProvider(scheduler: scheduler, settings: settings) { notice in
            broken.notices.withLock { $0.append(notice) }
        }
        broken.follow(provider)
        scheduler.advance(by: .seconds(1))
        #expect(broken.locations.count == 1)
        #expect(
            broken.notices.withLock { $0 } == [
                .failed(.damaged(file: settings.file, line: 1, reason: .malformed("mismatched tag")))
            ])
    }

    @Test func aPausedReplayAtPaceGoesOnWhereItStood() throws {
        let provider = try self.provider((0..<20).map { tpv($0) }.joined())
        recording.follow(provider)
        scheduler.runPending()
        scheduler.advance(by: .milliseconds(1500))
        scheduler.enqueue { provider.setPaused(true) }
        scheduler.advance(by: .seconds(100))
        #expect(recording.locations.count == 2)
        scheduler.enqueue { provider.setPaused(false) }
        scheduler.runPending()
        #expect(recording.locations.count == 2)
        scheduler.advance(by: .milliseconds(500))
        #expect(recording.locations.count == 3)
        scheduler.advance(by: .seconds(2))
        #expect(recording.locations.count == 5)
    }

    @Test func closedAndOpenedAgainItBeginsAnew() throws {
        let provider = try self.provider(tpv(0) + tpv(1))
        recording.follow(provider)
        scheduler.runPending()
        provider.setCallbacks(locationCallback: nil, availabilityCallback: nil)
        scheduler.advance(by: .seconds(5))
        #expect(recording.locations.count == 1)
        recording.follow(provider)
        scheduler.advance(by: .seconds(5))
        #expect(recording.locations.map(\.timestamp) == [noon, noon, noon + 1.0])
    }

    @Test func whatCannotBeReplayedIsNamed() throws {
        func error(_ file: String) -> ReplayError? {
            do throws(ReplayError) {
                _ = try ReplayProvider(scheduler: scheduler, settings: ReplaySettings(file: file))
                return nil
            } catch { return error }
        }
        let missing = directory.file("missing").path
        #expect(error(missing) == .cannotRead(file: missing, errno: 2))
        #expect(error(directory.path) == .notAFile(file: directory.path))
        let prose = try directory.write("Dear diary,\n{\"class\":\"VERSION\"}\n$GPRMC,no checksum\n", to: "prose")
        #expect(error(prose) == .unknownFormat(file: prose, found: .uncheckedSentences))
        let empty = try directory.write("", to: "empty")
        #expect(error(empty) == .unknownFormat(file: empty, found: .nothing))
    }

    @Test func aFileThatVanishedIsProviderDown() throws {
        let provider = try self.provider(tpv(0))
        let file = directory.file("drive.log")
        _ = try directory.write("", to: "drive.log")
        recording.follow(provider)
        scheduler.runPending()
        #expect(recording.availabilities.last == .unavailable(.providerDown))
        #expect(recording.notices.withLock { $0 } == [.failed(.unknownFormat(file: file.path, found: .nothing))])
    }
}
