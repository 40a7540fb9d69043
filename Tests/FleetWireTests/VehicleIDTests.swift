import FleetWire
import Testing

@Suite struct VehicleIDTests {
    @Test(arguments: ["a", "van-042", "A_z-09", String(repeating: "x", count: 64)])
    func accepts(text: String) throws { #expect(try VehicleID(text).text == text) }

    @Test(arguments: [
        ("", VehicleID.Problem.empty), ("van.042", .character(".")), ("van 042", .character(" ")),
        ("van+", .character("+")), ("a/b", .character("/")), ("größe", .character("ö")), ("{vehicle}", .character("{")),
        ("e\u{301}", .character("e\u{301}")), ("a\0", .character("\0")),
        (String(repeating: "x", count: 65), .tooLong(65)),
    ])
    func refusesAndNamesTheCharacter(text: String, problem: VehicleID.Problem) {
        #expect(throws: problem) { try VehicleID(text) }
        if case .character(let character) = problem { #expect(problem.description.contains(character)) }
    }
}
