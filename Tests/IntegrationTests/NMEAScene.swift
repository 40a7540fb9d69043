import EventLoop
import FixcastTestKit
import Foundation
import LocationProviders
import Positioning
import Synchronization

/// An NMEA provider on a loop of its own, with what it told.
final class NMEAScene: Sendable {
    let thread: LoopThread
    let provider: NMEAProvider
    private let journal = Journal()

    init(
        _ source: SourceAddress, silence: Duration = .seconds(10), deadAfter: Duration = .seconds(30),
        follows: Bool = true
    ) throws {
        thread = try LoopThread()
        provider = NMEAProvider(
            loop: thread.loop, settings: NMEASettings(source: source, silence: silence, deadAfter: deadAfter),
            notify: { [journal] notice in journal.notices.withLock { $0.append(notice) } },
            tap: { [journal] event in journal.raw.withLock { $0.append(event) } })
        if follows { follow() }
    }

    deinit { provider.setCallbacks(locationCallback: nil, availabilityCallback: nil) }

    func follow() {
        provider.setCallbacks(
            locationCallback: { [journal] location in journal.events.withLock { $0.append(.location(location)) } },
            availabilityCallback: { [journal] news in journal.events.withLock { $0.append(.availability(news)) } })
    }

    var notices: [ProviderNotice] { journal.notices.withLock { $0 } }
    var raw: [RawStreamEvent] { journal.raw.withLock { $0 } }
    var events: [ProviderEvent] { journal.events.withLock { $0 } }
    var locations: [Location] {
        events.compactMap { if case .location(let location) = $0 { location } else { nil } }
    }
    var availabilities: [Availability] {
        events.compactMap { if case .availability(let news) = $0 { news } else { nil } }
    }
    var isAvailable: Bool { availabilities.last == .available }

    /// The source is open: a sentence sent from now on is read.
    func isReading() async -> Bool { await eventually { self.isOpen } }

    var isOpen: Bool { raw.last { $0 == .connected || $0 == .disconnected } == .connected }

    /// How much was read.
    var byteCount: Int { raw.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } } }
}

private final class Journal: Sendable {
    let events = Mutex<[ProviderEvent]>([])
    let notices = Mutex<[ProviderNotice]>([])
    let raw = Mutex<[RawStreamEvent]>([])
}

/// A receiver that drives north, 10 m a second, on 2026-11-30 from noon.
enum Receiver {
    static let noon: Int64 = 1_796_040_000_000

    static func sentence(_ body: String) -> String {
        String(format: "$%@*%02X\r\n", body, Int(body.utf8.reduce(0, ^)))
    }

    static func time(_ second: Int) -> String {
        String(format: "%02d%02d%02d.00", 12 + second / 3600, second / 60 % 60, second % 60)
    }

    static func latitude(_ second: Int) -> Double { 54.5 + Double(second) * 0.0054 / 60 }

    /// Four sentences with a fix.
    static func epoch(_ second: Int, longitude: String = "00330.0000") -> String {
        let latitude = String(format: "54%09.6f,N", (latitude(second) - 54) * 60)
        return sentence("GPGGA,\(time(second)),\(latitude),\(longitude),E,1,08,1.2,10.0,M,45.0,M,,")
            + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,2.0,1.2,1.6")
            + sentence("GPRMC,\(time(second)),A,\(latitude),\(longitude),E,19.4,0.0,301126,,,A")
            + sentence("GPVTG,0.0,T,,M,19.4,N,36.0,K,A")
    }

    /// The fix is lost, and everything but the position's validity stays as it was (G01 a).
    static func frozenEpoch(_ second: Int, at last: Int) -> String {
        let latitude = String(format: "54%09.6f,N", (latitude(last) - 54) * 60)
        return sentence("GPGGA,\(time(second)),\(latitude),00330.0000,E,0,08,99.9,10.0,M,45.0,M,,")
            + sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9")
            + sentence("GPRMC,\(time(second)),V,\(latitude),00330.0000,E,,,301126,,,N")
    }

    /// Nothing but a void RMC is left (G01 b).
    static func voidEpoch(_ second: Int) -> String {
        sentence("GPRMC,\(time(second)),V,,,,,,,301126,,,N")
    }
}

/// The receiver goes on, one epoch each time, until `condition` holds.
func drive(
    from first: Int = 0, seconds: Double = 30, interval: UInt64 = 50_000_000, _ send: @Sendable (String) -> Void,
    _ epoch: @Sendable (Int) -> String = { Receiver.epoch($0) }, until condition: @Sendable () -> Bool
) async -> Bool {
    let second = Mutex(first)
    return await eventually(seconds: seconds) {
        if condition() { return true }
        send(
            epoch(
                second.withLock { second in
                    defer { second += 1 }
                    return second
                }))
        try? await Task.sleep(nanoseconds: interval)
        return condition()
    }
}
