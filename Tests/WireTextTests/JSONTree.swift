import FixcastTestKit
import Foundation
import WireText

/// A whole JSON value, read with the reader under test or taken from Foundation.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(reading text: [UInt8]) throws {
        self = try JSONReader.read(text.span) { (reader: inout JSONReader) throws(JSONError) in
            let tree = try JSONTree(&reader)
            try reader.finish()
            return tree
        }
    }

    private init(_ reader: inout JSONReader) throws(JSONError) {
        switch try reader.kind() {
        case .null:
            _ = try reader.readNull()
            self = .null
        case .boolean: self = .bool(try reader.readBool())
        case .number: self = .number(try reader.readDouble())
        case .string: self = .string(try reader.readString())
        case .array:
            var elements: [JSONTree] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try JSONTree(&reader)) }
            self = .array(elements)
        case .object:
            var members: [String: JSONTree] = [:]
            try reader.beginObject()
            while let key = try reader.nextKey() { members[key.description] = try JSONTree(&reader) }
            self = .object(members)
        }
    }

    /// What Foundation makes of the text; `nil` where it refuses it.
    static func foundation(_ text: [UInt8]) -> JSONTree? {
        (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)).map(
            JSONTree.init(foundation:))
    }

    /// Equal, but for the last digits of long numbers, which Foundation rounds through `Decimal`.
    func agrees(with other: JSONTree?) -> Bool {
        switch (self, other) {
        case (.number(let a), .number(let b)?): (a - b).magnitude <= a.magnitude * 1e-14
        case (.array(let a), .array(let b)?): a.count == b.count && zip(a, b).allSatisfy { $0.agrees(with: $1) }
        case (.object(let a), .object(let b)?): a.count == b.count && a.allSatisfy { $1.agrees(with: b[$0]) }
        default: self == other
        }
    }

    private init(foundation value: Any) {
        switch value {
        case is NSNull: self = .null
        case let number as NSNumber where isBoolean(number): self = .bool(number.boolValue)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let string as String: self = .string(string)
        case let array as [Any]: self = .array(array.map(JSONTree.init(foundation:)))
        case let object as [String: Any]: self = .object(object.mapValues(JSONTree.init(foundation:)))
        default: fatalError("no JSON value: \(type(of: value))")
        }
    }
}

private func isBoolean(_ number: NSNumber) -> Bool {
    unsafe number === NSNumber(value: true) || number === NSNumber(value: false)
        || String(cString: number.objCType) == "c"
}

/// Generates JSON texts that are valid, with all kinds of spacing, escapes and number forms.
struct JSONGenerator {
    var random: SeededGenerator

    mutating func text() -> [UInt8] {
        var text: [UInt8] = []
        value(&text, depth: 0)
        return text
    }

    private mutating func value(_ text: inout [UInt8], depth: Int) {
        space(&text)
        switch Int.random(in: 0..<(depth < 5 ? 10 : 7), using: &random) {
        case 0: text += Array("null".utf8)
        case 1: text += Array((Bool.random(using: &random) ? "true" : "false").utf8)
        case 2, 3, 4: text += Array(number().utf8)
        case 5, 6: string(&text)
        case 7:
            text.append(UInt8(ascii: "["))
            for index in 0..<Int.random(in: 0...4, using: &random) {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                value(&text, depth: depth + 1)
            }
            space(&text)
            text.append(UInt8(ascii: "]"))
        default:
            text.append(UInt8(ascii: "{"))
            for index in 0..<Int.random(in: 0...5, using: &random) {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                space(&text)
                text += Array("\"k\(index)\"".utf8)
                space(&text)
                text.append(UInt8(ascii: ":"))
                value(&text, depth: depth + 1)
            }
            space(&text)
            text.append(UInt8(ascii: "}"))
        }
        space(&text)
    }

    private mutating func space(_ text: inout [UInt8]) {
        while Int.random(in: 0..<6, using: &random) == 0 {
            text.append([0x20, 0x0A, 0x0D, 0x09].randomElement(using: &random)!)
        }
    }

    mutating func number() -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "\(Int64(bitPattern: random.next()) >> Int64.random(in: 0...62, using: &random))"
        case 1: return "\(Double(Int64.random(in: -1_800_000_000...1_800_000_000, using: &random)) / 1e7)"
        case 2:
            let value = Double(bitPattern: random.next())
            return value.isFinite ? "\(value)" : "-0"
        case 3: return "\(Int.random(in: -9...9, using: &random))e\(Int.random(in: -30...30, using: &random))"
        case 4:
            return
                "\(Int.random(in: 0...999, using: &random)).\(random.next())E+\(Int.random(in: 0...9, using: &random))"
        default: return "-\(random.next()).\(random.next())"
        }
    }

    private mutating func string(_ text: inout [UInt8]) {
        let pieces = [
            "a", "lat", " ", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83D\\uDE80", "é", "日本", "🚀", "\u{7F}",
            "\\b\\f\\r\\t",
        ]
        text.append(UInt8(ascii: "\""))
        for _ in 0..<Int.random(in: 0...6, using: &random) { text += Array(pieces.randomElement(using: &random)!.utf8) }
        text.append(UInt8(ascii: "\""))
    }

    /// Changes, removes, adds or doubles a few bytes.
    mutating func mutate(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...Int.random(in: 0...2, using: &random) where !text.isEmpty {
            let index = Int.random(in: 0..<text.count, using: &random)
            let byte =
                Bool.random(using: &random)
                ? Array("{}[],:\"\\0123456789.eE+-tfn \u{1}".utf8).randomElement(using: &random)!
                : UInt8.random(in: 0...255, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text[index] = byte
            case 1: text.remove(at: index)
            case 2: text.insert(byte, at: index)
            default: text.removeSubrange(index...)
            }
        }
        return text
    }
}
