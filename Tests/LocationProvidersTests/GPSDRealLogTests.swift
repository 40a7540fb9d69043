import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

/// What gpsd 3.22 sent for real receivers, through the live provider's machine, whose clock is the log's.
@Suite(.enabled(if: RealData.directory != nil, "\(RealData.missing)")) struct GPSDRealLogTests {
    private struct Epoch {
        var time: String
        var reports: [[String: Any]]
    }

    /// The dated reports with a position that follow each other with one time.
    private func epochs(_ reports: [[String: Any]]) -> [Epoch] {
        var epochs: [Epoch] = []
        for report in reports {
            guard let mode = report["mode"] as? Int, mode > 1, let time = report["time"] as? String else {
                if report["mode"] != nil { epochs.append(Epoch(time: "", reports: [])) }
                continue
            }
            if epochs.last?.time == time {
                epochs[epochs.count - 1].reports.append(report)
            } else {
                epochs.append(Epoch(time: time, reports: [report]))
            }
        }
        return epochs.filter { $0.reports.contains { $0["lat"] != nil && $0["lon"] != nil } }
    }

    private func told(_ text: String) -> (locations: [Location], reports: [[String: Any]]) {
        var machine = GPSDMachine(settings: GPSDSettings())
        var now = MonotonicInstant(nanoseconds: 0)
        var (locations, reports): ([Location], [[String: Any]]) = ([], [])
        var last: UTCInstant?
        func perform(_ actions: GPSDMachine.Actions) {
            locations += [actions.earlier, actions.location].compactMap(\.self)
        }
        _ = machine.start()
        _ = machine.connected(now: now)
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("{") {
            let bytes = Array(line.utf8)
            guard let message = try? GPSDMessage.read(bytes.span) else { continue }
            if case .tpv(let tpv) = message {
                if let time = tpv.time, let last, time > last { now = now + min(time - last, .seconds(1)) }
                last = tpv.time ?? last
                if let report = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] {
                    reports.append(report)
                }
            }
            if let deadline = machine.deadline, deadline <= now { perform(machine.timerFired(now: now, random: 0.5)) }
            machine.received(now: now)
            perform(machine.read(message, now: now))
        }
        perform(machine.disconnected(now: now, random: 0.5))
        return (locations, reports)
    }

    @Test func everyEpochOfEveryLogIsToldOnce() throws {
        for name in try RealData.names(in: "gpsd-nmea", suffix: ".chk322") {
            let (locations, reports) = told(String(decoding: try RealData.bytes(name), as: UTF8.self))
            let expected = epochs(reports)
            let dated = locations.filter { $0.timestamp != nil }
            // One: where a receiver had lost all satellites, its first report is not believed.
            #expect(dated.count == expected.count || dated.count == expected.count - 1, "\(name)")
            for (one, next) in zip(dated, dated.dropFirst()) where one.timestamp == next.timestamp {
                Issue.record("\(name): an epoch is told twice")
            }
        }
    }

    /// Each epoch of this receiver comes in two reports, the first with a speed that gpsd made up and without course.
    @Test func aSplitEpochIsToldWhole() throws {
        let bytes = try RealData.bytes("gpsd-nmea/haicom-305N.log.chk322")
        let (locations, reports) = told(String(decoding: bytes, as: UTF8.self))
        let expected = epochs(reports)
        #expect(locations.count == expected.count && expected.count > 60)
        for (location, epoch) in zip(locations, expected).dropFirst() {
            #expect(epoch.reports.count == 2)
            #expect(location.course == epoch.reports.last?["track"] as? Double)
            #expect(location.speed == epoch.reports.last?["speed"] as? Double)
        }
    }
}
