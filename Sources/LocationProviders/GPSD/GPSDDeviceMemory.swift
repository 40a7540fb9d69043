internal import Positioning

/// What is remembered of one device's reports: the epoch they are in, and the sky it last told.
struct GPSDDeviceMemory: Equatable, Sendable {
    /// The open epoch's reports in one; `nil` before the first dated one and without a fix.
    private var epoch: GPSDMessage.TPV?
    private var isTold = false
    private var sky: GPSDMessage.SKY?
    /// The time of the report that the sky came with or before, and how many came since.
    private var skyTime: UTCInstant?
    private var skyReports = 0

    /// A sky view that says less than one before takes nothing back: 3.22 sends some without DOPs.
    mutating func note(_ news: GPSDMessage.SKY) {
        guard news.hdop != nil || news.satellitesUsed != nil else { return }
        sky = GPSDMessage.SKY(
            device: news.device, hdop: news.hdop ?? sky?.hdop,
            satellitesUsed: news.satellitesUsed ?? sky?.satellitesUsed)
        (skyTime, skyReports) = (epoch?.time, 0)
    }

    mutating func read(_ tpv: GPSDMessage.TPV, _ accuracy: GPSDAccuracy) -> GPSDTranslator.Outcome {
        dropOldSky(tpv.time)
        guard let mode = tpv.mode, mode > 1, !isDenied(tpv) else {
            epoch = nil
            return .noFix(tpv.time)
        }
        guard let time = tpv.time else { return location(tpv, accuracy).map { .fix($0) } ?? .nothing }
        guard let open = epoch, open.time == time else {
            (epoch, isTold) = (tpv, false)
            return tell(tpv, accuracy)
        }
        var merged = open
        merged.merge(tpv)
        guard merged != open else { return isTold ? .repeated : .nothing }
        epoch = merged
        return tell(merged, accuracy)
    }

    private mutating func tell(_ tpv: GPSDMessage.TPV, _ accuracy: GPSDAccuracy) -> GPSDTranslator.Outcome {
        guard let location = location(tpv, accuracy) else { return .nothing }
        defer { isTold = true }
        return isTold ? .refined(location) : .fix(location)
    }

    private func location(_ tpv: GPSDMessage.TPV, _ accuracy: GPSDAccuracy) -> Location? {
        guard var location = tpv.location(accuracy) else { return nil }
        location.hdop = sky?.hdop.flatMap { $0 > 0 ? $0 : nil }
        location.satellitesUsed = sky?.satellitesUsed.flatMap { (0...1000).contains($0) ? Int($0) : nil }
        return location
    }

    private mutating func dropOldSky(_ time: UTCInstant?) {
        skyReports += 1
        if skyTime == nil { skyTime = time }
        if let skyTime, let time {
            let age = time - skyTime
            if age > GPSDTranslator.skyLifetime || age < .zero - GPSDTranslator.skyLifetime { sky = nil }
        } else if skyReports > GPSDTranslator.skyReports {
            sky = nil
        }
    }

    /// G01: while a receiver says that it has no fix and still sends the old position and number of satellites, 3.22
    /// makes a mode 2 or 3 with a fresh time of it; the sky view alone tells, with no satellite used and the DOP that
    /// receivers send for none. Where the position is not from satellites, that means nothing.
    private func isDenied(_ tpv: GPSDMessage.TPV) -> Bool {
        guard let sky, sky.satellitesUsed == 0, let hdop = sky.hdop, hdop >= 99 else { return false }
        return switch tpv.status {
        case nil, 0, 1, 2, 3, 4, 9: true
        default: false
        }
    }
}
