import Positioning
import Testing

@testable import LocationProviders

@Suite struct GPSDDeviceChoiceTests {
    private let a = GPSDDevice(path: "/dev/a")
    private let b = GPSDDevice(path: "/dev/b")
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }
    private func choice(_ device: String? = nil) -> GPSDDeviceChoice {
        var choice = GPSDDeviceChoice(settings: GPSDSettings(device: device))
        choice.begin(now: at(0))
        return choice
    }

    @Test func theFirstDeviceWithAFixIsFollowedAndKept() {
        var choice = choice()
        #expect(choice.judge(a, hasFix: false, now: at(0)) == .follow, "nobody has a fix: that is the news")
        #expect(choice.judge(b, hasFix: true, now: at(1)) == .follow)
        #expect(choice.chosen == b)
        for second in 2..<60 {
            #expect(choice.judge(a, hasFix: true, now: at(Double(second))) == .ignore)
            #expect(choice.judge(b, hasFix: true, now: at(Double(second))) == .follow)
        }
    }

    @Test func anotherDeviceIsFollowedAfterFiveSecondsWithoutAFixAndStays() {
        var choice = choice()
        #expect(choice.judge(a, hasFix: true, now: at(0)) == .follow)
        #expect(choice.judge(a, hasFix: false, now: at(1)) == .follow, "its loss is told at once")
        #expect(choice.judge(b, hasFix: false, now: at(4)) == .ignore)
        #expect(choice.judge(b, hasFix: true, now: at(4.9)) == .ignore)
        #expect(choice.judge(b, hasFix: true, now: at(5)) == .change)
        #expect(choice.judge(b, hasFix: true, now: at(6)) == .follow)
        // The first is back, for good: without a configured device, what works is left alone.
        for second in 7..<60 {
            #expect(choice.judge(a, hasFix: true, now: at(Double(second))) == .ignore)
            #expect(choice.judge(b, hasFix: true, now: at(Double(second))) == .follow)
        }
    }

    @Test func theConfiguredDeviceIsWaitedForAndReturnedToAfterTenSecondsOfFix() {
        var choice = choice("/dev/a")
        #expect(choice.judge(b, hasFix: true, now: at(4)) == .ignore)
        #expect(choice.judge(b, hasFix: true, now: at(5)) == .change)
        func hear(_ seconds: Range<Int>, fix: Bool = true) {
            for second in seconds.map(Double.init) {
                #expect(choice.judge(b, hasFix: true, now: at(second)) == .follow)
                #expect(choice.judge(a, hasFix: fix, now: at(second)) == .ignore)
            }
        }
        hear(6..<12)
        // It says that it lost its fix again, then a gap of its reports says the same.
        hear(12..<13, fix: false)
        hear(13..<20)
        for second in 20..<25 { #expect(choice.judge(b, hasFix: true, now: at(Double(second))) == .follow) }
        hear(25..<35)
        #expect(choice.judge(b, hasFix: true, now: at(35)) == .follow)
        #expect(choice.judge(a, hasFix: true, now: at(35)) == .change)
        #expect(choice.judge(b, hasFix: true, now: at(35)) == .ignore)
    }

    @Test func aDaemonThatNamesNoDeviceHasTheConfiguredOne() {
        var choice = choice("/dev/a")
        #expect(choice.judge(nil, hasFix: true, now: at(1)) == .follow)
        #expect(choice.chosen == a)
    }

    @Test func aDeviceThatGoesIsReplacedAtOnceByOneThatHasAFix() {
        var choice = choice()
        _ = choice.judge(a, hasFix: true, now: at(0))
        _ = choice.judge(b, hasFix: true, now: at(0.5))
        #expect(choice.lose(a, now: at(1)) == .replaced)
        #expect(choice.chosen == b)
        #expect(choice.lose(a, now: at(2)) == .ofAnother)
        #expect(choice.lose(b, now: at(3)) == .complete)
        #expect(choice.chosen == nil)
        #expect(choice.judge(a, hasFix: true, now: at(4)) == .follow)
    }

    @Test func whatHadAFixLongAgoReplacesNothing() {
        var choice = choice()
        _ = choice.judge(b, hasFix: true, now: at(0))
        for second in 0..<20 { _ = choice.judge(b, hasFix: true, now: at(Double(second))) }
        _ = choice.judge(a, hasFix: true, now: at(10))
        #expect(choice.lose(b, now: at(20)) == .complete)
        // An unnamed loss is the followed one's.
        _ = choice.judge(a, hasFix: true, now: at(21))
        #expect(choice.lose(nil, now: at(22)) == .complete)
    }

    @Test func aDeviceThatNeverHadAFixMayGo() {
        var choice = choice()
        _ = choice.judge(a, hasFix: false, now: at(0))
        _ = choice.judge(b, hasFix: false, now: at(0))
        #expect(choice.lose(b, now: at(1)) == .ofAnother)
        #expect(choice.lose(a, now: at(1)) == .complete, "the last one")
    }

    @Test func afterAReconnectTheDeviceIsGivenTimeUnlessTheDaemonLostIt() {
        var choice = choice()
        _ = choice.judge(b, hasFix: true, now: at(0))
        choice.begin(now: at(100))
        choice.restrict(to: [GPSDMessage.DeviceInfo(path: "/dev/a"), GPSDMessage.DeviceInfo(path: "/dev/b")])
        #expect(choice.judge(a, hasFix: true, now: at(101)) == .ignore)
        #expect(choice.judge(a, hasFix: true, now: at(105)) == .change)
        choice.begin(now: at(200))
        choice.restrict(to: [GPSDMessage.DeviceInfo(path: "/dev/b")])
        #expect(choice.judge(b, hasFix: true, now: at(201)) == .follow)
    }

    @Test func noNumberOfDevicesIsTooMany() {
        var choice = choice()
        for number in 0..<1000 {
            _ = choice.judge(GPSDDevice(path: "\(number)"), hasFix: true, now: at(0))
        }
        #expect(choice.chosen == GPSDDevice(path: "0"))
        var table = GPSDDeviceTable<Int>()
        for number in 0..<1000 {
            let index = table.index(of: GPSDDevice(path: "\(number)"), fresh: number)
            #expect(index < GPSDDevice.limit)
            // The first is used all the time, and stays.
            let first = table.index(of: GPSDDevice(path: "0"), fresh: -1)
            #expect(table[first] == 0)
        }
    }
}
