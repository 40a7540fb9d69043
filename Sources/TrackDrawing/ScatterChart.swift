#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Points over two logarithmic axes, in named series: what a policy costs against how far off its receiver is.
public struct ScatterChart: Sendable {
    /// Points that belong together.
    public struct Series: Sendable {
        public var name: String
        /// As SVG understands it.
        public var color: String
        public var points: [Point]
        /// Whether a line joins them in their order.
        public var isJoined: Bool

        public init(_ name: String, color: String, isJoined: Bool = true, _ points: [Point]) {
            self.name = name
            self.color = color
            self.isJoined = isJoined
            self.points = points
        }
    }

    public struct Point: Sendable {
        public var x: Double
        public var y: Double
        public var label: String
        /// Whether the label stands to the left of the point.
        public var isLabelLeft: Bool

        public init(x: Double, y: Double, label: String, isLabelLeft: Bool = false) {
            self.x = x
            self.y = y
            self.label = label
            self.isLabelLeft = isLabelLeft
        }
    }

    public var title: String
    public var xTitle: String
    public var yTitle: String
    public var series: [Series]

    public init(title: String, x: String, y: String, series: [Series]) {
        self.title = title
        xTitle = x
        yTitle = y
        self.series = series
    }

    /// The chart as SVG. What is not above zero has no place on a logarithmic axis and is left out.
    public func svg(width: Double = 860, height: Double = 520) -> String {
        var document = SVGDocument(width: width, height: height)
        document.label(title, at: (20, 24), "font-size=\"16\" fill=\"#111\"")
        let points = series.flatMap(\.points).filter { $0.x > 0 && $0.y > 0 }
        guard !points.isEmpty else { return document.finished }
        let x = Axis(points.map(\.x), from: 60, to: width - 190)
        let y = Axis(points.map(\.y), from: height - 50, to: 50)
        for tick in x.ticks {
            document.line(from: (x[tick], 50), to: (x[tick], height - 50), "stroke=\"#e4e4e4\"")
            document.label(text(tick), at: (x[tick] - 8, height - 34))
        }
        for tick in y.ticks {
            document.line(from: (60, y[tick]), to: (width - 190, y[tick]), "stroke=\"#e4e4e4\"")
            document.label(text(tick), at: (22, y[tick] + 4))
        }
        document.label(xTitle, at: ((width - 130) / 2 - 60, height - 12))
        document.label(yTitle, at: (20, 42))
        for (index, series) in series.enumerated() {
            let shown = series.points.filter { $0.x > 0 && $0.y > 0 }
            if series.isJoined {
                document.polyline(
                    shown.map { (x[$0.x], y[$0.y]) }, "stroke=\"\(series.color)\" stroke-width=\"1.5\" opacity=\"0.7\"")
            }
            for point in shown {
                document.circle((x[point.x], y[point.y]), radius: 4, "fill=\"\(series.color)\"", title: point.label)
                let anchor = point.isLabelLeft ? "end" : "start"
                document.label(
                    point.label, at: (x[point.x] + (point.isLabelLeft ? -7 : 6), y[point.y] - 5),
                    "font-size=\"10\" fill=\"#555\" text-anchor=\"\(anchor)\"")
            }
            let row = 64 + 20 * Double(index)
            document.circle((width - 174, row - 4), radius: 4, "fill=\"\(series.color)\"")
            document.label(series.name, at: (width - 164, row))
        }
        return document.finished
    }

    private func text(_ tick: Double) -> String { tick < 1 ? fixed(tick, 1) : fixed(tick, 0) }
}

/// A logarithmic axis in pixels.
private struct Axis {
    private let low: Double
    private let high: Double
    private let start: Double
    private let end: Double

    init(_ values: [Double], from start: Double, to end: Double) {
        low = (values.min() ?? 1) / 1.3
        high = (values.max() ?? 10) * 1.3
        (self.start, self.end) = (start, end)
    }

    subscript(value: Double) -> Double { start + (end - start) * log(value / low) / log(high / low) }

    /// 1, 2 and 5 of each power of ten within.
    var ticks: [Double] {
        var ticks: [Double] = []
        var power = pow(10, floor(log10(low)))
        while power <= high {
            for factor in [1.0, 2, 5] where factor * power >= low && factor * power <= high {
                ticks.append(factor * power)
            }
            power *= 10
        }
        return ticks
    }
}
