internal import Positioning

/// Which of a daemon's devices is followed: pure.
///
/// A configured device is followed from the start, else the first that has a fix. When the followed device had no fix
/// for ``GPSDSettings/fallback``, the next one with a fix is followed instead. The configured device is returned to
/// when it has had a fix for ``GPSDSettings/comeback`` without a gap that long; without one the new device stays.
struct GPSDDeviceChoice: Equatable, Sendable {
    /// What becomes of a report.
    enum Verdict: Equatable, Sendable {
        /// It counts: its device is followed, or nobody has a fix yet.
        case follow
        /// It counts, and from now on its device is followed instead of another.
        case change
        /// It is another device's.
        case ignore
    }

    /// What the loss of a device means.
    enum Loss: Equatable, Sendable {
        case ofAnother
        /// Another device has a fix and is followed from now on.
        case replaced
        case complete
    }

    private struct Fixes: Equatable, Sendable {
        /// Since when without a gap; `nil` while the device says that it has none.
        var since: MonotonicInstant?
        var last: MonotonicInstant?
    }

    private let configured: GPSDDevice?
    /// Nanoseconds.
    private let fallback: Int64
    private let comeback: Int64
    /// The device that is followed; `nil` while none has a fix.
    private(set) var chosen: GPSDDevice?
    /// The device whose last position is wanted first.
    var preferred: GPSDDevice? { configured ?? chosen }
    /// When it last had a fix, or was given the time to find one.
    private var chosenFix = MonotonicInstant(nanoseconds: 0)
    private var fixes = GPSDDeviceTable<Fixes>()

    init(settings: GPSDSettings) {
        configured = settings.device.map { GPSDDevice(path: $0) }
        fallback = settings.fallback.wholeNanoseconds
        comeback = settings.comeback.wholeNanoseconds
    }

    /// A new connection begins: the device followed last has as long to come back as to lose its fix.
    mutating func begin(now: MonotonicInstant) {
        fixes = GPSDDeviceTable()
        if let configured { chosen = configured }
        chosenFix = now
    }

    /// The daemon told all its devices.
    mutating func restrict(to devices: [GPSDMessage.DeviceInfo]) {
        guard let chosen, chosen != configured, chosen != .unnamed else { return }
        if !devices.contains(where: { $0.device == chosen }) { self.chosen = nil }
    }

    /// A device reported.
    mutating func judge(_ name: GPSDDevice?, hasFix: Bool, now: MonotonicInstant) -> Verdict {
        // A daemon that does not name its device has one.
        let device = name ?? configured ?? .unnamed
        let since = note(device, hasFix, now)
        if device == chosen {
            if hasFix { chosenFix = now }
            return .follow
        }
        guard hasFix else { return chosen == nil ? .follow : .ignore }
        let isNeeded = chosen == nil || now.nanoseconds(since: chosenFix) >= fallback
        let isBack = device == configured && since.map { now.nanoseconds(since: $0) >= comeback } ?? false
        guard isNeeded || isBack else { return .ignore }
        defer { follow(device, now) }
        return chosen == nil ? .follow : .change
    }

    /// A device went. Without a name, or where reports bear none, it was the followed one.
    mutating func lose(_ name: GPSDDevice?, now: MonotonicInstant) -> Loss {
        let device = chosen == .unnamed ? chosen : name ?? chosen
        if let device { fixes.forget(device) }
        guard device == chosen || (chosen == nil && fixes.isEmpty) else { return .ofAnother }
        let next = fixes.first { device, fixes in
            fixes.since != nil && fixes.last.map { now.nanoseconds(since: $0) < fallback } ?? false
        } by: {
            ($0.last ?? now) > ($1.last ?? now)
        }
        if let next {
            follow(next, now)
            return .replaced
        }
        // Whoever has a fix next is followed, before its own return or not.
        chosen = nil
        return .complete
    }

    private mutating func follow(_ device: GPSDDevice, _ now: MonotonicInstant) {
        (chosen, chosenFix) = (device, now)
    }

    /// Returns since when the device has a fix.
    private mutating func note(_ device: GPSDDevice, _ hasFix: Bool, _ now: MonotonicInstant) -> MonotonicInstant? {
        let index = fixes.index(of: device, fresh: Fixes())
        guard hasFix else {
            fixes[index].since = nil
            return nil
        }
        let last = fixes[index].last
        if fixes[index].since == nil || last.map({ now.nanoseconds(since: $0) >= fallback }) ?? true {
            fixes[index].since = now
        }
        fixes[index].last = now
        return fixes[index].since
    }
}
