import Positioning
import Testing

@testable import LocationProviders

/// When the one location of an epoch comes out, and with what.
@Suite struct NMEARhythmTests {
    static let start: Int64 = 12 * 3_600_000

    func rmc(_ time: Int64, talker: String = "GN", status: String = "A", speed: String = "10.0") -> String {
        nmea("\(talker)RMC,\(clockText(time)),\(status),5430.0000,N,00330.0000,E,\(speed),90.0,301126,,,A")
    }
    func gga(_ time: Int64, talker: String = "GN", quality: Int = 1) -> String {
        nmea("\(talker)GGA,\(clockText(time)),5430.0000,N,00330.0000,E,\(quality),08,1.2,10.0,M,45.0,M,,")
    }
    func gll(_ time: Int64) -> String { nmea("GNGLL,5430.0000,N,00330.0000,E,\(clockText(time)),A,A") }
    func gst(_ time: Int64) -> String { nmea("GNGST,\(clockText(time)),,,,,3.0,4.0,6.5") }
    func gsa(_ system: Int) -> String { nmea("GNGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.2,1.6,\(system)") }
    let vtg = nmea("GNVTG,91.0,T,,M,11.0,N,,K,A")
    let gsv = nmea("GPGSV,1,1,04,01,50,100,40,02,50,100,40,03,50,100,40,04,50,100,40")

