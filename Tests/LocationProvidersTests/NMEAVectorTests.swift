import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import LocationProviders

/// Sentences that other parsers' tests hold, and what those make of them. Where parsers differ we do this:
///
/// - RMC has a fix with status A and a mode other than N. The navigational status of NMEA 4.1 refuses nothing: receivers
///   write V there all the time, because they are not approved for navigation (G02). Mode S is a fix, marked simulated.
///   An empty status is void.
/// - A sentence without position gives none, and never latitude 0.
/// - A sentence without checksum is refused, whoever takes it.
@Suite(.enabled(if: RealData.directory != nil, "\(RealData.missing)")) struct NMEAVectorTests {
    @Test func sentencesAreReadAsOtherParsersReadThem() throws {
        var (checked, disputed) = (0, 0)
        let text = String(decoding: try RealData.bytes("nmea-vectors/vectors.jsonl"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let vector = try JSONDecoder().decode(Vector.self, from: Data(line.utf8))
            guard vector.isUnderstood else { continue }
            checked += 1
            if vector.why.contains("DISPUTED") { disputed += 1 }
            let (found, rejections) = sentences(vector.sentence)
            if !vector.sentence.contains("*") {
                #expect(found.isEmpty && rejections.noChecksum == (vector.sentence.hasPrefix("$") ? 1 : 0))
            } else if vector.accept {
                vector.check(found)
            } else {
                // A void one gives no position either; without a dollar there is nothing to refuse.
                #expect(found.isEmpty || found == [.gga(NMEASentence.GGA())], "\(vector.sentence)")
                #expect(rejections != NMEARejections() || !vector.sentence.contains("$"), "\(vector.sentence)")
            }
        }
        #expect(checked > 90)
        #expect(disputed > 20)
    }

    @Test func fieldsAreReadAsOtherParsersReadThem() throws {
        let text = String(decoding: try RealData.bytes("nmea-vectors/fields.jsonl"), as: UTF8.self)
        var checked = 0
        for line in text.split(separator: "\n") {
            let fact = try JSONDecoder().decode(Fact.self, from: Data(line.utf8))
            let bytes = Array(fact.text.utf8)
            var fields = NMEAFields(0..<bytes.count)
            switch fact.field {
            case "time":
                let time = fields.time(bytes.span)
                #expect(!fields.isDamaged == fact.isRight && (time != nil) == fact.isRight, "\(fact.text)")
                if let digits = fact.out.flatMap({ $0.split(separator: ".").last }), fact.text.contains("."), let time {
                    // Resolved to milliseconds.
                    let whole = digits.prefix(3).padding(toLength: 3, withPad: "0", startingAt: 0)
                    #expect(time % 1000 == Int32(whole), "\(fact.text)")
                }
            case "date":
                let day = fields.date(bytes.span)
                #expect(!fields.isDamaged == fact.isRight && (day != nil) == (fact.isRight && !bytes.isEmpty))
            case "two-digit year":
                let whole = Array("0101\(fact.text)".utf8)
                var date = NMEAFields(0..<whole.count)
                let year = try #require(fact.out.flatMap { Int($0) })
                #expect(date.date(whole.span).map(Int64.init) == CivilDate.days(year: year, month: 1, day: 1))
            default: continue
            }
            checked += 1
        }
        #expect(checked > 12)
    }
}

private struct Fact: Decodable {
    var field: String
    var text: String
    var isRight: Bool
    var out: String?

    enum CodingKeys: String, CodingKey {
        case field, out
        case text = "in"
        case isRight = "ok"
    }
}

/// A sentence and what other parsers made of it.
private struct Vector: Decodable {
    struct Values: Decodable {
        struct Date: Decodable { var dd: Int, mm: Int, yy: Int }

        var time: String?
        var status: String?
        var mode: String?
        var modes: String?
        var quality: Int?
        var lat: Double?
        var lon: Double?
        var knots: Double?
        var kilometres: Double?
        var course: Double?
        var trueCourse: Double?
        var sats: Int?
        var hdop: Double?
        var altitude: Double?
        var separation: Double?
        var fix: Int?
        var satellites: [String]?
        var system: String?
        var date: Date?
        var day: Int?
        var month: Int?
        var year: Int?

        enum CodingKeys: String, CodingKey {
            case time, status, mode, modes, quality, lat, lon, sats, hdop, fix, date, day, month, year
            case satellites = "prn"
            case system = "system_id"
            case knots = "speed_kn"
            case kilometres = "speed_kmh"
            case course = "course_deg"
            case trueCourse = "course_true_deg"
            case altitude = "alt_msl_m"
            case separation = "geoid_sep_m"
        }
    }

    var sentence: String
    var accept: Bool
    var why: String
    var out: Values?

    enum CodingKeys: String, CodingKey {
        case sentence = "in"
        case accept, why, out
    }

    /// Of the types that are read here.
    var isUnderstood: Bool {
        guard let comma = sentence.firstIndex(of: ",") else { return false }
        let types = ["RMC", "GGA", "GNS", "GLL", "VTG", "GSA", "GST", "GSV", "ZDA", "HDT", "THS"]
        return types.contains(String(sentence[..<comma].suffix(3)))
    }

    func check(_ found: [NMEASentence]) {
        guard let read = found.first, let out else {
            // Nothing is told by a ZDA whose fields are all empty.
            #expect(sentence.hasPrefix("$GPZDA,,,"), "not accepted: \(sentence)")
            return
        }
        func same(_ a: Double?, _ b: Double?) -> Bool {
            guard let a, let b else { return a == nil && b == nil }
            return abs(a - b) < 1e-6
        }
        switch read {
        case .rmc(let rmc):
            #expect(rmc.isValid == (out.status == "A" && out.mode != "N"), "\(sentence)")
            #expect(milliseconds(out.time) == rmc.time, "\(sentence)")
            guard rmc.isValid else { return }
            #expect(same(rmc.coordinate?.latitude, out.lat) && same(rmc.coordinate?.longitude, out.lon), "\(sentence)")
            #expect(same(rmc.speed, out.knots.map { $0 * 1852 / 3600 }), "\(sentence)")
            #expect(same(rmc.course, out.course), "\(sentence)")
            #expect((rmc.mode == .simulator) == (out.mode == "S"), "\(sentence)")
            let day = out.date.flatMap {
                CivilDate.days(year: $0.yy + ($0.yy < 80 ? 2000 : 1900), month: $0.mm, day: $0.dd)
            }
            #expect(rmc.day.map(Int64.init) == day, "\(sentence)")
        case .gga(let gga):
            #expect(Int(gga.quality) == out.quality ?? 0, "\(sentence)")
            guard gga.quality > 0 else { return }
            #expect(same(gga.coordinate?.latitude, out.lat) && same(gga.coordinate?.longitude, out.lon), "\(sentence)")
            #expect(gga.satellites == out.sats && same(gga.hdop, out.hdop), "\(sentence)")
            #expect(same(gga.altitude, out.altitude) && same(gga.geoidSeparation, out.separation), "\(sentence)")
        case .gns(let gns):
            #expect((gns.mode != nil) == (out.modes?.contains { $0 != "N" } ?? false), "\(sentence)")
            #expect(same(gns.coordinate?.latitude, out.lat) && same(gns.coordinate?.longitude, out.lon), "\(sentence)")
            #expect(gns.satellites == out.sats && same(gns.hdop, out.hdop), "\(sentence)")
            #expect(same(gns.altitude, out.altitude) && same(gns.geoidSeparation, out.separation), "\(sentence)")
        case .gll(let gll):
            #expect(gll.isValid == (out.status == "A" && out.mode != "N"), "\(sentence)")
            #expect(milliseconds(out.time) == gll.time, "\(sentence)")
            guard gll.isValid else { return }
            #expect(same(gll.coordinate?.latitude, out.lat) && same(gll.coordinate?.longitude, out.lon), "\(sentence)")
        case .vtg(let vtg):
            guard vtg.mode != .invalid else {
                #expect(out.mode == "N", "\(sentence)")
                return
            }
            #expect(same(vtg.course, out.trueCourse.map { $0 == 360 ? 0 : $0 }), "\(sentence)")
            #expect(same(vtg.speed, out.knots.map { $0 * 1852 / 3600 }), "\(sentence)")
        case .gsa(let gsa):
            #expect(Int(gsa.dimension) == out.fix && same(gsa.hdop, out.hdop), "\(sentence)")
            #expect(Int(gsa.satellites) == out.satellites?.count ?? 0, "\(sentence)")
            #expect(gsa.system == out.system.flatMap { UInt8($0) }, "\(sentence)")
        case .zda(let zda):
            #expect(milliseconds(out.time) == zda.time, "\(sentence)")
            let day = CivilDate.days(year: out.year ?? 0, month: out.month ?? 0, day: out.day ?? 0)
            #expect(Int64(zda.day) == day, "\(sentence)")
        case .gst, .gsv, .heading: Issue.record("no vector of these was known: \(sentence)")
        }
    }

    /// Of `hh:mm:ss.s`, as milliseconds since midnight.
    private func milliseconds(_ time: String?) -> Int32? {
        guard let parts = time?.split(separator: ":").compactMap({ Double($0) }), parts.count == 3 else { return nil }
        return Int32(((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + 0.0001)
    }
}
