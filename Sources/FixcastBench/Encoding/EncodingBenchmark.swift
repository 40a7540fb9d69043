internal import FleetWire
internal import LocationProviders
internal import Positioning

/// What a report takes on the wire over recorded 1 Hz drives: JSON one by one, JSON in batches, the same through zstd, and
/// the compact form in batches; and what writing and reading it costs.
struct EncodingBenchmark {
    struct Settings {
        var rounds = 5
        /// Reports in a batch.
        var batch = 60
    }

    /// Which values the reports carry.
    enum Content: String, CaseIterable {
        case place = "time, position"
        case motion = "+ speed, course, accuracy"
    }

    /// Bytes a report of one form.
    struct Size {
        var name: String
        /// By ``Content``; `nil` where it was not measured.
        var bytes: [Double?]
    }

    /// Nanoseconds of CPU a report, in batches with all values.
    struct Cost {
        var name: String
        var encoding: Summary
        var decoding: Summary
    }

    /// Goal P5, bytes a report by ``Content``.
    static let goals = [6.0, 10.0]

    let settings: Settings
    private let tracks: [PolicyTrack]

    /// Reads every log of a directory; a drive that a machine made is left out.
    init(directory: String, settings: Settings) throws(BenchmarkError) {
        self.settings = settings
        tracks = try PolicyBenchmark(directory: directory).real.filter { $0.fixes.count >= settings.batch }
        guard tracks.contains(where: \.isOneHertz) else {
            throw BenchmarkError("there is no drive at 1 Hz in \(directory)")
        }
    }

    // MARK: Reports

    /// The drives that say what `content` needs: what is unknown takes no bytes.
    private func tracks(_ content: Content) -> [PolicyTrack] {
        guard content == .motion else { return tracks }
        return tracks.filter { track in
            let complete = track.fixes.filter { $0.speed != nil && $0.course != nil }
            // One accuracy throughout is an assumed one.
            return complete.count * 2 > track.fixes.count && Set(track.fixes.map(\.horizontalAccuracy)).count > 1
        }
    }

    /// Full batches of a drive, as an agent makes the reports.
    private func batches(_ track: PolicyTrack, _ content: Content) -> [[Report]] {
        let reports = track.fixes.enumerated().map { index, fix in
            var location = Location(coordinate: fix.coordinate, timestamp: fix.timestamp)
            if content == .motion {
                location.speed = fix.speed
                location.course = fix.course
                location.horizontalAccuracy = fix.horizontalAccuracy
            }
            var draft = ReportDraft(location: location)
            draft.roundToWireResolution()
            return Report(
                identity: ReportIdentity(instance: "k3f9a2", boot: 17, sequence: UInt64(index + 1)), draft: draft)
        }
        return stride(from: 0, through: reports.count - settings.batch, by: settings.batch).map {
            Array(reports[$0..<$0 + settings.batch])
        }
    }

    /// Those of all drives at 1 Hz, for which the goals are stated.
    private func batches(_ content: Content) -> [[Report]] {
        tracks(content).filter(\.isOneHertz).flatMap { batches($0, content) }
    }

    private static func compact(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        CompactTrack.encode(reports, into: &bytes)
        return bytes
    }

    private static func json(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        TrackJSON.encode(reports, into: &bytes)
        return bytes
    }

    private static func single(_ reports: [Report]) -> [UInt8] {
        var bytes: [UInt8] = []
        for report in reports { ReportJSON.encode(report, into: &bytes) }
        return bytes
    }

    // MARK: Sizes

