public import Positioning
internal import WireText

/// A subscriber's lease on what it wants (WIRE.md, Demand). An empty payload withdraws it and is no message of this form.
public struct DemandMessage: Equatable, Sendable {
    public var demand: Demand
    /// Seconds for which it holds, counted by the vehicle from arrival; above 0.
    public var lease: Double

    public init(demand: Demand, lease: Double) {
        self.demand = demand
        self.lease = lease
    }
}

/// The JSON form of a demand. Read: unknown keys are passed over, `null` is absent; a missing lease, a value of the
/// wrong kind, a number at or below zero, or an accuracy that is not known refuses the whole: half a demand is none.
public enum DemandJSON {
    /// Appends one message.
    public static func encode(_ message: DemandMessage, into buffer: inout [UInt8]) {
        buffer.append(addingCapacity: 200) { (out: inout OutputSpan<UInt8>) in
            out.append("{\"v\":1")
            if let accuracy = message.demand.accuracy {
                out.append(",\"accuracy\":\"")
                out.append(accuracy.word)
                out.append("\"")
            }
            write(",\"interval\":", message.demand.interval, to: &out)
            write(",\"distance\":", message.demand.distance, to: &out)
            write(",\"bound\":", message.demand.bound, to: &out)
            write(",\"lease\":", message.lease, to: &out)
            out.append("}")
        }
    }

    /// Reads one message of at most 4 KiB.
    public static func decode(_ payload: [UInt8]) throws(WireError) -> DemandMessage {
        try decodeMessage(.demand, payload.span, limit: 1 << 12) {
            (json: inout JSONReader, context: inout DecodingContext) throws(JSONError) in
            var (demand, lease, hasVersion) = (Demand.none, Double?.none, false)
            try json.beginObject()
            while let key = try json.nextKey() {
                context.key = key
                if try json.readNull() { continue }
                switch key {
                case "v": hasVersion = try context.readVersion(&json)
                case "accuracy":
                    guard let accuracy = DesiredAccuracy(word: try json.readWord()) else {
                        throw context.impossible(json)
                    }
                    demand.accuracy = accuracy
                case "interval": demand.interval = try positive(&json, &context)
                case "distance": demand.distance = try positive(&json, &context)
                case "bound": demand.bound = try positive(&json, &context)
                case "lease": lease = try positive(&json, &context)
                default: break
                }
            }
            context.key = nil
            guard hasVersion else { throw context.missing("v", json) }
            guard let lease else { throw context.missing("lease", json) }
            return DemandMessage(demand: demand, lease: lease)
        }
    }

    private static func positive(
        _ json: inout JSONReader, _ context: inout DecodingContext
    ) throws(JSONError) -> Double {
        let value = try json.readDouble()
        guard value > 0 else { throw context.impossible(json) }
        return value
    }

    private static func write(_ key: StaticString, _ value: Double?, to out: inout OutputSpan<UInt8>) {
        guard let value, value.isFinite else { return }
        out.append(key)
        out.append(value, decimals: 3)
    }
}

extension DesiredAccuracy {
    fileprivate var word: StaticString {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        }
    }

    fileprivate init?(word: JSONWord) {
        switch word {
        case "low": self = .low
        case "medium": self = .medium
        case "high": self = .high
        default: return nil
        }
    }
}
