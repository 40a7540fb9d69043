internal import Foundation

/// A certificate authority for one test, made by openssl, that signs certificates for any span of time.
public final class TestAuthority: Sendable {
    private let directory: TemporaryDirectory
    private let name: String

    /// The file with the authority's own certificate.
    public var certificate: String { directory.file("\(name)-ca.pem").path }

    /// A certificate and its key.
    public struct Pair: Sendable {
        public let certificate: String
        public let key: String
    }

    public init(_ name: String = "test", directory: TemporaryDirectory) async throws {
        self.directory = directory
        self.name = name
        try await openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name) CA",
            "-days", "30", "-keyout", "\(name)-ca.key", "-out", "\(name)-ca.pem",
        ])
        _ = try directory.write("", to: "\(name)-index.txt")
        _ = try directory.write("1000\n", to: "\(name)-serial")
        _ = try directory.write(
            """
            [ca]
            default_ca = test
            [test]
            database = \(name)-index.txt
            serial = \(name)-serial
            new_certs_dir = .
            default_md = sha256
            policy = any
            copy_extensions = copy
            unique_subject = no
            [any]
            commonName = supplied
            """, to: "\(name)-ca.conf")
    }

    /// Signs a certificate for `commonName`, valid as a server on localhost and as a client.
    ///
    /// - Parameters:
    ///   - from: days from now when it begins.
    ///   - until: days from now when it ends.
    public func issue(_ commonName: String, from: Int = -1, until: Int = 10) async throws -> Pair {
        let file = "\(name)-\(commonName)-\(from)-\(until)"
        try await openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(commonName)",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(file).key", "-out", "\(file).csr",
        ])
        try await openssl([
            "ca", "-batch", "-notext", "-config", "\(name)-ca.conf", "-cert", "\(name)-ca.pem", "-keyfile",
            "\(name)-ca.key", "-in", "\(file).csr", "-out", "\(file).pem", "-startdate", time(from), "-enddate",
            time(until),
        ])
        return Pair(certificate: directory.file("\(file).pem").path, key: directory.file("\(file).key").path)
    }

    private func time(_ days: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMddHHmmss'Z'"
        return formatter.string(from: Date().addingTimeInterval(Double(days) * 86_400))
    }

    private func openssl(_ arguments: [String]) async throws {
        let child = try ChildProcess("openssl", arguments, directory: directory)
        guard await child.wait() == 0 else { throw Failure(arguments: arguments, errors: child.standardError) }
    }

    /// What openssl said when it failed.
    public struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let errors: String
        public var description: String { "openssl \(arguments.first ?? "") failed: \(errors)" }
    }
}
