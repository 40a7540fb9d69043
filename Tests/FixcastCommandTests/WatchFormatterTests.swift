import FleetWire
import Foundation
import Positioning
import Testing

@testable import FixcastCommand

@Suite struct WatchFormatterTests {
    private let vehicle = try! VehicleID("van-042")
    private let time = UTCInstant(milliseconds: 1_796_010_000_200)

    private var report: Report {
        var location = Location(
            coordinate: Coordinate(latitude: 52.5200081, longitude: 13.4049543), horizontalAccuracy: 3.24,
            timestamp: time)
        location.speed = 13.9
        location.course = 271.3
        location.altitude = 34.5
        location.fix = .threeD
        return Report(
            identity: ReportIdentity(instance: "k3f9a2", boot: 17, sequence: 4711),
            draft: ReportDraft(location: location, motion: .moving, due: 75))
    }

    private func line(_ format: WatchFormat, _ event: WatchEvent) -> String {
        var bytes: [UInt8] = []
        WatchFormatter(format: format).append(event, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func writesForPeople() {
        #expect(
            line(.text, .position(vehicle, report, isLastKnown: false))
                == "2026-11-30T03:40:00.200Z van-042 52.5200081 13.4049543 ±3.2 m 50 km/h 271° moving\n")
        var unsure = report
        unsure.draft.motion = nil
        unsure.draft.location.horizontalAccuracy = 25.4
        unsure.draft.location.isAccuracyAssumed = true
        unsure.draft.location.isSimulated = true
        unsure.draft.location.speed = 0
        unsure.draft.location.course = 359.7
        unsure.draft.location.unreliable = [.accuracy, .clock]
        #expect(
            line(.text, .position(vehicle, unsure, isLastKnown: true))
                == "2026-11-30T03:40:00.200Z van-042 52.5200081 13.4049543 ±25 m (assumed) 0 km/h 0° simulated last known unreliable: accuracy, clock\n"
        )
        #expect(line(.text, .availability(vehicle, .available, time)) == "2026-11-30T03:40:00.200Z van-042 available\n")
        #expect(line(.text, .availability(vehicle, .unknown, time)) == "2026-11-30T03:40:00.200Z van-042 unknown\n")
        #expect(
            line(.text, .availability(vehicle, .unavailable(.noFix), time))
                == "2026-11-30T03:40:00.200Z van-042 unavailable: noFix\n")
    }

    @Test func saysWhatIsUnknownWithoutInventing() {
        var empty = report
        empty.draft = ReportDraft(location: Location(coordinate: Coordinate(latitude: .nan, longitude: 1)))
        empty.draft.location.unreliable = .coordinate
        #expect(
            line(.text, .position(vehicle, empty, isLastKnown: false))
                == "undated                  van-042 nowhere unreliable: coordinate\n")
        #expect(
            line(.csv, .position(vehicle, empty, isLastKnown: false))
                == ",van-042,position,,1,,,,,,,coordinate,,k3f9a2,17,4711\n")
    }

    @Test func writesOneObjectALine() throws {
        let events: [WatchEvent] = [
            .position(vehicle, report, isLastKnown: false), .position(vehicle, report, isLastKnown: true),
            .availability(vehicle, .available, time), .availability(vehicle, .unknown, time),
            .availability(vehicle, .unavailable(UnavailabilityReason(rawValue: "a\n\"b")), time),
        ]
        for event in events {
            let text = line(.json, event)
            #expect(text.hasSuffix("}\n") && text.filter { $0 == "\n" }.count == 1)
            let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(object["vehicle"] as? String == "van-042")
            switch event {
            case .position(_, _, let isLastKnown):
                #expect(object["event"] as? String == (isLastKnown ? "lastKnown" : "position"))
                #expect((object["report"] as? [String: Any])?["seq"] as? Int == 4711)
            case .availability(_, let availability, _):
                #expect(object["event"] as? String == "availability")
                #expect(object["available"] as? Bool == availability.isAvailable)
                #expect(object["time"] as? String == "2026-11-30T03:40:00.200Z")
                #expect((object["reason"] != nil) == !availability.isAvailable)
            }
        }
    }

    @Test func everyRowHasTheColumnsOfTheHeader() {
        let columns = WatchFormatter(format: .csv).header.count { $0 == UInt8(ascii: ",") }
        #expect(columns == 15)
        #expect(WatchFormatter(format: .text).header.isEmpty && WatchFormatter(format: .json).header.isEmpty)
        var other = report
        other.draft.location.unreliable = [.accuracy, .noFix]
        let events: [WatchEvent] = [
            .position(vehicle, report, isLastKnown: false), .position(vehicle, other, isLastKnown: true),
            .availability(vehicle, .available, time),
            .availability(vehicle, .unavailable(UnavailabilityReason(rawValue: "a,b\n")), time),
        ]
        for event in events {
            let row = line(.csv, event)
            #expect(row.count { $0 == "," } == columns && row.count { $0 == "\n" } == 1, "\(row)")
        }
        #expect(
            line(.csv, events[0])
                == "2026-11-30T03:40:00.200Z,van-042,position,52.5200081,13.4049543,3.24,34.5,13.9,271.3,3d,moving,,,k3f9a2,17,4711\n"
        )
        #expect(line(.csv, events[2]) == "2026-11-30T03:40:00.200Z,van-042,availability,,,,,,,,,,available,,,\n")
    }

    @Test func aWordFromOutsideCannotSteerTheTerminal() {
        let reason = UnavailabilityReason(rawValue: "\u{1B}[2J" + String(repeating: "x", count: 500))
        let text = line(.text, .availability(vehicle, .unavailable(reason), time))
        #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A } && text.count < 120)
    }
}
