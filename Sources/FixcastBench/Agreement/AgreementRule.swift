internal import Positioning

/// Why we and gpsd differ: general rules about sentences, never about a log. Each is told in full, with why ours is right,
/// in GPSDDifferences.md beside the tests.
struct AgreementRule: Sendable {
    var name: String
    var fields: Set<AgreementDifference.Field>
    var applies: @Sendable (AgreementDifference) -> Bool

    /// The first rule that explains a difference.
    static func explaining(_ difference: AgreementDifference) -> AgreementRule? {
        all.first { $0.fields.contains(difference.field) && $0.applies(difference) }
    }

    static let all: [AgreementRule] = [
        // What one of both does not tell at all.
        AgreementRule(name: "loss is told", fields: [.epoch]) { difference in
            difference.ours?.hasFix == false && difference.theirs.isEmpty
        },
        AgreementRule(name: "end of cycle missing", fields: [.epoch]) { difference in
            guard let ours = difference.ours, difference.theirs.isEmpty, let before = difference.previousTheirs else {
                return false
            }
            return ours.hasFix && ours.sentences(before.trigger).isEmpty
        },
        AgreementRule(name: "another protocol", fields: [.epoch]) { difference in
            difference.ours?.hasFix == true && difference.theirs.isEmpty && difference.isInterrupted
        },
        AgreementRule(name: "two epochs in one read", fields: [.epoch]) { difference in
            difference.ours?.hasFix == true && difference.theirs.isEmpty && difference.isSingle
        },
        AgreementRule(name: "nothing to tell", fields: [.epoch]) { difference in
            difference.ours == nil && difference.theirs.allSatisfy { !$0.hasFix }
        },
        AgreementRule(name: "no checksum", fields: [.epoch]) { difference in
            difference.ours == nil && difference.isWithoutChecksums
        },
        // What we refuse.
        AgreementRule(name: "damaged sentence", fields: Set(AgreementDifference.Field.allCases)) {
            ($0.ours?.refused ?? 0) > 0
        },
        AgreementRule(name: "void decides", fields: [.mode]) { difference in
            difference.ours?.hasFix == false && difference.ours?.sentences.contains(where: \.isVoid) == true
        },
        AgreementRule(name: "mode without position", fields: [.mode]) { difference in
            guard let last = difference.theirs.last else { return false }
            return difference.ours?.hasFix == false && last.mode >= 2 && !last.hasFix
        },
        // What gpsd does with time.
        AgreementRule(name: "rollover", fields: [.time]) { difference in
            guard let mine = difference.ours?.time, let other = difference.theirs.last?.time else { return false }
            return mine != other && (mine.milliseconds - other.milliseconds) % (1024 * 7 * 86_400_000) == 0
        },
        AgreementRule(name: "day counted on", fields: [.time]) { difference in
            guard let mine = difference.ours?.time, let last = difference.theirs.last, let other = last.time,
                let before = difference.previousTheirs?.clock, let clock = last.clock
            else { return false }
            let days = (other.milliseconds - mine.milliseconds) % (1024 * 7 * 86_400_000)
            return clock < before && days == 86_400_000
        },
        AgreementRule(name: "report of a clock", fields: [.mode]) { difference in
            guard let last = difference.theirs.last, last.mode <= 1, difference.ours?.hasFix == true else {
                return false
            }
            return !RawSentence.positionTypes.contains(last.trigger)
        },
        AgreementRule(name: "time of a clock", fields: [.time]) { difference in
            guard let clock = difference.theirs.last?.clock else { return false }
            return difference.sentences("ZDA").contains { $0.clock(field: 1) == clock }
                && !difference.reported.contains { $0.time == clock }
        },
        AgreementRule(name: "date not known yet", fields: [.time]) { difference in
            guard let last = difference.theirs.last, last.time == nil else { return false }
            return !difference.reported.contains { $0.tells(.time) }
        },
        AgreementRule(name: "leap second", fields: [.time]) { difference in
            difference.ours?.sentences.contains(where: \.isLeapSecond) == true
        },
        // How many dimensions.
        AgreementRule(name: "two dimensions", fields: [.mode, .altitude]) { difference in
            guard let ours = difference.ours, ours.location?.altitude == nil, ours.mode == 2 else { return false }
            return difference.dimension == 2
                || difference.sentences("GSA").isEmpty && difference.sentences("GGA").contains { Int($0[7]) == 3 }
        },
        AgreementRule(name: "three dimensions", fields: [.mode]) { difference in
            difference.ours?.mode == 3 && difference.theirs.last?.mode == 2 && difference.dimension == 3
        },
        AgreementRule(name: "dimension held", fields: [.mode]) { difference in
            guard let ours = difference.ours, ours.mode == 2, difference.theirs.last?.mode == 3 else { return false }
            return !ours.sentences.contains { $0.tells(.altitude) } && ours.sentences("GSA").isEmpty
        },
        AgreementRule(name: "few satellites", fields: [.mode]) { difference in
            difference.ours?.hasFix == true
                && difference.reported.contains { $0.type == "GGA" && !$0.isVoid && (Int($0[7]) ?? 0) < 4 }
        },
        AgreementRule(name: "status of GNS", fields: [.mode, .position, .time, .altitude]) { difference in
            difference.reported.contains { $0.type == "GNS" && !$0.isVoid && ($0[13] == "U" || $0[13] == "V") }
        },
        AgreementRule(name: "GNS without GPS", fields: [.mode, .position, .altitude]) { difference in
            difference.reported.contains { $0.type == "GNS" && !$0.isVoid && $0[6].hasPrefix("N") }
        },
        // Which sentence counts.
        AgreementRule(name: "reported before", fields: [.mode, .speed, .course, .altitude]) { difference in
            let field = difference.field
            return !difference.reported.contains { $0.tells(field) }
                && difference.unreported.contains { $0.tells(field) }
        },
        AgreementRule(name: "before the first time", fields: [.speed, .course, .altitude]) { difference in
            let (field, reported) = (difference.field, difference.reported)
            guard let first = reported.firstIndex(where: { $0.time != nil }) else { return false }
            return reported[..<first].contains { $0.tells(field) } && !reported[first...].contains { $0.tells(field) }
        },
        AgreementRule(name: "velocity of nobody", fields: [.speed, .course]) { difference in
            let field = difference.field
            return difference.ours?.sentences.contains { $0.tells(field) } == false
        },
        AgreementRule(name: "half a velocity", fields: [.speed, .course]) { difference in
            let field = difference.field
            let telling = difference.reported.filter { $0.tells(field) }
            return !telling.isEmpty && telling.allSatisfy { $0.type == "VTG" && $0.isHalf }
        },
        AgreementRule(name: "last velocity", fields: [.speed, .course]) { difference in
            let field = difference.field
            guard let last = difference.reported.last(where: { $0.tells(field) && !$0.isHalf }) else { return false }
            let theirs = field == .speed ? difference.theirs.last?.speed : difference.theirs.last?.course
            guard let theirs, let value = field == .speed ? last.speed : last.course else { return false }
            return abs(theirs - value) <= 0.000_51
        },
        AgreementRule(name: "maker's own sentence", fields: [.position]) { difference in
            guard let last = difference.theirs.last else { return false }
            return difference.reported.contains { !$0.isPosition && last.isAt($0.position) }
        },
        AgreementRule(name: "maker's own values", fields: [.mode, .time, .speed, .course, .altitude]) { difference in
            difference.reported.contains(where: \.isMakersPosition)
        },
        AgreementRule(name: "last position", fields: [.position]) { difference in
            guard let last = difference.theirs.last else { return false }
            return last.isAt(difference.reported.last { $0.isPosition && $0.position != nil }?.position)
        },
    ]
}

extension AgreementDifference {
    /// The best that GSA sentences say.
    fileprivate var dimension: Int? { precision.compactMap { Int($0[2]) }.max() }
}

extension GPSDReport {
    /// Milliseconds since midnight.
    fileprivate var clock: Int? { time.map { Int($0.milliseconds % 86_400_000) } }

    fileprivate func isAt(_ position: (latitude: Double, longitude: Double)?) -> Bool {
        guard let position, let latitude, let longitude else { return false }
        return abs(position.latitude - latitude) <= 1e-7 && abs(position.longitude - longitude) <= 1e-7
    }
}
