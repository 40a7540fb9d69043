/// A device's path as a number: paths need only be told apart (FNV-1a, 64 bits).
struct GPSDDevice: Hashable, Sendable {
    /// How many devices of one daemon are told apart at once.
    static let limit = 16
    /// The device of a report that names none.
    static let unnamed = GPSDDevice(path: "")

    let digest: UInt64

    init(_ path: Span<UInt8>) {
        var digest = GPSDDevice.basis
        for index in path.indices { digest = GPSDDevice.step(digest, path[index]) }
        self.digest = digest
    }

    init(path: String) { digest = path.utf8.reduce(GPSDDevice.basis, GPSDDevice.step) }

    private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func step(_ digest: UInt64, _ byte: UInt8) -> UInt64 {
        (digest ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}

/// Something remembered of each device, of at most ``GPSDDevice/limit`` of them: the one unheard of for longest makes
/// room.
struct GPSDDeviceTable<Memory: Equatable & Sendable>: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        var device: GPSDDevice
        var memory: Memory
        var lastUse: UInt64
    }

    private var entries: [Entry] = []
    private var uses: UInt64 = 0

    /// Where the device's memory is until the next call; `fresh` where there was none.
    mutating func index(of device: GPSDDevice, fresh: @autoclosure () -> Memory) -> Int {
        uses += 1
        if let index = entries.firstIndex(where: { $0.device == device }) {
            entries[index].lastUse = uses
            return index
        }
        let entry = Entry(device: device, memory: fresh(), lastUse: uses)
        if entries.count == GPSDDevice.limit,
            let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse })
        {
            entries[oldest] = entry
            return oldest
        }
        entries.append(entry)
        return entries.count - 1
    }

    subscript(index: Int) -> Memory {
        get { entries[index].memory }
        _modify { yield &entries[index].memory }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The device that is first by `isBefore` among those for which `isIncluded` holds.
    func first(
        where isIncluded: (GPSDDevice, Memory) -> Bool, by isBefore: (Memory, Memory) -> Bool
    ) -> GPSDDevice? {
        entries.filter { isIncluded($0.device, $0.memory) }.min { isBefore($0.memory, $1.memory) }?.device
    }

    mutating func forget(_ device: GPSDDevice) { entries.removeAll { $0.device == device } }
}
