#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A part of the world on a screen: from places to pixels and back (SEMANTICS rule 16).
public struct MapViewport: Equatable, Sendable {
    public var projection: MercatorProjection
    /// What is in the middle of the screen.
    public var center: MercatorPoint
    /// Metres of the projection to a pixel, above zero; at latitude φ a metre on the ground is 1 / cos φ of them.
    public var metresPerPixel: Double
    /// Degrees by which the map is turned clockwise: 0 has north at the top, 90 at the right.
    public var orientation: Double
    /// In pixels.
    public var width: Double
    public var height: Double

    public init(
        projection: MercatorProjection = .web, center: MercatorPoint, metresPerPixel: Double, orientation: Double = 0,
        width: Double, height: Double
    ) {
        self.projection = projection
        self.center = center
        self.metresPerPixel = metresPerPixel
        self.orientation = orientation
        self.width = width
        self.height = height
    }

    /// Where a place is on the screen, or beside it; `nil` where the projection has no point for it. Of the copies of
    /// the world that follow each other eastwards it is the one nearest to the centre, so that a place just beyond the
    /// antimeridian is just beside it.
    public func pixel(_ place: Coordinate) -> MapPixel? {
        guard var point = projection.point(place) else { return nil }
        point.x = center.x + remainder(point.x - center.x, projection.worldWidth)
        return pixel(point)
    }

    /// Where a point of the map is on the screen, or beside it.
    public func pixel(_ point: MercatorPoint) -> MapPixel {
        let (east, north) = (point.x - center.x, point.y - center.y)
        let (sine, cosine) = turn
        let (right, up) = (east * cosine + north * sine, north * cosine - east * sine)
        return MapPixel(x: width / 2 + right / metresPerPixel, y: height / 2 - up / metresPerPixel)
    }

    /// The point of the map at a pixel.
    public func point(_ pixel: MapPixel) -> MercatorPoint {
        let (right, up) = ((pixel.x - width / 2) * metresPerPixel, (height / 2 - pixel.y) * metresPerPixel)
        let (sine, cosine) = turn
        return MercatorPoint(x: center.x + right * cosine - up * sine, y: center.y + right * sine + up * cosine)
    }

    /// The place at a pixel; `nil` where the numbers are not finite.
    public func coordinate(_ pixel: MapPixel) -> Coordinate? { projection.coordinate(point(pixel)) }

    private var turn: (sine: Double, cosine: Double) {
        let radians = orientation * .pi / 180
        return (sin(radians), cos(radians))
    }
}

/// A point of a screen in pixels: x to the right and y downwards from the upper left corner.
public struct MapPixel: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
