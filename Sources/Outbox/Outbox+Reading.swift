public import Delivery
public import Positioning

extension Outbox {
    /// The oldest waiting number of `numbers` whose report can be had now.
    func firstReadable(in numbers: Range<UInt64>) -> UInt64? {
        if store != nil { return waiting.first(in: numbers) }
        guard let first = recent.firstNumber else { return nil }
        return waiting.first(in: numbers.clamped(to: first..<max(first, endNumber)))
    }

    /// A waiting report; `nil` where it is lost, which is counted, or the store fails.
    mutating func report(_ number: UInt64) -> Report? {
        if let report = backlogPiece?[number] ?? recent[number] { return report }
        // The second try reads what was made of a damaged store.
        for isSecond in [false, true] {
            guard let store else { return nil }
            do throws(StoreError) {
                let found = try store.piece(from: number)
                if let found, found.piece.numbers.contains(number) {
                    let piece = DecodedPiece(numbers: found.piece.numbers, reports: found.reports)
                    backlogPiece = piece
                    return piece[number]
                }
                if isSecond { break }
                // Something hides it, or it is lost.
                throw store.damage("a piece is missing")
            } catch {
                storeFailed(error, lastNow)
            }
            guard waiting.contains(number) else { return nil }
        }
        if store != nil { lose(number..<number + 1) }
        return nil
    }

    /// The stored piece that holds the oldest report at or above `number`; `nil` where there is none or the store fails.
    private mutating func storedPiece(from number: UInt64) -> DecodedPiece? {
        for _ in 0..<2 {
            guard let store else { return nil }
            do throws(StoreError) {
                guard let (piece, reports) = try store.piece(from: number) else { return nil }
                return DecodedPiece(numbers: piece.numbers, reports: reports)
            } catch {
                storeFailed(error, lastNow)
            }
        }
        return nil
    }

    /// Reports that should be there are not.
    mutating func lose(_ numbers: Range<UInt64>) {
        let before = waiting.count + handedOver.count
        waiting.remove(numbers)
        handedOver.remove(numbers)
        counters.damaged += before - waiting.count - handedOver.count
        if changedSince == nil { changedSince = lastNow }
    }

    public mutating func held(
        instance: String, boot: UInt64, sequences: ClosedRange<UInt64>
    ) -> SequenceRanges {
        var result = SequenceRanges()
        for (index, run) in runs.enumerated() where run.instance == instance && run.boot == boot {
            let end = index + 1 < runs.count ? runs[index + 1].first : endNumber
            guard let asked = run.numbers(of: sequences) else { continue }
            for range in held(asked.clamped(to: run.first..<max(run.first, end))).ranges { result.insert(range) }
        }
        return result
    }

    private mutating func held(_ numbers: Range<UInt64>) -> SequenceRanges {
        var result = recent.numbers(in: numbers)
        var next = max(numbers.lowerBound, firstNumber)
        let end = min(numbers.upperBound, joinedEnd)
        while next < end, let piece = storedPiece(from: next), piece.numbers.lowerBound < end {
            result.insert(piece.numbers.clamped(to: next..<end))
            next = piece.numbers.upperBound
        }
        return result
    }

    public mutating func read(_ numbers: Range<UInt64>) -> QueuedReport? {
        guard !numbers.isEmpty else { return nil }
        if let report = resendPiece?[numbers.lowerBound] {
            return QueuedReport(number: numbers.lowerBound, report: report)
        }
        let start = max(numbers.lowerBound, firstNumber)
        let ofRecent = start < numbers.upperBound ? recent.first(in: start..<numbers.upperBound) : nil
        if start < joinedEnd, ofRecent != start, let piece = storedPiece(from: start) {
            let number = max(start, piece.numbers.lowerBound)
            if number < min(numbers.upperBound, ofRecent ?? .max), let report = piece[number] {
                resendPiece = piece
                return QueuedReport(number: number, report: report)
            }
        }
        return ofRecent.flatMap { number in recent[number].map { QueuedReport(number: number, report: $0) } }
    }
}
