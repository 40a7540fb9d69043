import Positioning
import Testing

@Suite struct ReliabilityTests {
    private func location(_ accuracy: Double?, latitude: Double = 54.5) -> Location {
        Location(coordinate: Coordinate(latitude: latitude, longitude: 3.5), horizontalAccuracy: accuracy)
    }

    @Test("rule 01: no usable accuracy", arguments: [nil, 0, -0.0, -1, .nan, .infinity, -.infinity] as [Double?])
    func rule01(accuracy: Double?) {
        #expect(!location(accuracy).hasUsableAccuracy)
        #expect(location(accuracy).unreliability(while: .available) == .accuracy)
    }

    @Test("rule 02: any accuracy above zero is reliable", arguments: [1e-300, 0.01, 5, 20_037_508.34, 1e300])
    func rule02(accuracy: Double) { #expect(location(accuracy).unreliability(while: .available) == []) }

    @Test("rule 02: half the equator is pi times the radius") func rule02HalfTheEquator() {
        #expect(Location.halfEquator == Double.pi * 6_378_137)
    }

    @Test("rule 03: an incorrect coordinate", arguments: [5, 20_037_508.34])
    func rule03(accuracy: Double) {
        #expect(location(accuracy, latitude: 90.1).unreliability(while: .available) == .coordinate)
        #expect(location(nil, latitude: .nan).unreliability(while: .available) == [.coordinate, .accuracy])
    }

    @Test(
        "rules 04 and 05: unknown and unavailable",
        arguments: [
            Availability.unknown, .unavailable(.noFix), .unavailable(.providerDown),
        ])
    func rules04And05(availability: Availability) {
        #expect(!availability.isAvailable)
        #expect(location(5).unreliability(while: availability) == .providerUnavailable)
        #expect(location(0).unreliability(while: availability) == [.providerUnavailable, .accuracy])
    }

    @Test("rule 19: reasons given by the maker stay") func rule19() {
        var made = location(5)
        made.unreliable = [.clock, .other]
        #expect(made.unreliability(while: .available) == [.clock, .other])
        made.fix = .none
        #expect(made.unreliability(while: .available) == [.clock, .other, .noFix])
    }

    @Test("rule 09: accuracies compare") func rule09() {
        #expect(DesiredAccuracy.low < .medium && DesiredAccuracy.medium < .high)
        #expect(DesiredAccuracy.allCases == DesiredAccuracy.allCases.sorted())
    }

    @Test("rule 12: a batch knows its current position, and is never empty") func rule12() throws {
        let batch = try LocationBatch([location(9), location(5)])
        #expect(batch.current == location(5))
        #expect(batch.locations == [location(9), location(5)])
        #expect(throws: EmptyLocationBatch.self) { try LocationBatch([]) }
    }

    @Test("rule 17: reports are ordered by boot and sequence, within an instance") func rule17() {
        func identity(_ boot: UInt64, _ sequence: UInt64, _ instance: String = "k3f9a2") -> ReportIdentity {
            ReportIdentity(instance: instance, boot: boot, sequence: sequence)
        }
        #expect(identity(1, 9).isBefore(identity(2, 1)) == true)
        #expect(identity(2, 1).isBefore(identity(2, 2)) == true)
        #expect(identity(2, 2).isBefore(identity(2, 2)) == false)
        #expect(identity(3, 1).isBefore(identity(2, 9)) == false)
        #expect(identity(1, 1).isBefore(identity(2, 1, "another")) == nil)
    }
}
