/// A made-up drive as gpsd would report it: lines of JSON, one fix every 100 ms.
enum DriveLog {
    /// `fixes` fixes straight ahead at 50 km/h, from 2026-11-30T00:00:00Z.
    static func gpsd(fixes: Int) -> [UInt8] {
        var text = Array(
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#.utf8)
        text.append(UInt8(ascii: "\n"))
        text.reserveCapacity(fixes * 250)
        for number in 0..<fixes {
            // 1.39 m a step, in units of 1e-9 degrees; integers, so that every run has the same bytes.
            let latitude = 52_500_000_000 + number * 8_900
            let longitude = 13_400_000_000 + number * 14_600
            let course = number / 10 % 3600
            let line =
                #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":""# + time(number)
                + #"","ept":0.005,"lat":"# + decimal(latitude, 9) + #","lon":"# + decimal(longitude, 9)
                + #","altHAE":78.412,"altMSL":34.500,"alt":34.500,"epx":4.213,"epy":5.102,"epv":9.200,"track":"#
                + decimal(course, 1)
                + #"00,"magtrack":94.2000,"magvar":4.2,"speed":13.889,"climb":0.020,"eps":0.53,"epc":18.4,"eph":6.613}"#
            text.append(contentsOf: line.utf8)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    private static func time(_ number: Int) -> String {
        let seconds = number / 10
        let day = 30 + seconds / 86_400
        // 200 000 fixes are five and a half hours; a longer drive goes on into December.
        let date = day <= 30 ? "2026-11-30" : "2026-12-" + padded(day - 30, 2)
        let rest = seconds % 86_400
        return
            "\(date)T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)).\(number % 10)00Z"
    }

    private static func decimal(_ value: Int, _ places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        return "\(value / scale).\(padded(value % scale, places))"
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
