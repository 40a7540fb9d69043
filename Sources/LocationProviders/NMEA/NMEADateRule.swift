/// What is done with the dates that a receiver tells.
package enum NMEADateRule: Equatable, Sendable {
    /// A live source: dates of receivers whose week counter rolled over are put right (G09).
    case live
    /// A recording: dates are taken as they stand.
    case asRecorded
}
