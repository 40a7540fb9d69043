import Positioning
import Testing

@testable import LocationProviders

@Suite struct NMEAStreamTests {
    private func stream(isOfSender: Bool = true) -> NMEAStream {
        NMEAStream(
            id: 1, sender: isOfSender ? DatagramSocket.Sender() : nil, epochs: NMEAEpochReader(uere: 5, dates: .live))
    }

    /// Takes what is complete and says how many sentences it was.
    private func drain(_ stream: NMEAStream) -> Int {
        while let line = stream.nextLine() {
            stream.read(line, now: MonotonicInstant(nanoseconds: 0), utc: nil) { _ in }
        }
        return stream.takeSentences()
    }

    private func feed(_ stream: NMEAStream, _ text: String) -> Int {
        let bytes = Array(text.utf8)
        stream.feed(bytes.span)
        return drain(stream)
    }

    private let rmc = nmea("GPRMC,120000.00,A,5430.0000,N,00330.0000,E,10.0,90.0,301126,,,A")

    @Test func aSentenceIsCompleteWithItsChecksum() {
        let stream = stream()
        #expect(feed(stream, String(rmc.dropLast(1))) == 1, "the line end is no part of it")
        #expect(feed(stream, "\r\n") == 0)
        #expect(feed(stream, rmc + rmc) == 2)
    }

    @Test func aSentenceMayBeCutAnywhere() {
        for cut in 1..<rmc.utf8.count {
            let stream = stream()
            let bytes = Array(rmc.utf8)
            let first = feed(stream, String(decoding: bytes[..<cut], as: UTF8.self))
            #expect(first + feed(stream, String(decoding: bytes[cut...], as: UTF8.self)) == 1, "cut at \(cut)")
        }
    }

    @Test func whatWasBrokenOffSpoilsNothing() {
        let stream = stream()
        for _ in 0..<10_000 {
            #expect(feed(stream, String(rmc.prefix(20))) == 0)
            #expect(feed(stream, rmc) == 1)
        }
    }

    @Test func noiseWithoutAnEndHasALimit() {
        let stream = stream()
        for _ in 0..<100 { #expect(feed(stream, String(repeating: "x", count: DatagramSocket.longest)) == 0) }
        #expect(feed(stream, "\n" + rmc) == 1)
    }

    @Test(arguments: 1...20) func randomDatagramsAreSurvived(seed: Int) {
        var generator = LocationProviders.SeededGenerator(seed: UInt64(seed))
        let stream = stream()
        let alphabet = Array("$*\r\n,!\\AF09GPRMC".utf8) + [0, 7, 255]
        for _ in 0..<300 {
            let length = Int(generator.next() % (seed % 2 == 0 ? 40 : UInt64(DatagramSocket.longest)))
            let bytes = (0..<length).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }
            stream.feed(bytes.span)
            _ = drain(stream)
        }
        #expect(feed(stream, rmc) >= 1)
    }

    @Test func anEmptyDatagramIsNothing() { #expect(feed(stream(), "") == 0) }

    @Test func ofMoreSendersTheOneThatWasSilentLongestIsForgotten() {
        let streams = NMEAStreams { NMEAEpochReader(uere: 5, dates: .live) }
        let senders = (0...NMEAStreams.capacity).map { DatagramSocket.Sender(number: $0) }
        let first = streams.stream(of: senders[0])
        let second = streams.stream(of: senders[1])
        for sender in senders[2..<NMEAStreams.capacity] { _ = streams.stream(of: sender) }
        #expect(streams.stream(of: senders[0]) === first)
        _ = streams.stream(of: senders[NMEAStreams.capacity])
        #expect(streams.all.count == NMEAStreams.capacity)
        #expect(streams.stream(of: senders[0]) === first)
        let again = streams.stream(of: senders[1])
        #expect(again !== second && again.id != second.id)
        #expect(Set(streams.all.map(\.id)).count == NMEAStreams.capacity)
    }

    @Test func aStreamWithoutASenderIsAlwaysTheSame() {
        let streams = NMEAStreams { NMEAEpochReader(uere: 5, dates: .live) }
        let stream = streams.stream()
        #expect(streams.stream() === stream)
        streams.reset()
        #expect(streams.stream() !== stream)
        #expect(streams.stream().id == stream.id)
    }
}
