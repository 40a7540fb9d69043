import Fixcast
import FixcastTestKit
import Foundation
import Synchronization
import Testing

/// The code of the documentation, as an app writes it.
private func feed(_ provider: PushLocationProvider) throws {
    provider.open()
    var location = Location(
        coordinate: Coordinate(latitude: 49.0, longitude: 8.4), horizontalAccuracy: 4, timestamp: UTCInstant(.now))
    location.course = 270
    try provider.push(location)
}

private final class Map: PositionObserver {
    let markers = Mutex<[MapMarker]>([])

    func update(_ position: Location) {
        guard position.isReliable,
            let marker = MapMarker(position, style: .directed, northAdjusted: true)
        else { return }
        markers.withLock { $0.append(marker) }
    }
}

private func show(
    _ provider: PushLocationProvider, on map: Map, _ scheduler: any ProviderScheduler
) -> PositionLoop {
    let loop = PositionLoop(scheduler: scheduler) { provider.currentPosition }
    loop.add(map)
    loop.start()
    return loop
}

@Suite struct OwnPositionsTests {
    @Test func whatIsPushedIsOnTheMap() throws {
        let (scheduler, map) = (ManualScheduler(), Map())
        let provider = PushLocationProvider(scheduler: scheduler)
        let loop = show(provider, on: map, scheduler)
        try feed(provider)
        scheduler.advance(by: .seconds(2))
        let markers = map.markers.withLock { $0 }
        #expect(markers.map(\.rotation) == [270, 270])
        #expect(abs((markers.first?.position.y ?? 0) - 6_274_861.394007) < 1e-6)
        loop.stop()
    }
}
