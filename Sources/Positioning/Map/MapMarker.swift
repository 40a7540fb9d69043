/// How the current position is drawn on a map (S3's map marker, SEMANTICS rule 16).
public struct MapMarker: Equatable, Sendable {
    public enum Style: Sendable, Hashable {
        case round
        /// An arrow along the course.
        case directed
    }

    public var position: MercatorPoint
    /// Round where a directed marker was wanted and there is no course.
    public var style: Style
    /// Degrees clockwise on the screen from up, in [0, 360); 0 for a round marker.
    public var rotation: Double
    /// How the map is to be turned under it, as ``MapViewport/orientation``, in [0, 360).
    public var mapOrientation: Double

    /// - Parameters:
    ///   - location: whose place the projection can show.
    ///   - style: what is wanted.
    ///   - northAdjusted: true keeps north at the top, and a directed marker turns with the course; false turns the map
    ///     so that the course points upwards, and a directed marker stands still.
    ///   - orientation: how the map is turned now, which it stays where a course is wanted and there is none.
    ///   - projection: of the map.
    /// - Returns: `nil` where the projection has no point for the location.
    public init?(
        _ location: Location, style: Style, northAdjusted: Bool, orientation: Double = 0,
        projection: MercatorProjection = .web
    ) {
        guard let position = projection.point(location.coordinate) else { return nil }
        self.position = position
        let course = location.course.flatMap { $0.isFinite ? Geodesy.normalizedCourse($0) : nil }
        self.style = course == nil ? .round : style
        rotation = northAdjusted && style == .directed ? course ?? 0 : 0
        mapOrientation = Geodesy.normalizedCourse(northAdjusted ? 0 : course.map { -$0 } ?? orientation)
    }
}

/// The angles of S3's SDK, whose course is 0 in the east and counts anticlockwise.
public enum NavigationAngle {
    /// Degrees true, clockwise from north, in [0, 360).
    public static func compassCourse(navigation course: Double) -> Double { Geodesy.normalizedCourse(90 - course) }

    /// S3's course of a course over ground, in [0, 360).
    public static func navigationCourse(compass course: Double) -> Double { Geodesy.normalizedCourse(90 - course) }

    /// S3's formula for an own image of the current position, `orientation - course + 90`: the degrees by which an image
    /// that points upwards is turned clockwise, in [0, 360).
    ///
    /// - Parameters:
    ///   - orientation: of the map, as ``MapViewport/orientation``.
    ///   - course: S3's.
    public static func imageRotation(orientation: Double, navigationCourse course: Double) -> Double {
        Geodesy.normalizedCourse(orientation - course + 90)
    }
}
