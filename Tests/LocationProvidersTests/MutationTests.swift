import FixcastTestKit
import Positioning
import Testing

@testable import LocationProviders

/// Damaged input may be refused and must never trap; what is accepted must be a place.
@Suite struct MutationTests {
    static let seeds = [
        nmea("GPRMC,120004.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A"),
        nmea("GPGGA,120009.00,5430.0000,N,00330.0000,E,1,08,1.0,10.0,M,45.0,M,,"),
        nmea("GPGSA,A,3,01,02,,,,,,,,,,,2.0,1.0,2.0"), nmea("GPGST,120009.00,1,2,3,4,5,6,7"),
        nmea("GPVTG,90.0,T,,M,10.0,N,18.5,K,A"),
        #"{"class":"TPV","device":"/dev/gps","status":2,"mode":3,"time":"2026-11-30T12:00:00.000Z","lat":54.5,"lon":3.5,"eph":9.5,"track":1.5,"speed":2.5}"#
            + "\n",
        #"{"class":"SKY","hdop":1.5,"uSat":6,"satellites":[{"PRN":16,"el":74.0,"used":true}]}"# + "\n",
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"a","activated":0}]}"# + "\n",
        #"{"class":"VERSION","proto_major":3}"# + "\n",
    ].map { Array($0.utf8) }

    func mutated(_ bytes: [UInt8], _ random: inout FixcastTestKit.SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
            default: bytes.insert(contentsOf: "-9999999999999999999999.00000000000000000000000001e99".utf8, at: place)
            }
            if bytes.isEmpty { bytes = [0x24] }
        }
        return bytes
    }

    /// Puts a right checksum on a damaged sentence, so that the fields are reached.
    func resealed(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = bytes.firstIndex(of: 0x24), let end = bytes.lastIndex(of: 0x2A), start < end else {
            return bytes
        }
        let body = bytes[(start + 1)..<end]
        return Array(nmea(String(decoding: body, as: UTF8.self)).utf8)
    }

    @Test(arguments: 0..<4) func nothingTraps(part: Int) {
        var random = FixcastTestKit.SeededGenerator(seed: UInt64(part) &+ 20_261_130)
        func parser(_ format: LogFormat) -> LogParser {
            LogParser(format, common: CommonProviderSettings(), dates: .asRecorded, reference: noon)
        }
        var (sentences, reports) = (parser(.nmea), parser(.gpsd))
        var machine = GPSDMachine(settings: GPSDSettings())
        _ = machine.start()
        _ = machine.connected(now: MonotonicInstant(nanoseconds: 0))
        var records: [LogRecord] = []
        for round in 0..<4000 {
            var bytes = mutated(Self.seeds[round % Self.seeds.count], &random)
            if round % 2 == 0, bytes[0] == 0x24 { bytes = resealed(bytes) }
            lines(bytes, piece: 1 + round % 90, capacity: 512) { span, line in
                var fresh = parser(round % 2 == 0 ? .nmea : .gpsd)
                fresh.read(span, line, number: 1, into: &records)
                fresh.finish(into: &records)
                sentences.read(span, line, number: 1, into: &records)
                reports.read(span, line, number: 1, into: &records)
                if let message = try? GPSDMessage.read(span.extracting(line)) {
                    _ = machine.read(message, now: MonotonicInstant(nanoseconds: Int64(round)))
                }
            }
            for record in records {
                guard case .fix(let location) = record.event, location.source == "nmea" else { continue }
                #expect(location.coordinate.isCorrect)
                #expect(location.horizontalAccuracy ?? 1 > 0)
                #expect(location.speed ?? 0 >= 0)
            }
            records.removeAll(keepingCapacity: true)
        }
    }
}
