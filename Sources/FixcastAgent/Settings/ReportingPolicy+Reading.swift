internal import Configuration
internal import Reporting

extension ReportingPolicy {
    init(_ reader: inout ConfigurationReader) {
        let moving = Profile(
            minInterval: reader.value(ReportingKeys.minInterval), maxInterval: reader.value(ReportingKeys.maxInterval),
            maxError: reader.value(ReportingKeys.maxError), prediction: reader.value(ReportingKeys.prediction),
            minDistance: reader.value(ReportingKeys.minDistance),
            minHeadingChange: reader.value(ReportingKeys.minHeadingChange),
            minSpeedChange: reader.value(ReportingKeys.minSpeedChange))
        let heartbeat = reader.value(ReportingKeys.parkedMaxInterval)
        // A course or a speed of a parked vehicle is noise.
        let stationary = Profile(
            minInterval: reader.value(ReportingKeys.parkedMinInterval) ?? min(moving.minInterval, heartbeat),
            maxInterval: heartbeat, maxError: reader.value(ReportingKeys.parkedMaxError) ?? moving.maxError,
            prediction: moving.prediction,
            minDistance: reader.value(ReportingKeys.parkedMinDistance) ?? moving.minDistance,
            isQuiet: moving.isSteered && reader.value(ReportingKeys.parkedMaxError) == nil)
        self.init(
            checks: Checks(&reader), unreliable: reader.value(ReportingKeys.unreliable) == .publish ? .publish : .drop,
            moving: moving, stationary: stationary)
        if moving.minInterval > moving.maxInterval {
            reader.report(
                "is longer than \(ReportingKeys.maxInterval.path); write at most that", at: ReportingKeys.minInterval,
                code: .conflict)
        }
        if stationary.minInterval > stationary.maxInterval {
            reader.report(
                "is longer than \(ReportingKeys.parkedMaxInterval.path); write at most that",
                at: ReportingKeys.parkedMinInterval, code: .conflict)
        }
    }
}

extension ReportingPolicy.Checks {
    fileprivate init(_ reader: inout ConfigurationReader) {
        let maxAccuracy = reader.value(ReportingKeys.maxAccuracy)
        let maxAge = reader.value(ReportingKeys.maxAge)
        let maxSpeed = reader.value(ReportingKeys.maxSpeed)
        self.init(
            maxAccuracy: maxAccuracy == 0 ? nil : maxAccuracy, maxAge: maxAge == .zero ? nil : maxAge,
            maxSpeed: maxSpeed == 0 ? nil : maxSpeed, warmUp: reader.value(ReportingKeys.warmUp),
            rejectsNullIsland: reader.value(ReportingKeys.nullIsland) == .reject)
    }
}

extension ReportingPolicy.Profile {
    /// Whether only course and speed ask for reports, which is nothing while parked: not every fix.
    fileprivate var isSteered: Bool {
        maxError == 0 && minDistance == 0 && (minHeadingChange > 0 || minSpeedChange > 0)
    }
}
