internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Reads every log of a folder as we do and compares it with what gpsd's own regression suite expects of it.
struct AgreementBenchmark {
    struct Result {
        var name: String
        var agreement: LogAgreement
        /// How many differences each rule explains.
        var explained: [String: Int] = [:]
        var unexplained: [AgreementDifference] = []
    }

    var results: [Result]

    /// - Parameter directory: with `X.log` and gpsd's output for it, `X.log.chk327`.
    init(directory: String, version: String = "327") throws(BenchmarkError) {
        results = []
        for name in try Files.names(in: directory) where name.hasSuffix(".log") {
            let log = try Files.read("\(directory)/\(name)")
            let output = Files.text("\(directory)/\(name).chk\(version)")
            guard !output.isEmpty || Files.exists("\(directory)/\(name).chk\(version)") else { continue }
            results.append(Self.compare(name, log, output))
        }
        guard !results.isEmpty else { throw BenchmarkError("there is no log with gpsd's output in \(directory)") }
    }

    static func compare(_ name: String, _ log: [UInt8], _ output: String) -> Result {
        var result = Result(name: name, agreement: LogAgreement(log: log, output: output))
        for difference in result.agreement.differences {
            if let rule = AgreementRule.explaining(difference) {
                result.explained[rule.name, default: 0] += 1
            } else {
                result.unexplained.append(difference)
            }
        }
        return result
    }

    var unexplained: Int { results.reduce(0) { $0 + $1.unexplained.count } }
}
