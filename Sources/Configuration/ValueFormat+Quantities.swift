extension UnitTable {
    static let duration = UnitTable(
        quantity: "duration",
        units: [
            Unit(name: "ms", factor: 1e6, alsoWritten: ["msec", "millis", "milliseconds"]),
            Unit(name: "s", factor: 1e9, alsoWritten: ["sec", "secs", "second", "seconds"]),
            Unit(name: "min", factor: 60e9, alsoWritten: ["m", "mins", "minute", "minutes"]),
            Unit(name: "h", factor: 3600e9, alsoWritten: ["hr", "hrs", "hour", "hours"]),
            Unit(name: "d", factor: 86_400e9, alsoWritten: ["day", "days"]),
        ],
        example: "5s", usual: "s")

    static let distance = UnitTable(
        quantity: "distance",
        units: [
            Unit(name: "m", factor: 1, alsoWritten: ["meter", "meters", "metre", "metres"]),
            Unit(name: "km", factor: 1000, alsoWritten: ["kilometers", "kilometres"]),
        ],
        example: "100m", usual: "m")

    static let speed = UnitTable(
        quantity: "speed",
        units: [
            Unit(name: "m/s", factor: 1, alsoWritten: ["mps", "ms"]),
            Unit(name: "km/h", factor: 1 / 3.6, alsoWritten: ["kmh", "kph"]),
        ],
        example: "90m/s", usual: "m/s")

    static let angle = UnitTable(
        quantity: "angle",
        units: [Unit(name: "deg", factor: 1, alsoWritten: ["°", "degree", "degrees"])],
        example: "15deg", usual: "deg")

    static let sizeUnits = [
        Unit(name: "B", factor: 1, alsoWritten: ["byte", "bytes"]),
        Unit(name: "kB", factor: 1e3, alsoWritten: ["KB", "K", "k"]),
        Unit(name: "MB", factor: 1e6, alsoWritten: ["M"]),
        Unit(name: "GB", factor: 1e9, alsoWritten: ["G"]),
        Unit(name: "KiB", factor: 1024),
        Unit(name: "MiB", factor: 1024 * 1024),
        Unit(name: "GiB", factor: 1024 * 1024 * 1024),
    ]

    static let size = UnitTable(quantity: "size", units: sizeUnits, example: "64MB", usual: "MB")

    static let rateUnits = [
        Unit(name: "/s", factor: 1, alsoWritten: ["Hz", "hz", "/sec", "/second"]),
        Unit(name: "/min", factor: 1 / 60, alsoWritten: ["/m", "/minute"]),
        Unit(name: "/h", factor: 1 / 3600, alsoWritten: ["/hour"]),
        Unit(name: "/day", factor: 1 / 86_400, alsoWritten: ["/d"]),
    ]

    static let rate = UnitTable(quantity: "rate", units: rateUnits, example: "20/s", usual: "/s")

    static let dataRate = UnitTable(
        quantity: "data rate",
        units: sizeUnits.flatMap { size in
            rateUnits.map { rate in
                Unit(
                    name: size.name + rate.name, factor: size.factor * rate.factor,
                    alsoWritten: ([size.name] + size.alsoWritten).flatMap { size in
                        ([rate.name] + rate.alsoWritten.filter { $0.hasPrefix("/") }).map { size + $0 }
                    })
            }
        },
        example: "8kB/s", usual: "kB/s")
}

extension ValueFormat where Value == Duration {
    /// A time span with its unit: `250ms`, `10s`, `5min`, `2h`, `30d`; to the nanosecond.
    public static func duration(in range: ClosedRange<Duration> = .zero ... .seconds(100 * 366 * 86_400))
        -> ValueFormat<Duration>
    {
        let limits = nanoseconds(range.lowerBound)...nanoseconds(range.upperBound)
        return quantity(.duration, in: limits) { .nanoseconds(Int64($0.rounded())) }
    }

    private static func nanoseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }
}

extension ValueFormat where Value == Double {
    /// A length in metres, written with its unit: `100m`, `1.5km`.
    public static func distance(in range: ClosedRange<Double> = 0...1e9) -> ValueFormat<Double> {
        quantity(.distance, in: range) { $0 }
    }

    /// A speed in m/s, written with its unit: `90m/s`, `120km/h`.
    public static func speed(in range: ClosedRange<Double> = 0...1e6) -> ValueFormat<Double> {
        quantity(.speed, in: range) { $0 }
    }

    /// An angle in degrees, written with its unit: `15deg`.
    public static func angle(in range: ClosedRange<Double> = 0...360) -> ValueFormat<Double> {
        quantity(.angle, in: range) { $0 }
    }

    /// How often, in events per second, written with its unit: `20/s`, `100/min`.
    public static func rate(in range: ClosedRange<Double> = 0...1e6) -> ValueFormat<Double> {
        quantity(.rate, in: range) { $0 }
    }

    /// How much data, in bytes per second, written with its unit: `8kB/s`, `5MB/day`.
    public static func dataRate(in range: ClosedRange<Double> = 0...1e12) -> ValueFormat<Double> {
        quantity(.dataRate, in: range) { $0 }
    }
}

extension ValueFormat where Value == Int {
    /// A number of bytes, written with its unit: `64MB` (millions), `8KiB` (1024s).
    public static func size(in range: ClosedRange<Int> = 0...(1 << 50)) -> ValueFormat<Int> {
        quantity(.size, in: Double(range.lowerBound)...Double(range.upperBound)) { Int($0.rounded()) }
    }
}

extension ValueFormat {
    private static func quantity(
        _ table: UnitTable, in range: ClosedRange<Double>, _ convert: @escaping @Sendable (Double) -> Value
    ) -> ValueFormat<Value> {
        ValueFormat(table.quantity, example: table.example) { text throws(InvalidValue) in
            convert(try table.read(text, in: range))
        }
    }
}
