import FixcastTestKit
import Foundation
import Testing
import WireText

@Suite struct TextOutputTests {
    private func written(_ body: (inout OutputSpan<UInt8>) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: 1000) { (out: inout OutputSpan<UInt8>) in body(&out) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (52.5200081, 7, "52.5200081"), (0.0, 7, "0"), (-0.0, 3, "0"), (-0.00000001, 7, "0"), (13.9, 2, "13.9"),
        (-179.9999999, 7, "-179.9999999"), (2.675, 2, "2.67"), (0.5, 0, "0"), (1.5, 0, "2"), (0.125, 2, "0.12"),
        (0.375, 2, "0.38"), (99.999, 2, "100"), (1e15, 3, "1000000000000000"), (1e300, 2, "1e+300"),
        (.nan, 2, "null"), (-.infinity, 2, "null"), (20037508.342789244, 2, "20037508.34"),
    ])
    func writesDecimals(value: Double, decimals: Int, text: String) {
        #expect(written { $0.append(value, decimals: decimals) } == text)
    }

    @Test func roundsDecimalsLikePrintf() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50_000 {
            let decimals = Int.random(in: 0...9, using: &random)
            let value: Double =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: Double.random(in: -180...180, using: &random)
                case 1: Double(Int.random(in: -99_999...99_999, using: &random)) / 2048
                case 2: Double(Int.random(in: -9_999_999...9_999_999, using: &random)) / 1000
                default: Double.random(in: -1e9...1e9, using: &random)
                }
            var expected = String(format: "%.\(decimals)f", value)
            if expected.contains(".") {
                while expected.hasSuffix("0") { expected.removeLast() }
                if expected.hasSuffix(".") { expected.removeLast() }
            }
            if expected == "-0" { expected = "0" }
            #expect(written { $0.append(value, decimals: decimals) } == expected, "\(value) with \(decimals)")
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, 99, 100, 4711, Int64.max, .min])
    func writesIntegers(value: Int64) {
        #expect(written { $0.append(integer: value) } == "\(value)")
    }

    @Test func writesEveryLengthOfInteger() {
        var power: UInt64 = 1
        for _ in 0..<20 {
            for value in [power - 1, power, power + 1, power &* 9] {
                #expect(written { $0.append(integer: value) } == "\(value)")
            }
            power = power &* 10
        }
        for bit in 0..<64 { #expect(written { $0.append(integer: UInt64(1) << bit) } == "\(UInt64(1) << bit)") }
    }

    @Test func writesUnsignedIntegers() {
        #expect(written { $0.append(integer: UInt64.max) } == "18446744073709551615")
    }

    @Test func writesStringsThatReadBack() throws {
        var scalars = String.UnicodeScalarView()
        for value in 0..<0x300 { scalars.append(Unicode.Scalar(value)!) }
        scalars.append("🚀")
        for text in ["", "gpsd", "\"\\/\n", String(scalars)] {
            var bytes: [UInt8] = []
            bytes.append(addingCapacity: 2 + 6 * text.utf8.count) { (out: inout OutputSpan<UInt8>) in
                out.append(json: text)
            }
            #expect(try JSONTree(reading: bytes) == .string(text))
            #expect(JSONTree.foundation(bytes) == .string(text))
        }
    }
}