    /// Orders in which receivers send, from 1 to 25 Hz: one location an epoch, whole, without delay once the order is known.
    @Test(arguments: [1000, 200, 100, 40], 0..<6)
    func theLastSentenceTellsTheEpochAtOnce(interval: Int64, order: Int) {
        var stream = LiveStream()
        let epochs: Int64 = 12
        for epoch in 0..<epochs {
            let time = Self.start + epoch * interval
            let gsas = [gsa(1), gsa(2), gsa(3)]
            let sentences =
                switch order {
                case 0: [rmc(time), vtg, gga(time)] + gsas + [gsv, gll(time), gst(time)]
                case 1: [gga(time)] + gsas + [gsv, rmc(time)] + [vtg, gst(time)]
                case 2: [gsa(1), gsa(2), gsa(3), vtg, rmc(time), gst(time), gga(time)]
                case 3: [gst(time), vtg, gga(time), rmc(time)] + gsas
                case 4: [gga(time), gga(time, talker: "GL"), gst(time), rmc(time)] + gsas + [vtg, gsv]
                default:
                    [gst(time)] + gsas + [rmc(time, talker: "GP"), rmc(time, talker: "GL"), rmc(time), vtg, gga(time)]
                }
            let gap = interval / 4 / Int64(sentences.count)
            stream.send(sentences, from: 10_000 + epoch * interval, gap: gap)
            if epoch >= 3 {
                // GSV tells nothing of the position, so it is not waited for.
                let useful = sentences.lastIndex { $0 != gsv }!
                #expect(stream.told.count == epoch + 1, "epoch \(epoch)")
                #expect(stream.told.last?.at == (10_000 + epoch * interval + Int64(useful) * gap) * 1_000_000)
            }
        }
        stream.wait(until: 60_000)
        #expect(stream.told.count == epochs)
        for (index, location) in stream.locations.enumerated() {
            #expect(location.timestamp == noon + Double(Int64(index) * interval) / 1000)
            #expect(location.altitude == 10 && location.speed == 18520.0 / 3600)
            // The first may have begun before we listened, as far as anybody knows.
            if index > 0 { #expect(location.fix == .threeD && location.horizontalAccuracy == 5) }
        }
    }

    /// Before the order is known an epoch ends after a quarter of the interval, at most 250 ms, without a sentence.
    @Test(arguments: [1000, 100]) func beforeThatThePauseTells(interval: Int64) {
        var stream = LiveStream()
        for epoch in 0..<3 {
            let time = Self.start + Int64(epoch) * interval
            stream.send([rmc(time), gga(time)], from: 10_000 + Int64(epoch) * interval, gap: 5)
            stream.wait(until: 10_000 + Int64(epoch + 1) * interval - 1)
        }
        let delays = stream.told.enumerated().map { $1.at / 1_000_000 - (10_005 + Int64($0) * interval) }
        // The interval is not known in the first epoch: 1 s is taken for it.
        #expect(delays.count == 3)
        #expect(delays[1] <= max(250, interval) && delays[2] <= interval / 4)
    }

    @Test func withoutAClockOnlyTheContentEndsAnEpoch() {
        let found = epochs((0..<6).map { rmc(Self.start + $0 * 1000) + gga(Self.start + $0 * 1000) + vtg }.joined())
        #expect(found.count == 6)
    }

    /// The variants of several talkers are one epoch, and GN's values win; else those of the first with a fix.
    @Test func talkersOfOneTimeAreOneEpoch() {
        let time = Self.start
        let all = epochs(rmc(time, talker: "GP", speed: "1.0") + rmc(time, talker: "GL", speed: "2.0") + rmc(time))
        #expect(all.count == 1)
        #expect(all.first?.location?.speed == 18520.0 / 3600)
        let before = epochs(rmc(time) + rmc(time, talker: "GP", speed: "1.0"))
        #expect(before.first?.location?.speed == 18520.0 / 3600)
        let some = epochs(rmc(time, talker: "GP", status: "V") + rmc(time, talker: "GL", speed: "2.0"))
        #expect(some.count == 1 && some.first?.location?.speed == 2 * 1852.0 / 3600)
        let none = epochs(rmc(time, status: "V") + rmc(time, talker: "GP", speed: "1.0"))
        #expect(none.count == 1 && none.first?.location == nil)
    }

    @Test func timesThatDifferByRoundingAreOneEpoch() {
        let found = epochs(
            nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A")
                + nmea("GPGGA,120000.008,5430.0000,N,00330.0000,E,1,08,1.2,10.0,M,45.0,M,,"))
        #expect(found.count == 1 && found.first?.location?.timestamp == noon)
    }

    /// A sentence that comes only now and then does not have the epoch told before it for long.
    @Test func aSentenceNowAndThenIsLearnedToo() {
        var stream = LiveStream()
        for epoch in 0..<60 {
            let time = Self.start + Int64(epoch) * 1000
            var sentences = [rmc(time), gga(time)]
            if epoch % 5 == 4 { sentences.append(gst(time)) }
            stream.send(sentences, from: 10_000 + Int64(epoch) * 1000, gap: 20)
        }
        stream.wait(until: 100_000)
        #expect(stream.told.count == 60)
        // From GST, unless the epoch was told too soon.
        let whole = stream.locations.enumerated().filter { $0.offset % 5 == 4 && $0.element.verticalAccuracy != nil }
        #expect(whole.count >= 9)
    }

    /// A lost or late sentence neither splits nor doubles an epoch.
    @Test func aMissingOrLateSentenceMakesNoOtherEpoch() {
        var stream = LiveStream()
        for epoch in 0..<30 {
            let time = Self.start + Int64(epoch) * 1000
            var sentences = [rmc(time), gga(time), vtg, gll(time)]
            if epoch == 10 { sentences.remove(at: 3) }
            if epoch == 15 { sentences.remove(at: 0) }
            if epoch == 20 { sentences.append(gga(time)) }
            let gap: Int64 = epoch == 25 ? 280 : 20
            stream.send(sentences, from: 10_000 + Int64(epoch) * 1000, gap: gap)
        }
        stream.wait(until: 100_000)
        #expect(stream.told.count == 30)
        #expect(stream.locations.map(\.timestamp) == (0..<30).map { noon + Double($0) })
    }

    @Test func aGSTOfAnotherTimeWaitsForItsEpoch() {
        let one = Self.start
        let found = epochs(
            rmc(one) + gga(one) + gst(one + 1000) + rmc(one + 1000) + gga(one + 1000) + gst(one) + rmc(one + 2000))
        #expect(found.map { $0.location?.verticalAccuracy } == [nil, 6.5, nil])
    }

    @Test func whatGSASaysHoldsForAWhile() {
        func flat(_ time: Int64) -> String { rmc(time) + nmea("GPGSA,A,2,01,02,03,,,,,,,,,,2.0,1.5,1.0") }
        var text = flat(Self.start)
        for second in 1...12 { text += rmc(Self.start + Int64(second) * 1000) + gga(Self.start + Int64(second) * 1000) }
        let found = epochs(text).compactMap(\.location)
        #expect(found.count == 13)
        #expect(found[0].fix == .twoD && found[0].horizontalAccuracy == 7.5)
        #expect(found[10].fix == .twoD && found[10].altitude == nil)
        #expect(found[11].fix == .threeD && found[11].altitude == 10)
    }

    @Test func headingIsNotCourse() {
        let time = Self.start
        let text =
            nmea("HEHDT,271.5,T") + rmc(time) + nmea("GPTHS,12.5,A") + rmc(time + 1000) + rmc(time + 2000)
            + nmea("GPTHS,12.5,V") + rmc(time + 3000) + nmea("HEHDT,360.0,T") + rmc(time + 4000)
        let found = epochs(text).compactMap(\.location)
        #expect(found.map(\.heading) == [12.5, nil, nil, 0, nil])
        #expect(found.allSatisfy { $0.course == 90 })
    }

    @Test func satellitesInViewAreCounted() {
        var reader = NMEAEpochReader(uere: 5, dates: .live)
        let text =
            gsv + nmea("GLGSV,1,1,03,65,50,100,40,66,50,100,40,67,50,100,40,1") + nmea("GPGSV,1,1,02,01,50,100,40,8")
            + rmc(Self.start) + rmc(Self.start + 1000)
        #expect(reader.satellitesInView == nil)
        let now = MonotonicInstant(nanoseconds: 0)
        lines(Array(text.utf8)) { span, line in reader.read(span, line, now: now, utc: nil) { _ in } }
        #expect(reader.satellitesInView == 7)
    }

    @Test func gnsAndGllAloneMakePositions() {
        let gns = nmea("GNGNS,120000.00,5430.0000,N,00330.0000,E,AADN,14,0.8,10.5,45.0,,,V")
        let whole = epochs(gns + nmea("GNZDA,120000.00,30,11,2026,00,00")).first?.location
        #expect(whole?.timestamp == noon)
        #expect(whole?.fix == .differential && whole?.satellitesUsed == 14 && whole?.hdop == 0.8)
        #expect(whole?.altitude(above: .wgs84Ellipsoid) == 55.5)
        #expect(epochs(nmea("GNGNS,120000.00,5430.0000,N,00330.0000,E,NNNNNN,00,,,,,,V")).first?.location == nil)
        #expect(epochs(gll(Self.start)).first?.location?.fix == .twoD)
        #expect(epochs(nmea("GNGLL,5430.0000,N,00330.0000,E,120000.00,V,N")).first == .noFix(nil))
    }

    @Test func moreThanTwelveSatellitesAreCountedFromGSA() {
        let gga = nmea("GNGGA,120000.00,5430.0000,N,00330.0000,E,1,12,0.7,10.0,M,45.0,M,,")
        #expect(epochs(gga + gsa(1) + gsa(2) + gsa(3) + gsa(4)).first?.location?.satellitesUsed == 16)
        #expect(epochs(gga + gsa(1)).first?.location?.satellitesUsed == 12)
        #expect(epochs(self.gga(Self.start) + gsa(1) + gsa(2) + gsa(3)).first?.location?.satellitesUsed == 8)
    }

    /// Some receivers claim a fix of no satellites when they start.
    @Test func aFixOfNoSatellitesNeedsAnotherWitness() {
        let lone = nmea("GPGGA,120000.00,5430.0000,N,00330.0000,E,1,00,3.3,10.0,M,45.0,M,,")
        #expect(epochs(lone).first == .noFix(nil))
        #expect(epochs(lone + rmc(Self.start)).first?.location != nil)
        let reckoned = nmea("GPGGA,120000.00,5430.0000,N,00330.0000,E,6,00,3.3,10.0,M,45.0,M,,")
        #expect(epochs(reckoned).first?.location?.fix == .deadReckoning)
        let unsaid = nmea("GPGGA,120000.00,5430.0000,N,00330.0000,E,1,,3.3,10.0,M,45.0,M,,")
        #expect(epochs(unsaid).first?.location != nil)
    }

    @Test func theRhythmOfAnEndedStreamIsForgotten() {
        var stream = LiveStream()
        for epoch in 0..<5 {
            stream.send([rmc(Self.start + Int64(epoch) * 1000)], from: 10_000 + Int64(epoch) * 1000, gap: 1)
        }
        #expect(stream.reader.deadline == nil)
        #expect(stream.reader.finish(utc: nil) == nil)
        stream.send(rmc(Self.start + 5000))
        #expect(stream.reader.deadline != nil)
        #expect(stream.reader.finish(utc: nil)?.location?.timestamp == noon + 5.0)
        #expect(stream.reader.deadline == nil)
    }

    /// G01, live: the loss comes out as soon as it is said, once a second, and a clock that stands still tells it too.
    @Test("G01: the loss of fix is told live, by whatever sentence says it") func g01Live() {
        for standsStill in [false, true] {
            var stream = LiveStream()
            for epoch in 0..<5 {
                let time = Self.start + Int64(epoch) * 1000
                stream.send([rmc(time), gga(time)], from: 10_000 + Int64(epoch) * 1000, gap: 20)
            }
            for epoch in 5..<8 {
                let time = standsStill ? Self.start + 4000 : Self.start + Int64(epoch) * 1000
                stream.send(
                    [rmc(time, status: "V"), gga(time, quality: 0)], from: 10_000 + Int64(epoch) * 1000, gap: 20)
            }
            stream.wait(until: 20_000)
            #expect(stream.told.prefix(5).allSatisfy { $0.epoch.location != nil })
            let losses = stream.told.dropFirst(5)
            #expect(losses.allSatisfy { $0.epoch.location == nil })
            #expect(losses.count == (standsStill ? 1 : 3))
            #expect((losses.first?.at ?? .max) <= 15_270 * 1_000_000)
        }
    }
}
