internal import Positioning
internal import WireText

/// Puts the columns of a batch back into reports, under the same rules as the JSON form is read.
struct TrackDecoder {
    private let fields: TrackFields
    private var column = ColumnReader()
    private var reports: [Report]
    /// The first thing that is wrong with a report; empty where nothing is.
    private var faults: [WireError?] = []

    init(_ fields: TrackFields) {
        self.fields = fields
        let nowhere = Location(coordinate: Coordinate(latitude: .nan, longitude: .nan))
        let identity = ReportIdentity(instance: fields.instance, boot: fields.boot, sequence: 0)
        reports = Array(
            repeating: Report(identity: identity, draft: ReportDraft(location: nowhere)), count: fields.count)
    }

    mutating func read(_ payload: Span<UInt8>) throws(WireError) -> TrackMessage {
        try readSequences(payload)
        try readTimeAndPlace(payload)
        try readMotion(payload)
        try readQuality(payload)
        try readPromise(payload)
        try readWords(payload)
        for index in reports.indices { finish(index) }
        var track = TrackMessage(instance: fields.instance, boot: fields.boot, reports: reports)
        if !faults.isEmpty {
            track.reports = reports.indices.filter { faults[$0] == nil }.map { reports[$0] }
            track.refused = faults.compactMap { $0 }
        }
        return track
    }

    private mutating func readSequences(_ payload: Span<UInt8>) throws(WireError) {
        try whole(.gap, payload) { $0.identity.sequence = UInt64(bitPattern: $1) }
        var sequence = Int64(fields.sequence)
        for index in reports.indices {
            if index > 0 {
                let (next, isTooMuch) = sequence.addingReportingOverflow(1)
                let gap = Int64(bitPattern: reports[index].identity.sequence)
                let (sum, isTooFar) = next.addingReportingOverflow(gap)
                guard !isTooMuch, !isTooFar, sum >= 1 else {
                    throw WireError(.value, in: .track, key: TrackField.gap.name)
                }
                sequence = sum
            }
            reports[index].identity.sequence = UInt64(sequence)
        }
    }

    private mutating func readTimeAndPlace(_ payload: Span<UInt8>) throws(WireError) {
        try whole(.time, payload) { $0.draft.location.timestamp = UTCInstant(milliseconds: $1) }
        try decimal(.latitude, payload) { $0.draft.location.coordinate.latitude = $1 }
        try decimal(.longitude, payload) { $0.draft.location.coordinate.longitude = $1 }
        try whole(.unreliable, payload) { $0.draft.location.unreliable = UnreliableReasons(number: $1) }
    }

    private mutating func readMotion(_ payload: Span<UInt8>) throws(WireError) {
        try decimal(.speed, payload) { $0.draft.location.speed = Meaning.notNegative($1) }
        try decimal(.course, payload) { $0.draft.location.course = Meaning.course($1) }
        try decimal(.horizontalAccuracy, payload) { $0.draft.location.horizontalAccuracy = Meaning.positive($1) }
        try decimal(.altitude, payload) { $0.draft.location.altitude = $1 }
        try decimal(.verticalAccuracy, payload) { $0.draft.location.verticalAccuracy = Meaning.notNegative($1) }
        try decimal(.speedAccuracy, payload) { $0.draft.location.speedAccuracy = Meaning.notNegative($1) }
        try decimal(.courseAccuracy, payload) { $0.draft.location.courseAccuracy = Meaning.notNegative($1) }
        try whole(.altitudeReference, payload) { report, number in
            if number == 1 {
                report.draft.location.altitudeReference = .wgs84Ellipsoid
            } else if number != 0 {
                // Above what it is, is unknown.
                report.draft.location.altitude = nil
            }
        }
    }

    private mutating func readQuality(_ payload: Span<UInt8>) throws(WireError) {
        try whole(.fix, payload) { $0.draft.location.fix = FixType(number: $1) }
        try whole(.satellites, payload) { $0.draft.location.satellitesUsed = Meaning.satellites($1) }
        try decimal(.hdop, payload) { $0.draft.location.hdop = Meaning.notNegative($1) }
        try whole(.flags, payload) { report, flags in
            report.draft.location.isSimulated = flags & CompactFlags.simulated != 0
            report.draft.location.isExtrapolated = flags & CompactFlags.extrapolated != 0
            report.draft.location.isAccuracyAssumed = flags & CompactFlags.accuracyAssumed != 0
        }
        try whole(.motion, payload) { $0.draft.motion = Motion(number: $1) }
        try whole(.trigger, payload) { $0.draft.trigger = ReportTrigger(number: $1) }
    }

    private mutating func readPromise(_ payload: Span<UInt8>) throws(WireError) {
        try decimal(.due, payload) { $0.draft.due = Meaning.seconds($1) }
        try decimal(.bound, payload) { $0.draft.bound = Meaning.positive($1) }
        try decimal(.velocityNorth, payload) { $0.draft.predictionVelocity = Velocity(north: $1, east: .nan) }
        try decimal(.velocityEast, payload) { report, east in
            report.draft.predictionVelocity = report.draft.predictionVelocity.map {
                Velocity(north: $0.north, east: east)
            }
        }
        try decimal(.uptime, payload) { $0.draft.uptime = Meaning.seconds($1) }
    }

