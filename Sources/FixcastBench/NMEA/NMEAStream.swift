/// The sentences of a receiver of four constellations: 20 an epoch, as u-blox sends them at 25 Hz.
enum NMEAStream {
    static func bytes(epochs: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for epoch in 0..<epochs {
            let milliseconds = epoch * 40
            let time =
                two(milliseconds / 3_600_000 % 24) + two(milliseconds / 60_000 % 60)
                + two(milliseconds / 1000 % 60) + "." + two(milliseconds % 1000 / 10)
            let latitude = "52\(two(30 + epoch % 20)).\(12345 + epoch % 60_000),N"
            let longitude = "013\(two(epoch % 60)).\(20_000 + epoch % 70_000),E"
            let speed = "\(epoch % 40).\(100 + epoch % 800)"
            let course = "\(epoch % 360).\(10 + epoch % 80)"
            var sentences = [
                "GNRMC,\(time),A,\(latitude),\(longitude),\(speed),\(course),301126,,,A,V",
                "GNVTG,\(course),T,,M,\(speed),N,30.500,K,A",
                "GNGGA,\(time),\(latitude),\(longitude),1,12,0.64,34.\(epoch % 10),M,39.9,M,,",
            ]
            for system in 1...4 { sentences.append("GNGSA,A,3,13,16,21,15,10,29,27,20,,,,,1.05,0.64,0.83,\(system)") }
            for talker in ["GP", "GL", "GA", "GB"] {
                for part in 1...3 {
                    sentences.append(
                        "\(talker)GSV,3,\(part),12,05,08,305,22,10,34,053,42,13,63,259,29,15,42,207,41,1")
                }
            }
            sentences += [
                "GNGLL,\(latitude),\(longitude),\(time),A,A", "GNGST,\(time),35,,,,0.85,1.2,2.4",
                "GNZDA,\(time),30,11,2026,00,00",
            ]
            for sentence in sentences {
                let sum = sentence.utf8.reduce(0, ^)
                bytes.append(UInt8(ascii: "$"))
                bytes += sentence.utf8
                bytes.append(UInt8(ascii: "*"))
                bytes += [hex(sum >> 4), hex(sum & 15), 13, 10]
            }
        }
        return bytes
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
}
