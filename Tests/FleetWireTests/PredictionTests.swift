import FixcastTestKit
import FleetWire
import Foundation
import Positioning
import Testing

/// What agent and receiver predict from, over the wire (WIRE.md, `bound`, `mv`, `ext`).
@Suite struct PredictionTests {
    private func sent(_ draft: ReportDraft) throws -> (text: String, draft: ReportDraft) {
        var bytes: [UInt8] = []
        ReportJSON.encode(
            Report(identity: ReportIdentity(instance: "i", boot: 1, sequence: 1), draft: draft), into: &bytes)
        return (String(decoding: bytes, as: UTF8.self), try ReportJSON.decode(bytes).draft)
    }

    private func random(_ random: inout SeededGenerator) -> ReportDraft {
        func value(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }
        var location = Location(
            coordinate: Coordinate(latitude: value(-90, 90), longitude: value(-180, 180)),
            horizontalAccuracy: value(0.1, 50),
            timestamp: UTCInstant(milliseconds: Int64.random(in: 0...2_000_000_000_000, using: &random)))
        if Bool.random(using: &random) { location.speed = value(0, 60) }
        if Bool.random(using: &random) { location.course = value(0, 360) }
        return ReportDraft(
            location: location, due: value(1, 4000), bound: value(1, 100),
            predictionVelocity: Bool.random(using: &random)
                ? Velocity(north: value(-60, 60), east: value(-60, 60)) : nil)
    }

    @Test func theAgentPredictsWhatAReceiverOfTheBytesDoes() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            var draft = random(&generator)
            draft.roundToWireResolution()
            let received = try sent(draft).draft
            try #require(Predictor(received) == Predictor(draft))
            let again = try sent(received).draft
            try #require(Predictor(again) == Predictor(draft))
        }
    }

    @Test func valuesThatRoundToTheEdgesAreReadAsTheyWereKept() throws {
        for (course, speed, longitude, velocity) in [
            (359.96, 0.004, 179.99999999, Velocity(north: -0.001, east: 0.005)),
            (359.94, 0.005, -179.99999996, Velocity(north: 12.345, east: -12.345)),
            (0.04, 9.995, -0.00000001, Velocity(north: 1e-9, east: -1e-9)),
        ] {
            var location = Location(
                coordinate: Coordinate(latitude: 89.99999999, longitude: longitude), horizontalAccuracy: 5,
                timestamp: UTCInstant(milliseconds: 1_796_010_000_000))
            location.course = course
            location.speed = speed
            for velocity in [velocity, nil] {
                var draft = ReportDraft(location: location, due: 74.9996, bound: 15.005, predictionVelocity: velocity)
                draft.roundToWireResolution()
                #expect(try Predictor(sent(draft).draft) == Predictor(draft))
                #expect(try sent(draft).draft.location.coordinate == draft.location.coordinate)
            }
        }
    }

    @Test func aPredictionVelocityIsTwoNumbers() throws {
        var draft = ReportSamples.full.draft
        draft.predictionVelocity = Velocity(north: -3.5, east: 0)
        #expect(try sent(draft).text.contains(#""bound":15,"mv":[-3.5,0]"#))
        #expect(try sent(draft).draft.predictionVelocity == Velocity(north: -3.5, east: 0))
        draft.predictionVelocity = Velocity(north: .nan, east: 0)
        #expect(try sent(draft).draft.predictionVelocity == nil)
        func read(_ velocity: String) throws -> ReportDraft {
            try ReportJSON.decode(
                Array(#"{"v":1,"inst":"i","boot":1,"seq":1,"lat":1,"lon":2,"mv":\#(velocity)}"#.utf8)
            ).draft
        }
        for unknown in ["[]", "[1]", "[1,2,3]", "[1,1e9]", "null"] {
            #expect(try read(unknown).predictionVelocity == nil)
        }
        for wrong in ["5", #"{"n":1}"#, #"["1",2]"#, "[null,2]"] {
            #expect(throws: WireError.self) { try read(wrong) }
        }
    }

    @Test func aUsersOwnValuesTravelAsTheyWereWritten() throws {
        var draft = ReportSamples.full.draft
        let json = #"{"ignition": true, "odometer":123456.70,"x":[{"y":"\u00e4"}]}"#
        draft.location.passedValues = PassedValues(json: Array(json.utf8))
        #expect(try sent(draft).text.contains(#","ext":\#(json)"#))
        #expect(try sent(draft).draft == draft)
    }

    /// Whatever a provider was given, the report that carries it stays readable.
    @Test(arguments: [
        "[1]", "7", #"{"a":1"#, #"{"a":1}}"#, #"{"a":1},"lat":9"#, #"{"a":NaN}"#, "{}{}", " {}", "\"{}\"",
        String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40),
    ])
    func valuesThatAreNoObjectAreLeftOut(json: String) throws {
        var draft = ReportSamples.full.draft
        draft.location.passedValues = PassedValues(json: Array(json.utf8))
        #expect(try sent(draft).draft == ReportSamples.full.draft)
    }

    @Test func valuesHaveALimit() throws {
        #expect(PassedValues(json: []) == nil)
        #expect(PassedValues(json: [UInt8](repeating: 0x20, count: 1025)) == nil)
        let long = #"{"a":"\#(String(repeating: "x", count: 1100))"}"#
        let report = try ReportJSON.decode(
            Array(#"{"v":1,"inst":"i","boot":1,"seq":1,"lat":1,"lon":2,"ext":\#(long),"hacc":5}"#.utf8))
        #expect(report.location.passedValues == nil && report.location.horizontalAccuracy == 5)
        #expect(throws: WireError.self) {
            try ReportJSON.decode(Array(#"{"v":1,"inst":"i","boot":1,"seq":1,"lat":1,"lon":2,"ext":[1]}"#.utf8))
        }
    }
}
