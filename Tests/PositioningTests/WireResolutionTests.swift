import Positioning
import Testing

@Suite struct WireResolutionTests {
    @Test func accuraciesOfOneAndMoreHaveOneDecimal() {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3.14159)
        location.verticalAccuracy = 0.987
        location.speedAccuracy = 1.26
        location.courseAccuracy = 12.04
        var draft = ReportDraft(location: location)
        draft.roundToWireResolution()
        #expect(draft.location.horizontalAccuracy == 3.1 && draft.location.verticalAccuracy == 0.987)
        #expect(draft.location.speedAccuracy == 1.3 && draft.location.courseAccuracy == 12)
    }

    @Test(arguments: [0, -1, 1e-9, 0.9999, 1e300, .infinity, -.infinity] as [Double])
    func anAccuracyThatIsNoneOrSmallStays(accuracy: Double) {
        var draft = ReportDraft(
            location: Location(coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: accuracy))
        draft.roundToWireResolution()
        #expect(draft.location.horizontalAccuracy == accuracy)
    }
}
