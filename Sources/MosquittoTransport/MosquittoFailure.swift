internal import CMosquitto
internal import MessageTransport

/// The library's return codes and the protocol's reason codes as failures for people.
enum MosquittoFailure {
    /// A failure from a return code of the library.
    ///
    /// - Parameter log: what the library last logged as an error: for TLS the only place that says why.
    static func make(code: Int32, log: String?, usesTLS: Bool, systemError: Int32) -> TransportFailure {
        let code = mosq_err_t(code)
        if code == MOSQ_ERR_TLS || (usesTLS && log?.contains("OpenSSL") == true) {
            return TransportFailure(.tls, "TLS failed: \(readable(log) ?? "certificate, key or protocol")")
        }
        switch code {
        case MOSQ_ERR_EAI: return TransportFailure(.unreachable, "the broker's name cannot be resolved")
        case MOSQ_ERR_ERRNO:
            return TransportFailure(.unreachable, "the broker cannot be reached: \(systemErrorText(systemError))")
        case MOSQ_ERR_KEEPALIVE: return TransportFailure(.lost, "the broker does not answer pings")
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN: return TransportFailure(.lost, "the connection was closed")
        case MOSQ_ERR_CONN_REFUSED: return TransportFailure(.refused, "the broker refused the connection")
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET:
            return TransportFailure(.lost, "the broker sent what is not MQTT")
        default: return TransportFailure(.lost, text(code: code))
        }
    }

    /// A failure from a CONNACK or DISCONNECT of MQTT 5 (from 0x80), or from a CONNACK of 3.1.1 (1 to 5).
    static func make(reason code: Int32, established: Bool) -> TransportFailure {
        let reason = ReasonCode(rawValue: successor(of: code))
        switch reason {
        case .badUserNameOrPassword, .notAuthorized:
            // Brokers do not agree on which of the two a wrong password is.
            return TransportFailure(
                .authentication, "the broker refused user name, password or certificate", reason: reason)
        case .sessionTakenOver:
            return TransportFailure(.takenOver, "another client uses this id", reason: reason)
        default:
            let word = unsafe String(cString: mosquitto_reason_string(Int32(reason.rawValue)))
            let verb = established ? "closed" : "refused"
            return TransportFailure(
                established ? .lost : .refused, "the broker \(verb) the connection: \(word)", reason: reason)
        }
    }

    static func text(code: mosq_err_t) -> String {
        unsafe String(cString: mosquitto_strerror(Int32(code.rawValue)))
    }

    private static func successor(of code: Int32) -> UInt8 {
        switch code {
        case 1: 0x84
        case 2: 0x85
        case 3: 0x88
        case 4: 0x86
        case 5: 0x87
        default: UInt8(clamping: code)
        }
    }

    /// `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed` without its numbers.
    private static func readable(_ log: String?) -> String? {
        guard let log else { return nil }
        let parts = log.split(separator: ":")
        guard log.contains("OpenSSL"), let last = parts.last else { return log }
        return last.drop { $0 == " " }.description
    }
}
