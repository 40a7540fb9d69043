internal import Positioning

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The fewest straight motions (a place and a velocity each) that keep every fix within a bound, when the whole drive is
/// known beforehand: what no policy that knows only the past can reach. Each piece is made as long as any motion allows,
/// which is optimal for pieces that need not join. Feasibility is decided by the minimax fit (Lawson's reweighting),
/// which overestimates the least error by under 1 %: the count is at most that much too high.
struct OfflineOptimum {
    let bound: Double

    /// The number of pieces.
    func pieces(of track: PolicyTrack) -> Int {
        var (start, count) = (0, 0)
        while start < track.fixes.count {
            count += 1
            start = end(from: start, in: track)
        }
        return count
    }

    /// The first fix behind the longest piece from `start`.
    private func end(from start: Int, in track: PolicyTrack) -> Int {
        let total = track.fixes.count
        var (good, step) = (min(start + 2, total), 2)
        while good < total {
            let next = min(total, good + step)
            guard isFeasible(track, start..<next) else { return search(track, start, good, next) }
            good = next
            step *= 2
        }
        return good
    }

    private func search(_ track: PolicyTrack, _ start: Int, _ feasible: Int, _ infeasible: Int) -> Int {
        var (low, high) = (feasible, infeasible)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isFeasible(track, start..<middle) { low = middle } else { high = middle }
        }
        return low
    }

    private func isFeasible(_ track: PolicyTrack, _ range: Range<Int>) -> Bool {
        let origin = track.fixes[range.lowerBound].coordinate
        let metres = Geodesy.earthRadius * .pi / 180
        let shrink = cos(origin.latitude * .pi / 180)
        let points = range.map { index -> (t: Double, x: Double, y: Double) in
            let place = track.fixes[index].coordinate
            return (
                track.time(index) - track.time(range.lowerBound),
                (place.longitude - origin.longitude) * metres * shrink, (place.latitude - origin.latitude) * metres
            )
        }
        return leastError(points, enough: bound) <= bound
    }

    /// The smallest largest distance to a motion, or any at or below `enough`.
    private func leastError(_ points: [(t: Double, x: Double, y: Double)], enough: Double) -> Double {
        var weights = [Double](repeating: 1 / Double(points.count), count: points.count)
        var best = Double.infinity
        for _ in 0..<60 {
            let (a, b) = (fit(points, weights) { $0.x }, fit(points, weights) { $0.y })
            var (largest, sum) = (0.0, 0.0)
            for (index, point) in points.enumerated() {
                let error = hypot(point.x - a.0 - a.1 * point.t, point.y - b.0 - b.1 * point.t)
                largest = max(largest, error)
                weights[index] *= error
                sum += weights[index]
            }
            best = min(best, largest)
            if best <= enough || sum <= 0 { return best }
            for index in weights.indices { weights[index] /= sum }
        }
        return best
    }

    /// The weighted line through one axis: where it begins, and its slope.
    private func fit(
        _ points: [(t: Double, x: Double, y: Double)], _ weights: [Double],
        _ axis: ((t: Double, x: Double, y: Double)) -> Double
    ) -> (Double, Double) {
        var (s, st, stt, sv, stv) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (point, weight) in zip(points, weights) {
            let value = axis(point)
            s += weight
            st += weight * point.t
            stt += weight * point.t * point.t
            sv += weight * value
            stv += weight * point.t * value
        }
        let determinant = s * stt - st * st
        guard determinant > 1e-12 else { return (s > 0 ? sv / s : 0, 0) }
        let slope = (s * stv - st * sv) / determinant
        return ((sv - slope * st) / s, slope)
    }
}
