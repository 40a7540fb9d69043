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
        guard let mode = tpv.mode, mode > 1 else {
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

    private mutating func location(_ tpv: GPSDMessage.TPV, _ accuracy: GPSDAccuracy) -> Location? {
        guard var location = tpv.location(accuracy) else { return nil }
        skyReports += 1
        if skyTime == nil { skyTime = tpv.time }
        if let seen = skyTime, let time = tpv.time {
            if time - seen > GPSDTranslator.skyLifetime || seen - time > GPSDTranslator.skyLifetime { sky = nil }
        } else if skyReports > GPSDTranslator.skyReports {
            sky = nil
        }
        location.hdop = sky?.hdop.flatMap { $0 > 0 ? $0 : nil }
        location.satellitesUsed = sky?.satellitesUsed.flatMap { (0...1000).contains($0) ? Int($0) : nil }
        return location
    }
}
