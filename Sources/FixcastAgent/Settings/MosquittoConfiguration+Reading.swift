internal import Configuration
internal import FleetWire
internal import MosquittoTransport
internal import Positioning

extension MosquittoConfiguration {
    init(_ reader: inout ConfigurationReader, _ keys: BrokerKeys, vehicle: VehicleID) {
        self.init(
            address: reader.value(keys.url), clientID: Self.clientID(reader.value(keys.clientID), of: vehicle))
        version = reader.value(keys.version)
        keepAlive = Int(reader.value(keys.keepAlive).wholeMilliseconds / 1000)
        username = reader.value(keys.username)
        readPassword(&reader, keys)
        readTLS(&reader, keys)
    }

    static func clientID(_ template: String, of vehicle: VehicleID) -> String {
        template.split(separator: "{vehicle}", omittingEmptySubsequences: false).joined(separator: vehicle.text)
    }

    private mutating func readPassword(_ reader: inout ConfigurationReader, _ keys: BrokerKeys) {
        guard let file = reader.value(keys.passwordFile) else { return }
        if username == nil {
            reader.report(
                "is given without \(keys.username.path); write both", at: keys.passwordFile, code: .conflict)
        }
        do throws(DurableFile.Failure) {
            guard let bytes = try DurableFile.read(file) else {
                return reader.report("there is no file \(file)", at: keys.passwordFile, code: .unreadable)
            }
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            if line.isEmpty {
                reader.report("the first line of \(file) is empty; it is the password", at: keys.passwordFile)
            }
            password = String(decoding: line, as: UTF8.self)
        } catch {
            reader.report(
                "\(error.path) cannot be read: \(error.reason)", at: keys.passwordFile, code: .unreadable)
        }
    }

    private mutating func readTLS(_ reader: inout ConfigurationReader, _ keys: BrokerKeys) {
        tls.authorityFile = readable(keys.caFile, &reader)
        tls.certificateFile = readable(keys.certificateFile, &reader)
        tls.keyFile = readable(keys.keyFile, &reader)
        tls.applicationProtocol = reader.value(keys.alpn)
        if (tls.certificateFile == nil) != (tls.keyFile == nil) {
            let given = tls.certificateFile == nil ? keys.keyFile : keys.certificateFile
            reader.report(
                "stands alone; \(keys.certificateFile.path) and \(keys.keyFile.path) go together", at: given,
                code: .conflict)
        }
        guard !address.usesTLS else { return }
        for key in [keys.caFile, keys.certificateFile, keys.keyFile, keys.alpn]
        where reader.isGiven(key) {
            reader.report(
                "has no effect without TLS; write \(keys.url.path): mqtts://\(address.host), or remove it", at: key,
                code: .conflict)
        }
    }

    /// The path of a file that can be read.
    private func readable(_ key: ConfigurationKey<String?>, _ reader: inout ConfigurationReader) -> String? {
        guard let path = reader.value(key) else { return nil }
        do throws(DurableFile.Failure) {
            if try DurableFile.read(path) == nil {
                reader.report("there is no file \(path)", at: key, code: .unreadable)
            }
        } catch {
            reader.report("\(path) cannot be read: \(error.reason)", at: key, code: .unreadable)
        }
        return path
    }
}
