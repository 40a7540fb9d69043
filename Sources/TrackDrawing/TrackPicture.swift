public import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A drive as a map without a map: the raw track, the reports, and the path that a receiver predicts with its bound.
/// North is up, and a metre is the same length in every direction at the middle of the picture.
public struct TrackPicture: Sendable {
    /// A report, and how the receiver moves it until the next one.
    public struct Report: Sendable {
        public var place: Coordinate
        /// What a viewer shows beside the pointer, for example time and trigger.
        public var title: String
        /// From the report's place to where the receiver believes the vehicle when the next one comes.
        public var predicted: [Coordinate]
        /// Metres; `nil` where none is promised.
        public var bound: Double?

        public init(place: Coordinate, title: String, predicted: [Coordinate], bound: Double?) {
            self.place = place
            self.title = title
            self.predicted = predicted
            self.bound = bound
        }
    }

    public var title: String
    /// The fixes as they came, in pieces: between two of them there is a gap.
    public var track: [[Coordinate]]
    public var rejected: [Coordinate] = []
    public var reports: [Report] = []
    /// One line below the title.
    public var caption = ""

    public init(title: String, track: [[Coordinate]]) {
        self.title = title
        self.track = track
    }

    /// The picture as SVG, `size` pixels wide and high.
    public func svg(size: Double = 900) -> String {
        var document = SVGDocument(width: size, height: size + 70)
        let places = track.joined() + reports.map(\.place) + reports.flatMap(\.predicted)
        guard let frame = Frame(places.filter(\.isCorrect), size: size) else {
            document.label(title, at: (20, 24), "font-size=\"16\"")
            document.label("no positions", at: (20, 46))
            return document.finished
        }
        // The tube of the bound first, so that everything else lies on it.
        for report in reports {
            guard let bound = report.bound, bound > 0 else { continue }
            let width = fixed(2 * bound * frame.pixelsPerMetre)
            document.polyline(
                frame.points(report.predicted),
                "stroke=\"#2a7fd4\" stroke-opacity=\"0.13\" stroke-width=\"\(width)\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
            )
        }
        for piece in track { document.polyline(frame.points(piece), "stroke=\"#8a8a8a\" stroke-width=\"1.4\"") }
        for report in reports {
            document.polyline(frame.points(report.predicted), "stroke=\"#2a7fd4\" stroke-width=\"1.2\"")
        }
        for place in rejected where place.isCorrect {
            document.circle(frame.point(place), radius: 2.2, "fill=\"none\" stroke=\"#c0392b\"")
        }
        // Many reports are dots, few are marks.
        let radius = reports.count > 200 ? 1.4 : 2.6
        for report in reports {
            document.circle(frame.point(report.place), radius: radius, "fill=\"#e67e22\"", title: report.title)
        }
        drawLegend(&document, frame, size)
        return document.finished
    }

    private func drawLegend(_ document: inout SVGDocument, _ frame: Frame, _ size: Double) {
        document.label(title, at: (20, 24), "font-size=\"16\" fill=\"#111\"")
        document.label(caption, at: (20, 42))
        let y = size + 52
        document.line(from: (20, y - 4), to: (44, y - 4), "stroke=\"#8a8a8a\" stroke-width=\"1.4\"")
        document.label("fixes", at: (50, y))
        var x = 100.0
        if !reports.isEmpty {
            document.circle((x + 4, y - 4), radius: 2.6, "fill=\"#e67e22\"")
            document.label("reports", at: (x + 12, y))
            document.line(from: (x + 74, y - 4), to: (x + 98, y - 4), "stroke=\"#2a7fd4\" stroke-width=\"1.2\"")
            document.label("what a receiver predicts, with its bound", at: (x + 104, y))
            x += 350
        }
        if !rejected.isEmpty {
            document.circle((x + 4, y - 4), radius: 2.2, "fill=\"none\" stroke=\"#c0392b\"")
            document.label("rejected", at: (x + 12, y))
        }
        let bar = frame.scaleBar
        let end = size - 20
        document.line(
            from: (end - bar.pixels, y - 4), to: (end, y - 4), "stroke=\"#111\" stroke-width=\"2\"")
        document.label(bar.label, at: (end - bar.pixels, y - 10))
    }
}

/// Where places are in a square picture with a margin.
private struct Frame {
    private static let margin = 20.0
    private static let top = 50.0
    private static let metresPerDegree = Geodesy.earthRadius * .pi / 180

    let pixelsPerMetre: Double
    private let middle: Coordinate
    private let size: Double

    init?(_ places: [Coordinate], size: Double) {
        guard let first = places.first else { return nil }
        var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
        for place in places {
            (south, north) = (min(south, place.latitude), max(north, place.latitude))
            (west, east) = (min(west, place.longitude), max(east, place.longitude))
        }
        middle = Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
        let height = (north - south) * Self.metresPerDegree
        let width = (east - west) * Self.metresPerDegree * cos(middle.latitude * .pi / 180)
        // A vehicle that stands is drawn on 20 m.
        pixelsPerMetre = (size - 2 * Self.margin) / max(height, width, 20)
        self.size = size
    }

    func point(_ place: Coordinate) -> (x: Double, y: Double) {
        let east =
            (place.longitude - middle.longitude) * Self.metresPerDegree * cos(middle.latitude * .pi / 180)
        let north = (place.latitude - middle.latitude) * Self.metresPerDegree
        return (size / 2 + east * pixelsPerMetre, Self.top + size / 2 - north * pixelsPerMetre - Self.margin)
    }

    func points(_ places: [Coordinate]) -> [(x: Double, y: Double)] { places.filter(\.isCorrect).map(point) }

    /// A round length between 60 and 150 pixels.
    var scaleBar: (pixels: Double, label: String) {
        var metres = 1.0
        for step in [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000]
        where step * pixelsPerMetre <= 150 {
            metres = step
        }
        return (metres * pixelsPerMetre, metres < 1000 ? "\(fixed(metres, 0)) m" : "\(fixed(metres / 1000, 0)) km")
    }
}
