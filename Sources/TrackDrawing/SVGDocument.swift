/// An SVG text in the making: shapes in pixels, x to the right and y down.
struct SVGDocument {
    private(set) var text: String

    init(width: Double, height: Double) {
        let (w, h) = (fixed(width, 0), fixed(height, 0))
        text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(w)" height="\(h)" viewBox="0 0 \(w) \(h)" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="#ffffff"/>

            """
    }

    mutating func line(from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ style: String) {
        text += "<line x1=\"\(fixed(a.x))\" y1=\"\(fixed(a.y))\" x2=\"\(fixed(b.x))\" y2=\"\(fixed(b.y))\" \(style)/>\n"
    }

    /// Nothing for fewer than two points.
    mutating func polyline(_ points: [(x: Double, y: Double)], _ style: String) {
        guard points.count > 1 else { return }
        text += "<polyline points=\""
        for (index, point) in points.enumerated() {
            text += "\(index == 0 ? "" : " ")\(fixed(point.x)),\(fixed(point.y))"
        }
        text += "\" fill=\"none\" \(style)/>\n"
    }

    /// - Parameter title: what a viewer shows beside the pointer.
    mutating func circle(_ center: (x: Double, y: Double), radius: Double, _ style: String, title: String? = nil) {
        text += "<circle cx=\"\(fixed(center.x))\" cy=\"\(fixed(center.y))\" r=\"\(fixed(radius))\" \(style)"
        text += title.map { "><title>\(escaped($0))</title></circle>\n" } ?? "/>\n"
    }

    mutating func label(_ label: String, at point: (x: Double, y: Double), _ style: String = "fill=\"#333\"") {
        text += "<text x=\"\(fixed(point.x))\" y=\"\(fixed(point.y))\" \(style)>\(escaped(label))</text>\n"
    }

    var finished: String { text + "</svg>\n" }
}

/// A number with a decimal point whatever the locale; two decimals are a hundredth of a pixel.
func fixed(_ value: Double, _ decimals: Int = 2) -> String {
    let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
    let scaled = (value * scale).rounded()
    guard scaled.isFinite, abs(scaled) < 1e15 else { return "0" }
    let whole = Int64(scaled)
    if decimals == 0 { return String(whole) }
    let (quotient, rest) = whole.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
    if rest == 0 { return (whole < 0 ? "-" : "") + String(quotient) }
    let digits = String(rest)
    let padded = String(repeating: "0", count: decimals - digits.count) + digits
    return (whole < 0 ? "-" : "") + String(quotient) + "." + padded
}

private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
        switch character {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        default: result.append(character)
        }
    }
    return result
}
