#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// SplitMix64: the same numbers for the same seed, on every platform and in every release.
struct SeededGenerator: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Evenly distributed in [0, 1).
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Normally distributed with mean 0 and deviation 1 (Box and Muller).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return radius * cos(2 * .pi * uniform())
    }
}

/// Noise of deviation 1 that forgets with a time constant (first-order Gauss-Markov): what GNSS errors look like, which
/// wander and do not jump.
struct CorrelatedNoise: Equatable, Sendable {
    private(set) var value: Double
    private let persistence: Double
    private let drive: Double

    /// - Parameters: the seconds between steps, and the seconds within which the correlation falls to 1/e.
    init(step: Double, timeConstant: Double, using generator: inout SeededGenerator) {
        persistence = exp(-step / timeConstant)
        drive = (1 - persistence * persistence).squareRoot()
        value = generator.normal()
    }

    mutating func advance(using generator: inout SeededGenerator) {
        value = persistence * value + drive * generator.normal()
    }
}
