/// The proleptic Gregorian calendar, as far as receivers need it.
enum CivilDate {
    static let millisecondsPerDay: Int64 = 86_400_000

    /// Days since 1970-01-01; `nil` for a day that the month does not have.
    static func days(year: Int, month: Int, day: Int) -> Int64? {
        guard month >= 1, month <= 12, day >= 1, day <= length(ofMonth: month, year: year) else { return nil }
        // Years begin in March here, so that the leap day is the last one.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}