    private mutating func readWords(_ payload: Span<UInt8>) throws(WireError) {
        try words(.source, payload, text) { $0.draft.location.source = $1 }
        try words(.passedValues, payload, passedValues) { $0.draft.location.passedValues = $1 }
    }

    /// What can be said once everything was read.
    private mutating func finish(_ index: Int) {
        let location = reports[index].draft.location
        if location.coordinate.latitude.isNaN || location.coordinate.longitude.isNaN {
            let missing = location.coordinate.latitude.isNaN ? TrackField.latitude : .longitude
            reports[index].draft.location.coordinate = Coordinate(latitude: .nan, longitude: .nan)
            if !location.unreliable.contains(.coordinate) { refuse(index, .missing, missing) }
        }
        if let velocity = reports[index].draft.predictionVelocity {
            reports[index].draft.predictionVelocity = Meaning.velocity(velocity.north, velocity.east)
        }
        if let time = location.timestamp, !RFC3339.range.contains(time.milliseconds) { refuse(index, .value, .time) }
        reports[index].draft.location.unreliable.formUnion(reports[index].draft.location.intrinsicUnreliability)
    }

    private mutating func refuse(_ index: Int, _ code: WireError.Code, _ field: TrackField) {
        if faults.isEmpty { faults = Array(repeating: nil, count: reports.count) }
        if faults[index] == nil { faults[index] = WireError(code, in: .track, key: field.name) }
    }

    // MARK: Columns

    /// Reads the column in `range`, by default the field's own.
    private mutating func readColumn(
        _ field: TrackField, _ payload: Span<UInt8>, _ range: Range<Int>
    ) throws(WireError) {
        do throws(ColumnReader.Impossible) {
            try column.read(payload, range, count: reports.count)
        } catch {
            throw WireError(.value, in: .track, key: field.name)
        }
    }

    /// A column of whole numbers.
    @inline(__always)
    private mutating func whole(
        _ field: TrackField, _ payload: Span<UInt8>, _ set: (inout Report, Int64) -> Void
    ) throws(WireError) {
        guard let range = fields.range(field) else { return }
        try readColumn(field, payload, range)
        guard column.exact.isEmpty, column.finer == 0 else { throw WireError(.value, in: .track, key: field.name) }
        column.forEach(count: reports.count) { set(&reports[$0], column.numbers[$1]) }
    }

    /// A column of decimal numbers.
    @inline(__always)
    private mutating func decimal(
        _ field: TrackField, _ payload: Span<UInt8>, _ set: (inout Report, Double) -> Void
    ) throws(WireError) {
        guard let range = fields.range(field) else { return }
        try readColumn(field, payload, range)
        let decimals = field.decimals + column.finer
        if column.exact.isEmpty {
            column.forEach(count: reports.count) {
                set(&reports[$0], Double(units: column.numbers[$1], decimals: decimals))
            }
        } else {
            var wrong: [Int] = []
            column.forEach(count: reports.count) { report, value in
                if column.exact[value].isFinite {
                    set(&reports[report], column.exact[value])
                } else {
                    wrong.append(report)
                }
            }
            for report in wrong { refuse(report, .value, field) }
        }
    }

    /// Text: `read` makes the value of a word, once for all reports that have it.
    private mutating func words<Value>(
        _ field: TrackField, _ payload: Span<UInt8>, _ read: (Span<UInt8>, Range<Int>) -> Value?,
        _ set: (inout Report, Value) -> Void
    ) throws(WireError) {
        guard let range = fields.range(field) else { return }
        var values: [Value?] = []
        var which: Range<Int>?
        do throws(ProtobufReader.Malformed) {
            var reader = ProtobufReader(range)
            while let part = try reader.next(payload) {
                switch (part.number, part.value) {
                case (WordsField.words, .delimited(let range)):
                    guard values.count < reports.count else { throw ProtobufReader.Malformed() }
                    values.append(read(payload, range))
                case (WordsField.which, .delimited(let range)): which = range
                case (WordsField.words, _), (WordsField.which, _): throw ProtobufReader.Malformed()
                default: break
                }
            }
        } catch {
            throw WireError(.value, in: .track, key: field.name)
        }
        guard let which else { return }
        try readColumn(field, payload, which)
        guard column.exact.isEmpty, column.finer == 0 else { throw WireError(.value, in: .track, key: field.name) }
        var wrong: [Int] = []
        column.forEach(count: reports.count) { report, place in
            let number = column.numbers[place]
            if number >= 0, number < values.count, let value = values[Int(number)] {
                set(&reports[report], value)
            } else {
                wrong.append(report)
            }
        }
        for report in wrong { refuse(report, .value, field) }
    }
}

/// A user's own values in a range: none where they are too many, `nil` where they are no JSON object.
private func passedValues(_ payload: Span<UInt8>, _ range: Range<Int>) -> PassedValues?? {
    guard range.count <= PassedValues.limit else { return .some(nil) }
    let json = unsafe payload.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    return ReportJSON.object(json).map { PassedValues(json: Array(json[$0])) }
}
