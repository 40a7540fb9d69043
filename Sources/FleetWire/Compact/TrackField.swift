/// The fields of `Track` in `fleet.proto`, by their numbers.
enum TrackField: Int, CaseIterable {
    case version = 1
    case instance, boot, sequence, count, time, latitude, longitude, speed, course, horizontalAccuracy, altitude
    case verticalAccuracy, speedAccuracy, courseAccuracy, gap, altitudeReference, fix, satellites, hdop, motion, trigger
    case due, bound, velocityNorth, velocityEast, uptime, unreliable, flags, source, passedValues

    /// The name in `fleet.proto`.
    var name: String {
        switch self {
        case .version: "v"
        case .instance: "inst"
        case .boot: "boot"
        case .sequence: "seq"
        case .count: "count"
        case .time: "time"
        case .latitude: "lat"
        case .longitude: "lon"
        case .speed: "speed"
        case .course: "course"
        case .horizontalAccuracy: "hacc"
        case .altitude: "alt"
        case .verticalAccuracy: "vacc"
        case .speedAccuracy: "sacc"
        case .courseAccuracy: "cacc"
        case .gap: "gap"
        case .altitudeReference: "alt_ref"
        case .fix: "fix"
        case .satellites: "sats"
        case .hdop: "hdop"
        case .motion: "motion"
        case .trigger: "trigger"
        case .due: "due"
        case .bound: "bound"
        case .velocityNorth: "mv_north"
        case .velocityEast: "mv_east"
        case .uptime: "up"
        case .unreliable: "unreliable"
        case .flags: "flags"
        case .source: "src"
        case .passedValues: "ext"
        }
    }

    /// Decimals of the column's numbers, to which `finer` is added.
    var decimals: Int {
        switch self {
        case .latitude, .longitude: 7
        case .speed, .velocityNorth, .velocityEast: 2
        case .course, .horizontalAccuracy, .altitude, .verticalAccuracy, .speedAccuracy, .courseAccuracy, .hdop: 1
        default: 0
        }
    }

    /// Decimals that the JSON form writes: as many as `decimals` and `finer` have together at most.
    var finestDecimals: Int {
        switch self {
        case .horizontalAccuracy, .verticalAccuracy, .speedAccuracy, .courseAccuracy, .due, .uptime: 3
        case .altitude, .hdop, .bound: 2
        default: decimals
        }
    }
}

/// The fields of `Column`.
enum ColumnField {
    static let present = 1
    static let entries = 2
    static let repeats = 3
    static let coding = 4
    static let finer = 5
    static let exact = 6
}

/// `Coding`.
enum ColumnCoding: UInt64 {
    case differences, values, secondDifferences
}

/// The fields of `Words`.
enum WordsField {
    static let words = 1
    static let which = 2
}
