import FixcastTestKit
import Foundation
import Testing

@testable import FixcastAgent

@Suite struct IdentityTests {
    private func open(_ directory: String, seed: UInt64 = 1) throws -> StateDirectory {
        var generator = SeededGenerator(seed: seed)
        return try StateDirectory(directory, using: &generator)
    }

    @Test func eachStartIsTheNextBootOfOneInstance() throws {
        let directory = try TemporaryDirectory()
        let first = try open(directory.path).identity
        #expect(first.boot == 1)
        #expect(first.previous == nil)
        #expect(first.instance.count == 8)
        let second = try open(directory.path, seed: 2).identity
        #expect(second.instance == first.instance)
        #expect(second.boot == 2)
        #expect(second.previous == .init(boot: 1, last: 0, isExact: false))
    }

    @Test func aCleanStopMakesThePreviousBootExact() throws {
        let directory = try TemporaryDirectory()
        do {
            let state = try open(directory.path)
            try state.noteEnd(of: state.identity, last: 4711)
        }
        #expect(try open(directory.path).identity.previous == .init(boot: 1, last: 4711, isExact: true))
    }

    @Test func oneDirectoryServesOneAgent() throws {
        let directory = try TemporaryDirectory()
        let state = try open(directory.path)
        #expect(throws: StateDirectory.Failure.inUse(path: directory.path)) { try open(directory.path) }
        _ = state.identity
    }

    @Test(arguments: [0, 1, 10, 40])
    func aDamagedFileIsANewInstance(length: Int) throws {
        let directory = try TemporaryDirectory()
        let first = try open(directory.path).identity
        let file = directory.file("identity")
        let whole = try Data(contentsOf: file)
        try whole.prefix(length).write(to: file)
        let state = try open(directory.path, seed: 2)
        #expect(state.identity.instance != first.instance)
        #expect(state.identity.boot == 1)
        #expect(state.findings == [.damaged(path: file.path)])
    }

    @Test func withoutADurableFileEachStartIsANewInstance() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.path + "/no/such/parent"
        let first = try open(missing, seed: 1)
        let second = try open(missing, seed: 2)
        #expect(first.identity.instance != second.identity.instance)
        #expect(first.identity.boot == 1 && second.identity.boot == 1)
        guard case .notDurable? = first.findings.first else {
            Issue.record("\(first.findings)")
            return
        }
    }

    @Test func aRenewedInstanceIsKept() throws {
        let directory = try TemporaryDirectory()
        let renewed: AgentIdentity
        do {
            let state = try open(directory.path, seed: 1)
            var generator = SeededGenerator(seed: 9)
            renewed = try state.renew(using: &generator)
            #expect(renewed.instance != state.identity.instance)
            #expect(renewed.boot == 1)
        }
        #expect(try open(directory.path).identity.instance == renewed.instance)
        #expect(try open(directory.path).identity.boot == 3)
    }

    @Test func theRecordReadsBackAndNothingElseDoes() throws {
        let record = IdentityRecord(instance: "k3f9a2", boot: 17, last: 4711, isClean: true)
        #expect(IdentityRecord(record.bytes) == record)
        for length in 0..<record.bytes.count { #expect(IdentityRecord(Array(record.bytes.prefix(length))) == nil) }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var bytes = record.bytes
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            if let read = IdentityRecord(bytes) { #expect(IdentityRecord(read.bytes) == read) }
        }
    }
}
