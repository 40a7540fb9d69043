#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The agent's state directory, held for one agent at a time, with the identity file in it.
final class StateDirectory {
    /// Why the directory cannot be used.
    enum Failure: Error, Equatable {
        /// Another agent holds it.
        case inUse(path: String)
    }

    /// What opening found that is worth telling.
    enum Finding: Equatable {
        /// Nothing can be kept here: each start is a new instance.
        case notDurable(path: String, reason: String)
        /// The identity file was not readable as one; a new instance was taken.
        case damaged(path: String)
    }

    let identity: AgentIdentity
    let findings: [Finding]
    private let file: DurableFile
    private let lock: Int32

    /// Opens the directory, making it where its parent exists, and writes this boot's identity durably.
    init(_ directory: String, using generator: inout some RandomNumberGenerator) throws(Failure) {
        file = DurableFile(directory: directory, name: "identity")
        unsafe mkdir(directory, 0o700)
        lock = unsafe open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(lock)
            throw .inUse(path: directory)
        }
        var found: [Finding] = []
        var identity = AgentIdentity.fresh(using: &generator)
        do throws(DurableFile.Failure) {
            if let bytes = try file.read() {
                if let record = IdentityRecord(bytes) {
                    identity = AgentIdentity(instance: record.instance, boot: record.boot)
                        .next(last: record.last, isExact: record.isClean)
                } else {
                    found.append(.damaged(path: file.path))
                }
            }
            try file.replace(with: StateDirectory.record(identity).bytes)
        } catch {
            // What cannot be kept must not be taken up again: the next start could not tell its reports from these.
            identity = .fresh(using: &generator)
            found.append(.notDurable(path: error.path, reason: error.reason))
        }
        self.identity = identity
        findings = found
    }

    deinit { if lock >= 0 { close(lock) } }

    private static func record(_ identity: AgentIdentity) -> IdentityRecord {
        IdentityRecord(instance: identity.instance, boot: identity.boot, last: 0, isClean: false)
    }

    /// Takes a new instance, as when the broker shows that this one was already further on (a restored image).
    func renew(using generator: inout some RandomNumberGenerator) throws(DurableFile.Failure) -> AgentIdentity {
        let identity = AgentIdentity.fresh(using: &generator)
        try file.replace(with: StateDirectory.record(identity).bytes)
        return identity
    }

    /// Notes the end of a boot, so that the next birth can say exactly how far this one came.
    func noteEnd(of identity: AgentIdentity, last: UInt64) throws(DurableFile.Failure) {
        let record = IdentityRecord(instance: identity.instance, boot: identity.boot, last: last, isClean: true)
        try file.replace(with: record.bytes)
    }
}

extension AgentIdentity {
    fileprivate init(instance: String, boot: UInt64) {
        self.init(instance: instance, boot: boot, previous: nil)
    }
}
