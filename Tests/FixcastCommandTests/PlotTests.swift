import CommandLineOptions
import FixcastTestKit
import Foundation
import Testing

@testable import FixcastCommand

@Suite struct PlotTests {
    private func plot(_ arguments: [String]) throws -> Plot {
        let program = Program("fixcast", version: "1", "Tests.", commands: [Plot.command])
        guard case .run(let invocation) = program.parse(["plot"] + arguments) else {
            throw WatchFailure(code: .usage, message: "not parsed")
        }
        return try Plot(invocation)
    }

    private func drive(_ directory: TemporaryDirectory) throws -> String {
        let rows = (0..<60).map { "2026-11-30T12:00:\($0 < 10 ? "0" : "")\($0)Z,54.5,\(3.5 + Double($0) / 5000),14,90" }
        return try directory.write("time,lat,lon,speed,course\n" + rows.joined(separator: "\n") + "\n", to: "drive.csv")
    }

    @Test func aDriveIsDrawnAloneOrWithWhatAnAgentWouldSend() throws {
        let directory = try TemporaryDirectory()
        let file = try drive(directory)
        let plain = try plot(["--file", file]).svg()
        #expect(plain.hasPrefix("<svg") && plain.contains("60 positions") && !plain.contains(">reports<"))
        let full = try plot(["--file", file, "--bound", "15"]).svg()
        #expect(full.contains(">reports<") && full.contains("stroke-opacity"))
    }

    @Test func aWrongBoundIsRefused() throws {
        #expect(throws: WatchFailure.self) { try plot(["--file", "x", "--bound", "15m"]) }
        #expect(throws: WatchFailure.self) { try plot(["--file", "x", "--bound", "0"]) }
    }
}
