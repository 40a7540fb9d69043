import Fixcast

@main struct Main {
    static func main() {
        var location = Location(
            coordinate: Coordinate(latitude: 52.52, longitude: 13.405), horizontalAccuracy: 3.2)
        location.speed = 0
        precondition(location.coordinate.isCorrect && location.isReliable)
        print("a package that depends on Fixcast builds and runs: \(location.coordinate)")
    }
}
