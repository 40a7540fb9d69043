import FixcastTestKit
import Foundation
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
        nmea("GNGNS,120009.00,5430.0000,N,00330.0000,E,AADN,14,0.8,10.5,45.0,,,V"),
        nmea("GNGLL,5430.0000,N,00330.0000,E,120009.00,A,A"), nmea("GPZDA,120009.00,30,11,2026,00,00"),
        nmea("GPGSV,3,1,12,17,72,207,32,28,59,095,31,06,35,347,25,01,29,132,23"), nmea("GPHDT,271.5,T"),
        nmea("GPTHS,12.5,A"),
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

    /// A stream, and the same stream with damaged sentences, other sentences and noise in it, tell the same.
    @Test(arguments: 0..<6) func garbageChangesNothing(part: Int) {
        var random = FixcastTestKit.SeededGenerator(seed: UInt64(part) &+ 77)
        let sealed = Self.seeds.filter { $0[0] == 0x24 }
        var garbage: [[UInt8]] = []
        while garbage.count < 400 {
            var bytes = mutated(sealed[Int.random(in: 0..<sealed.count, using: &random)], &random)
            if Bool.random(using: &random) { bytes = resealed(bytes) }
            // What is still a sentence is no garbage.
            if sentences(bytes).sentences.isEmpty { garbage.append(bytes + [13, 10]) }
        }
        for isLive in [false, true] {
            var (clean, dirty) = (NMEAEpochReader(uere: 5, dates: .live), NMEAEpochReader(uere: 5, dates: .live))
            var (a, b): ([NMEAEpoch], [NMEAEpoch]) = ([], [])
            for epoch in 0..<50 {
                let time = clockText(43_200_000 + Int64(epoch) * 200)
                let burst = [
                    nmea("GNRMC,\(time),A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A"),
                    nmea("GNGGA,\(time),5430.0000,N,00330.0000,E,1,08,1.0,10.0,M,45.0,M,,"),
                    nmea("GNGSA,A,3,01,02,,,,,,,,,,,2.0,1.0,2.0,1"), nmea("GNVTG,90.0,T,,M,10.0,N,18.5,K,A"),
                ]
                for (index, sentence) in burst.enumerated() {
                    let nanoseconds = isLive ? Int64(epoch) * 200_000_000 + Int64(index) * 3_000_000 : 0
                    let now = MonotonicInstant(nanoseconds: nanoseconds)
                    var bytes = Array(sentence.utf8)
                    lines(bytes) { clean.read($0, $1, now: now, utc: noon) { a.append($0) } }
                    let noise = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                        [UInt8](arrayLiteral: 0, 0x80, 0xFF, 0x21, 0x5C, 0x2A)[Int.random(in: 0..<6, using: &random)]
                    }
                    bytes = noise + bytes
                    if Bool.random(using: &random) { bytes = garbage.randomElement(using: &random)! + bytes }
                    lines(bytes) { dirty.read($0, $1, now: now, utc: noon) { b.append($0) } }
                    #expect(clean.deadline == dirty.deadline)
                }
            }
            if let last = clean.finish(utc: noon) { a.append(last) }
            if let last = dirty.finish(utc: noon) { b.append(last) }
            #expect(a == b)
            #expect(a.count == 50)
        }
    }

    /// Sentences in any order, at any time of a clock that goes on, with any time of their own.
    @Test(arguments: 0..<4) func anyOrderOfSentencesIsTaken(part: Int) {
        var random = FixcastTestKit.SeededGenerator(seed: UInt64(part) &+ 4711)
        var reader = NMEAEpochReader(uere: 5, dates: part % 2 == 0 ? .live : .asRecorded)
        var now: Int64 = 0
        var told = 0
        func check(_ epoch: NMEAEpoch) {
            told += 1
            guard let location = epoch.location else { return }
            #expect(location.coordinate.isCorrect)
            #expect(location.horizontalAccuracy ?? 1 > 0)
            // A time of day is of the day nearest to a clock that was trusted.
            if part % 2 == 0, let time = location.timestamp { #expect(time >= ClockTrust.floor + -43_200.0) }
        }
        for _ in 0..<20_000 {
            let time = clockText(Int64.random(in: 0..<4, using: &random) * 28_799_990)
            let date = ["301126", "160407", "060180", "311299", ""].randomElement(using: &random)!
            let body = [
                "GNRMC,\(time),A,5430.0000,N,00330.0000,E,10.0,90.0,\(date),,,A", "GPRMC,,V,,,,,,,,,,N",
                "GPRMC,\(time),V,,,,,,,\(date),,,N", "GPGGA,\(time),5430.0000,N,00330.0000,E,1,08,1.0,10.0,M,45.0,M,,",
                "GPGGA,,,,,,0,00,99.99,,,,,,", "GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9",
                "GNGSA,A,3,01,02,,,,,,,,,,,2.0,1.0,2.0,1", "GNGST,\(time),,,,,3.0,4.0,6.5", "GNGST,,,,,,,,",
                "GNVTG,90.0,T,,M,10.0,N,18.5,K,A", "GNGLL,5430.0000,N,00330.0000,E,\(time),A,A",
                "GNZDA,\(time),30,11,2026,00,00", "GNZDA,\(time),01,01,9999,00,00", "GPHDT,1,T",
            ].randomElement(using: &random)!
            now += [0, 1, 100_000_000, 3_600_000_000_000].randomElement(using: &random)!
            let instant = MonotonicInstant(nanoseconds: now)
            let utc = [nil, noon, ClockTrust.floor].randomElement(using: &random)!
            if let deadline = reader.deadline, deadline <= instant, Bool.random(using: &random) {
                if let epoch = reader.deadlinePassed(now: instant, utc: utc) { check(epoch) }
                #expect(reader.deadline == nil)
            }
            lines(Array(nmea(body).utf8)) { reader.read($0, $1, now: instant, utc: utc, check) }
            if Int.random(in: 0..<500, using: &random) == 0, let epoch = reader.finish(utc: utc) { check(epoch) }
        }
        #expect(told > 1000)
    }

    /// A short run of what deploy/fuzz does for long: each reader keeps its promises, or ``ReaderCheck`` traps.
    @Test(arguments: ReaderCheck.allCases) func everyReaderKeepsItsPromises(reader: ReaderCheck) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("FuzzSeeds/\(reader.rawValue)")
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        for seed in seeds { #expect(reader.read(seed.span) > 0 || seed.starts(with: "<!DOCTYPE".utf8)) }
        var random = FixcastTestKit.SeededGenerator(seed: 20_261_130)
        for round in 0..<600 {
            var bytes = mutated(seeds[round % seeds.count], &random)
            if round % 5 == 0 { bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...) }
            reader.read(bytes.span)
        }
        reader.read([UInt8]().span)
    }

    @Test(.enabled(if: RealData.directory != nil, "\(RealData.missing)"), arguments: ReaderCheck.allCases)
    func everyReaderKeepsItsPromisesOverRealDamage(reader: ReaderCheck) throws {
        for name in try RealData.names(in: "malformed") {
            let bytes = try RealData.bytes(name)
            reader.read(bytes.span.extracting(0..<min(bytes.count, 100_000)))
        }
    }
}
