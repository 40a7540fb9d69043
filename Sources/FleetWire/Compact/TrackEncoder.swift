internal import Positioning
internal import WireText

/// Writes the columns of a batch: each value under the same conditions and with the same decimals as in the JSON form.
struct TrackEncoder {
    private var column: ColumnWriter

    init(capacity: Int) { column = ColumnWriter(capacity: capacity) }

    mutating func write(_ reports: [Report], into buffer: inout [UInt8]) {
        writeTimeAndPlace(reports, into: &buffer)
        writeMotion(reports, into: &buffer)
        writeQuality(reports, into: &buffer)
        writePromise(reports, into: &buffer)
        writeWords(reports, into: &buffer)
    }

    private mutating func writeTimeAndPlace(_ reports: [Report], into buffer: inout [UInt8]) {
        var expected = reports[0].identity.sequence
        whole(.gap, reports, into: &buffer) { report in
            let gap = Int64(bitPattern: report.identity.sequence &- expected)
            expected = report.identity.sequence &+ 1
            return gap == 0 ? nil : gap
        }
        whole(.time, reports, into: &buffer) { report in
            report.draft.location.timestamp.map {
                min(max($0.milliseconds, RFC3339.range.lowerBound), RFC3339.range.upperBound)
            }
        }
        decimal(.latitude, reports, into: &buffer) { place($0.draft.location.coordinate)?.latitude }
        decimal(.longitude, reports, into: &buffer) { place($0.draft.location.coordinate)?.longitude }
        whole(.unreliable, reports, into: &buffer) { $0.draft.location.unreliable.number }
    }

    private mutating func writeMotion(_ reports: [Report], into buffer: inout [UInt8]) {
        decimal(.speed, reports, into: &buffer) { WrittenValue.notNegative($0.draft.location.speed) }
        decimal(.course, reports, into: &buffer) { $0.draft.location.course.flatMap(WrittenValue.course) }
        decimal(.horizontalAccuracy, reports, into: &buffer) { report in
            report.draft.location.hasUsableAccuracy
                ? WrittenValue.accuracy(report.draft.location.horizontalAccuracy) : nil
        }
        decimal(.altitude, reports, into: &buffer) { WrittenValue.finite($0.draft.location.altitude) }
        decimal(.verticalAccuracy, reports, into: &buffer) {
            WrittenValue.accuracy($0.draft.location.verticalAccuracy)
        }
        decimal(.speedAccuracy, reports, into: &buffer) { WrittenValue.accuracy($0.draft.location.speedAccuracy) }
        decimal(.courseAccuracy, reports, into: &buffer) { WrittenValue.accuracy($0.draft.location.courseAccuracy) }
        whole(.altitudeReference, reports, into: &buffer) { report in
            let isEllipsoid = report.draft.location.altitudeReference == .wgs84Ellipsoid
            return isEllipsoid && WrittenValue.finite(report.draft.location.altitude) != nil ? 1 : nil
        }
    }

    private mutating func writeQuality(_ reports: [Report], into buffer: inout [UInt8]) {
        whole(.fix, reports, into: &buffer) { $0.draft.location.fix.number }
        whole(.satellites, reports, into: &buffer) { report in
            report.draft.location.satellitesUsed.flatMap { Meaning.satellites(Int64($0)) }.map { Int64($0) }
        }
        decimal(.hdop, reports, into: &buffer) { WrittenValue.finite($0.draft.location.hdop) }
        whole(.flags, reports, into: &buffer) { CompactFlags.number($0.draft.location) }
        whole(.motion, reports, into: &buffer) { $0.draft.motion?.number }
        whole(.trigger, reports, into: &buffer) { $0.draft.trigger?.number }
    }

    private mutating func writePromise(_ reports: [Report], into buffer: inout [UInt8]) {
        decimal(.due, reports, into: &buffer) { WrittenValue.finite($0.draft.due) }
        decimal(.bound, reports, into: &buffer) { WrittenValue.finite($0.draft.bound) }
        decimal(.velocityNorth, reports, into: &buffer) { WrittenValue.velocity($0.draft.predictionVelocity)?.north }
        decimal(.velocityEast, reports, into: &buffer) { WrittenValue.velocity($0.draft.predictionVelocity)?.east }
        decimal(.uptime, reports, into: &buffer) { WrittenValue.finite($0.draft.uptime) }
    }

    private mutating func writeWords(_ reports: [Report], into buffer: inout [UInt8]) {
        words(.source, reports, into: &buffer) { $0.draft.location.source.map { Array($0.utf8) } }
        words(.passedValues, reports, into: &buffer) { report in
            guard let values = report.draft.location.passedValues, let object = ReportJSON.object(values.json) else {
                return nil
            }
            return object.count == values.json.count ? values.json : Array(values.json[object])
        }
    }

    // MARK: Columns

    /// A column of whole numbers.
    @inline(__always)
    private mutating func whole(
        _ field: TrackField, _ reports: [Report], into buffer: inout [UInt8],
        _ number: (borrowing Report) -> Int64?
    ) {
        column.begin()
        for index in reports.indices { column.add(number(reports[index])) }
        column.write(field.rawValue, finer: 0, into: &buffer)
    }

    /// A column of decimal numbers, all of them finite.
    @inline(__always)
    private mutating func decimal(
        _ field: TrackField, _ reports: [Report], into buffer: inout [UInt8],
        _ value: (borrowing Report) -> Double?
    ) {
        let decimals = field.finestDecimals
        column.begin()
        var isExact = false
        for index in reports.indices {
            guard let value = value(reports[index]) else {
                column.add(nil)
                continue
            }
            guard let units = value.units(decimals: decimals) else {
                isExact = true
                break
            }
            column.add(units)
        }
        if isExact {
            column.begin()
            for index in reports.indices {
                column.add(
                    exact: value(reports[index]).map { value in
                        value.units(decimals: decimals).map { Double(units: $0, decimals: decimals) } ?? value
                    })
            }
            return column.write(field.rawValue, finer: 0, into: &buffer)
        }
        guard !column.isEmpty else { return }
        let finer = column.dropDecimals(from: decimals, to: field.decimals)
        column.write(field.rawValue, finer: finer, into: &buffer)
    }

    /// Text: each word once, and which of them each report has.
    private mutating func words(
        _ field: TrackField, _ reports: [Report], into buffer: inout [UInt8],
        _ word: (borrowing Report) -> [UInt8]?
    ) {
        var words: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        column.begin()
        for index in reports.indices {
            guard let word = word(reports[index]) else {
                column.add(nil)
                continue
            }
            // The word of the report before is the likeliest.
            if words.last == word {
                column.add(Int64(words.count - 1))
            } else if let place = places[word] {
                column.add(Int64(place))
            } else {
                places[word] = words.count
                column.add(Int64(words.count))
                words.append(word)
            }
        }
        guard !words.isEmpty else { return }
        let plan = column.plan(finer: 0)
        let length = words.reduce(plan.room(WordsField.which)) { length, word in
            length + ProtobufWire.tagLength(WordsField.words) + ProtobufWire.length(UInt64(word.count)) + word.count
        }
        buffer.append(addingCapacity: length + 20) { (out: inout OutputSpan<UInt8>) in
            out.append(tag: field.rawValue, .delimited)
            out.append(varint: UInt64(length))
            for word in words { out.append(field: WordsField.words, text: word.span) }
            column.write(plan, WordsField.which, to: &out)
        }
    }
}

/// Both or none.
@inline(__always)
private func place(_ coordinate: Coordinate) -> Coordinate? {
    coordinate.latitude.isFinite && coordinate.longitude.isFinite ? coordinate : nil
}
