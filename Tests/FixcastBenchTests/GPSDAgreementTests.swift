import FixcastTestKit
import Foundation
import Positioning
import Testing

@testable import FixcastBench

@Suite struct GPSDAgreementTests {
    @Test(.enabled(if: RealData.directory != nil, "\(RealData.missing)"), arguments: ["327", "322"])
    func whatDiffersFromGpsdIsExplained(version: String) throws {
        let directory = try #require(RealData.directory).appendingPathComponent("gpsd-nmea").path
        let benchmark = try AgreementBenchmark(directory: directory, version: version)
        #expect(benchmark.unexplained == 0, "\(benchmark.report(listing: true))")
        // Explanations do not stand in for agreement.
        let agreements = benchmark.results.map(\.agreement)
        for (field, share) in [
            (AgreementDifference.Field.mode, 0.97), (.position, 0.92), (.speed, 0.9), (.course, 0.9),
        ] {
            let agreed = agreements.reduce(0) { $0 + ($1.agreed[field] ?? 0) }
            let compared = agreements.reduce(0) { $0 + ($1.compared[field] ?? 0) }
            #expect(Double(agreed) >= share * Double(compared), "\(field)")
        }
        #expect(agreements.reduce(0) { $0 + $1.matched } > 1900)
    }

    /// Logs of the same suite that mix in other protocols, or damage.
    @Test(.enabled(if: RealData.directory != nil, "\(RealData.missing)"), arguments: ["327", "322"])
    func whatDiffersInOddLogsIsExplained(version: String) throws {
        let directory = try #require(RealData.directory).appendingPathComponent("malformed").path
        let benchmark = try AgreementBenchmark(directory: directory, version: version)
        #expect(benchmark.unexplained == 0, "\(benchmark.report(listing: true))")
        #expect(benchmark.results.reduce(0) { $0 + $1.agreement.matched } > 350)
    }

    @Test func eachRuleIsTold() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "GPSDDifferences.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let told = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(told == AgreementRule.all.map(\.name))
    }

    static let log = """
        $GPGGA,120000.00,5430.0000,N,00330.0000,E,1,08,1.2,10.0,M,45.0,M,,*56\r
        $GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A*50\r

        """

    func agreement(_ report: String) -> LogAgreement {
        LogAgreement(log: Array(Self.log.utf8), output: Self.log + report)
    }

    @Test func whatIsTheSameAgrees() {
        let same = agreement(
            #"{"class":"TPV","mode":3,"time":"2026-11-30T12:00:00.000Z","lat":54.5,"lon":3.5,"altMSL":10.0,"track":90.0,"speed":5.144}"#
        )
        #expect(same.matched == 1)
        #expect(same.differences.isEmpty)
        #expect(same.agreed == [.mode: 1, .time: 1, .position: 1, .speed: 1, .course: 1, .altitude: 1])
    }

    @Test func whatIsNotTheSameIsFoundAndNotExplained() {
        let other = agreement(
            #"{"class":"TPV","mode":2,"time":"2026-11-30T12:00:01.000Z","lat":54.5000002,"lon":3.5,"track":91.0,"speed":5.2}"#
        )
        #expect(other.differences.map(\.field) == [.mode, .time, .position, .speed, .course, .altitude])
        #expect(other.differences.allSatisfy { AgreementRule.explaining($0) == nil })
        let silent = agreement("")
        #expect(silent.differences.map(\.field) == [.epoch])
        #expect(AgreementRule.explaining(silent.differences[0]) == nil)
    }
}
