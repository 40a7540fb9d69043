import Foundation
import Positioning
import Testing
import TrackDrawing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct TrackPictureTests {
    /// Counts the elements of a well-formed text; fails on any other.
    private final class Counter: NSObject, XMLParserDelegate {
        var elements: [String: Int] = [:]
        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements[name, default: 0] += 1 }
    }

    private func elements(_ svg: String) throws -> [String: Int] {
        let counter = Counter()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = counter
        try #require(parser.parse(), "\(parser.parserError?.localizedDescription ?? "")")
        return counter.elements
    }

    private func place(_ north: Double, _ east: Double) -> Coordinate {
        Coordinate(latitude: 52 + north / 111_195, longitude: 13 + east / 68_400)
    }

    @Test func everythingIsDrawnOnce() throws {
        var picture = TrackPicture(
            title: "A <drive> & more",
            track: [[place(0, 0), place(0, 100), place(100, 100)], [place(200, 100), place(300, 100)]])
        picture.rejected = [place(50, 50)]
        picture.reports = [
            .init(place: place(0, 0), title: "first", predicted: [place(0, 0), place(0, 110)], bound: 15),
            .init(place: place(0, 100), title: "error", predicted: [place(0, 100), place(90, 100)], bound: nil),
        ]
        let found = try elements(picture.svg())
        // Two pieces, two predictions, one tube.
        #expect(found["polyline"] == 5)
        #expect(found["title"] == 2)
        // Two reports and a rejection, and both again in the legend.
        #expect(found["circle"] == 5)
    }

    @Test func northIsUpAndEastIsRightAndAMetreIsAMetre() throws {
        let picture = TrackPicture(title: "", track: [[place(0, 0), place(1000, 0)], [place(0, 0), place(0, 1000)]])
        let lines = picture.svg().split(separator: "\n").filter { $0.hasPrefix("<polyline") }
        func points(_ line: Substring) -> [(Double, Double)] {
            line.split(separator: "\"")[1].split(separator: " ").map { pair in
                let parts = pair.split(separator: ",").map { Double($0)! }
                return (parts[0], parts[1])
            }
        }
        let (northward, eastward) = (points(lines[0]), points(lines[1]))
        let up = northward[0].1 - northward[1].1
        let right = eastward[1].0 - eastward[0].0
        #expect(up > 100 && abs(northward[0].0 - northward[1].0) < 0.1)
        #expect(abs(up - right) < up / 100)
    }

    @Test func nothingAndASinglePlaceAreDrawnToo() throws {
        #expect(try elements(TrackPicture(title: "", track: []).svg())["text"] == 2)
        #expect(try elements(TrackPicture(title: "", track: [[place(0, 0)]]).svg())["svg"] == 1)
    }

    @Test func aChartHasEachPointAndLeavesOutWhatHasNoLogarithm() throws {
        let chart = ScatterChart(
            title: "Policies", x: "messages/h", y: "p99, m",
            series: [
                .init(
                    "ours", color: "#2a7fd4", [.init(x: 300, y: 15, label: "15 m"), .init(x: 90, y: 50, label: "50 m")]),
                .init("time", color: "#c0392b", [.init(x: 3600, y: 0, label: "1 s")]),
            ])
        let found = try elements(chart.svg())
        #expect(found["title"] == 2)
        #expect(found["polyline"] == 1)
    }
}
