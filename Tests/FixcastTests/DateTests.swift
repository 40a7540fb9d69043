import Fixcast
import Foundation
import Testing

@Suite struct DateTests {
    @Test func datesAndInstantsConvertBothWays() {
        for milliseconds in [0, -1, 1_796_010_000_200, -62_167_219_200_000, 253_402_300_799_999] as [Int64] {
            let instant = UTCInstant(milliseconds: milliseconds)
            #expect(UTCInstant(Date(instant)) == instant)
        }
        #expect(UTCInstant(Date(timeIntervalSince1970: 1.2345)).milliseconds == 1235)
        #expect(UTCInstant(Date(timeIntervalSince1970: 1e300)).milliseconds == .max)
        #expect(UTCInstant(Date(timeIntervalSince1970: -.infinity)).milliseconds == .min)
    }

    @Test func aLocationHasADateAndAnAge() {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
        #expect(location.date == nil && location.age() == nil)
        location.date = Date(timeIntervalSince1970: 10)
        #expect(location.timestamp == UTCInstant(milliseconds: 10_000))
        #expect(location.age(at: Date(timeIntervalSince1970: 12.5)) == .milliseconds(2500))
    }
}