    /// Bytes a report of each form, over all drives.
    func sizes() throws(BenchmarkError) -> [Size] {
        let directory = try Files.makeTemporaryDirectory()
        defer { Files.remove(directory) }
        var sizes = [
            Size(name: "JSON, one by one", bytes: []), Size(name: "JSON x \(settings.batch)", bytes: []),
            Size(name: "JSON x \(settings.batch), zstd -3", bytes: []),
            Size(name: "JSON x \(settings.batch), zstd -19", bytes: []),
            Size(name: "compact x \(settings.batch)", bytes: []),
        ]
        for content in Content.allCases {
            let batches = batches(content)
            let count = Double(batches.count * settings.batch)
            let json = batches.map(Self.json)
            sizes[0].bytes.append(Double(batches.reduce(0) { $0 + Self.single($1).count }) / count)
            sizes[1].bytes.append(Double(json.reduce(0) { $0 + $1.count }) / count)
            sizes[2].bytes.append(try zstd(json, 3, in: directory).map { Double($0) / count })
            sizes[3].bytes.append(try zstd(json, 19, in: directory).map { Double($0) / count })
            sizes[4].bytes.append(Double(batches.reduce(0) { $0 + Self.compact($1).count }) / count)
        }
        return sizes
    }

    /// Bytes a report in the compact form of each drive, by ``Content``.
    func sizesPerTrack() -> [Size] {
        let complete = Set(tracks(.motion).map(\.name))
        return tracks.map { track in
            Size(
                name: track.name + (track.isOneHertz ? "" : ", not at 1 Hz"),
                bytes: Content.allCases.map { content in
                    guard content == .place || complete.contains(track.name) else { return nil }
                    let batches = batches(track, content)
                    return Double(batches.reduce(0) { $0 + Self.compact($1).count })
                        / Double(batches.count * settings.batch)
                })
        }
    }

    /// Bytes of all payloads, each compressed alone as its message would be; `nil` where there is no `zstd`.
    private func zstd(_ payloads: [[UInt8]], _ level: Int, in directory: String) throws(BenchmarkError) -> Int? {
        let names = payloads.indices.map { "\(directory)/\($0)" }
        for (name, payload) in zip(names, payloads) { try Files.write(payload, to: name) }
        do throws(BenchmarkError) {
            var process = try ChildProcess(
                ["zstd", "-q", "-f", "--no-check", "-\(level)"] + names, log: "\(directory)/log")
            _ = try process.wait(seconds: 300)
        } catch {
            try Interruption.check()
            return nil
        }
        return names.reduce(0) { $0 + Files.size("\($1).zst") }
    }

    // MARK: Costs

    func costs() throws(BenchmarkError) -> [Cost] {
        let batches = batches(.motion)
        var encoding: [[Double]] = [[], []]
        var decoding: [[Double]] = [[], []]
        let payloads = [batches.map(Self.json), batches.map(Self.compact)]
        // In turn, so that both meet the same moods of the machine.
        for _ in 0..<settings.rounds {
            for form in 0..<2 {
                var buffer: [UInt8] = []
                encoding[form].append(
                    nanoseconds(batches.count) { index in
                        buffer.removeAll(keepingCapacity: true)
                        if form == 0 {
                            TrackJSON.encode(batches[index], into: &buffer)
                        } else {
                            CompactTrack.encode(batches[index], into: &buffer)
                        }
                        return buffer.count
                    })
                decoding[form].append(
                    nanoseconds(batches.count) { index in
                        let message = try? TrackMessage(payload: payloads[form][index])
                        return message?.reports.count ?? 0
                    })
            }
        }
        return ["JSON x \(settings.batch)", "compact x \(settings.batch)"].enumerated().map { form, name in
            Cost(name: name, encoding: Summary(encoding[form]), decoding: Summary(decoding[form]))
        }
    }

    /// Of CPU a report, over all batches as often as a tenth of a second allows.
    private func nanoseconds(_ batches: Int, _ body: (Int) -> Int) -> Double {
        var (count, sum) = (0, 0)
        let start = Clock.processorTime()
        var end = start
        repeat {
            for index in 0..<batches { sum &+= body(index) }
            count += batches * settings.batch
            end = Clock.processorTime()
        } while end - start < 0.1
        precondition(sum > 0, "something was done")
        return (end - start) / Double(count) * 1e9
    }
}
