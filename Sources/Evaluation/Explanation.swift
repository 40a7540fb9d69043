public import Positioning
public import Reporting

/// What an agent would have made of a recorded drive, gathered for a report.
public struct Explanation {
    /// One thing that happened.
    public enum Event {
        case sent(Report, bytes: Int)
        case rejected(Location, Rejection)
        /// The log says that the receiver had no fix, or that its source was gone.
        case gap(UTCInstant?)
    }

    public var title: String
    public private(set) var events: [Event] = []
    /// The fixes as they came, in pieces; a gap parts them.
    public private(set) var track: [[Coordinate]] = []
    public private(set) var fixes = 0
    public private(set) var held = 0
    private var evaluation: DriveEvaluation
    private var isGap = true

    /// - Parameter title: what the drive is called, for example vehicle and file.
    public init(title: String, policy: ReportingPolicy) {
        self.title = title
        evaluation = DriveEvaluation(policy: policy)
    }

    /// What it cost, and how far off a receiver was.
    public var outcome: DriveOutcome { evaluation.outcome }

    /// How many fixes each rule rejected, in the order of the checks.
    public var rejections: [(rule: RejectionRule, count: UInt64)] {
        RejectionRule.allCases.map { ($0, evaluation.counters.rejected(by: $0)) }.filter { $0.1 > 0 }
    }

    /// How many reports each trigger sent.
    public var triggers: [(trigger: ReportTrigger, count: Int)] {
        var counts: [ReportTrigger: Int] = [:]
        for case .sent(let report, _) in events {
            if let trigger = report.draft.trigger { counts[trigger, default: 0] += 1 }
        }
        return ReportTrigger.allCases.compactMap { trigger in counts[trigger].map { (trigger, $0) } }
    }

    /// The next fix of the drive.
    public mutating func receive(_ fix: Location) {
        fixes += 1
        if fix.coordinate.isCorrect {
            if isGap { track.append([]) }
            isGap = false
            track[track.count - 1].append(fix.coordinate)
        }
        evaluation.receive(fix) { note($0, &events, &held) }
    }

    /// The log says that the receiver had no fix, or that its source was gone.
    public mutating func gap(at time: UTCInstant?) {
        if !isGap { events.append(.gap(time)) }
        isGap = true
    }

    /// The drive is over.
    public mutating func finish() { evaluation.finish { note($0, &events, &held) } }
}

private func note(_ step: DriveEvaluation.Step, _ events: inout [Explanation.Event], _ held: inout Int) {
    switch step {
    case .sent(let report, let bytes): events.append(.sent(report, bytes: bytes))
    case .rejected(let location, let rejection): events.append(.rejected(location, rejection))
    case .held: held += 1
    }
}
