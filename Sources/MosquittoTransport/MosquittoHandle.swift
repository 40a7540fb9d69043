internal import CMosquitto
internal import MessageTransport

/// Initialises the library once per process.
private let library: Int32 = mosquitto_lib_init()

/// One handle of the library for one connection (WIRE.md, Identity): what it holds unacknowledged dies with it, so the
/// library never re-sends anything after a newer birth.
///
/// Sendable because one thread uses it at a time: the helper that connects, then the loop, to which it is passed
/// through the loop's mutex; an abandoned one is destroyed by the helper.
@safe final class MosquittoHandle: @unchecked Sendable {
    private let pointer: OpaquePointer
    let inbox = CallbackInbox()
    private let configuration: MosquittoConfiguration
    private let isVersion5: Bool
    private var properties: (key: PublishProperties, list: OpaquePointer?)?

    private struct PublishProperties: Equatable {
        var expiry: UInt32?
        var contentType: String?
    }

    init(
        _ configuration: MosquittoConfiguration, cleanStart: Bool, will: OutgoingMessage?
    ) throws(TransportFailure) {
        _ = library
        let id = configuration.clientID.isEmpty ? nil : configuration.clientID
        let inboxPointer = unsafe inbox.opaque
        // Without an id the library insists on a clean session.
        guard let pointer = unsafe mosquitto_new(id, cleanStart || id == nil, inboxPointer) else {
            throw TransportFailure(.configuration, "the client id \"\(configuration.clientID)\" cannot be used")
        }
        unsafe self.pointer = unsafe pointer
        self.configuration = configuration
        isVersion5 = configuration.version == .v5
        unsafe inbox.install(on: pointer)
        unsafe mosquitto_int_option(
            pointer, MOSQ_OPT_PROTOCOL_VERSION, Int32(isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311))
        unsafe mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
        // The window is the caller's: the library must not queue behind its own default of 20.
        unsafe mosquitto_int_option(pointer, MOSQ_OPT_SEND_MAXIMUM, 65_535)
        try setCredentials()
        if configuration.address.usesTLS { try setTLS(configuration.tls) }
        if let will { try setWill(will) }
    }

    deinit {
        if let properties = unsafe properties { unsafe free(properties.list) }
        unsafe mosquitto_destroy(pointer)
    }

    private func free(_ list: OpaquePointer?) {
        var list = unsafe list
        unsafe mosquitto_property_free_all(&list)
    }

    private func setCredentials() throws(TransportFailure) {
        guard let user = configuration.username else { return }
        let code = unsafe mosquitto_username_pw_set(pointer, user, configuration.password)
        if code != 0 { throw TransportFailure(.configuration, "the user name cannot be used (invalid UTF-8)") }
    }

    private func setTLS(_ tls: MosquittoTLS) throws(TransportFailure) {
        // Without an authority file the system's store is asked; the library wants a place beside the option.
        let directory = tls.authorityFile == nil ? "/etc/ssl/certs" : nil
        if tls.authorityFile == nil { unsafe mosquitto_int_option(pointer, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        let code = unsafe mosquitto_tls_set(
            pointer, tls.authorityFile, directory, tls.certificateFile, tls.keyFile, nil)
        if code != 0 {
            throw TransportFailure(
                .configuration,
                "the TLS files cannot be used (ca-file, certificate-file and key-file must be readable PEM files, and a certificate needs its key)"
            )
        }
        unsafe mosquitto_tls_opts_set(pointer, 1, nil, nil)
        if let name = tls.applicationProtocol, !name.isEmpty {
            unsafe mosquitto_string_option(pointer, MOSQ_OPT_TLS_ALPN, name)
        }
    }

    private func setWill(_ will: OutgoingMessage) throws(TransportFailure) {
        var list: OpaquePointer?
        if isVersion5, configuration.willDelay > 0 {
            unsafe mosquitto_property_add_int32(
                &list, Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue), configuration.willDelay)
        }
        let code = unsafe will.payload.withUnsafeBytes { payload in
            unsafe mosquitto_will_set_v5(
                pointer, will.topic, Int32(payload.count), payload.baseAddress, Int32(will.qos.rawValue), will.retain,
                list)
        }
        // The library takes the list over only when it succeeds.
        if code != 0 {
            unsafe free(list)
            throw TransportFailure(.configuration, "the will cannot be set: topic \"\(will.topic)\"")
        }
    }

    /// Resolves, connects and sends the CONNECT; blocks. TLS and the CONNACK follow on the loop.
    func connect() -> TransportFailure? {
        var list: OpaquePointer?
        if isVersion5, configuration.sessionExpiry > 0 {
            unsafe mosquitto_property_add_int32(
                &list, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), configuration.sessionExpiry)
        }
        defer { unsafe free(list) }
        let code = unsafe mosquitto_connect_bind_v5(
            pointer, configuration.address.host, Int32(configuration.address.port), Int32(configuration.keepAlive), nil,
            list)
        guard code == 0 else { return failure(code) }
        SocketTimeout.set(configuration.userTimeout, on: socket)
        return nil
    }

    static let connectionLost = Int32(MOSQ_ERR_CONN_LOST.rawValue)

    func failure(_ code: Int32) -> TransportFailure {
        MosquittoFailure.make(
            code: code, log: inbox.lastErrorLog, usesTLS: configuration.address.usesTLS, systemError: currentErrno)
    }

    var socket: Int32 { unsafe mosquitto_socket(pointer) }
    var wantsToWrite: Bool { unsafe mosquitto_want_write(pointer) }

    func read() -> Int32 { unsafe mosquitto_loop_read(pointer, 1) }
    func write() -> Int32 { unsafe mosquitto_loop_write(pointer, 1) }
    func serve() -> Int32 { unsafe mosquitto_loop_misc(pointer) }
    func stopListeningToLog() { unsafe inbox.stopListeningToLog(on: pointer) }
    func disconnect() { unsafe mosquitto_disconnect_v5(pointer, 0, nil) }

    /// Returns the library's code and the packet's number.
    func publish(_ message: OutgoingMessage, qos: QualityOfService, retain: Bool) -> (code: Int32, mid: Int32) {
        var mid: Int32 = 0
        let list = unsafe properties(for: message)
        let code = unsafe message.payload.withUnsafeBytes { payload in
            unsafe mosquitto_publish_v5(
                pointer, &mid, message.topic, Int32(payload.count), payload.baseAddress, Int32(qos.rawValue), retain,
                list)
        }
        return (code, mid)
    }

    /// The properties of the last publish are kept: a vehicle's reports carry the same ones again and again.
    private func properties(for message: OutgoingMessage) -> OpaquePointer? {
        guard isVersion5, message.expiry != nil || message.contentType != nil else { return nil }
        let key = PublishProperties(expiry: message.expiry, contentType: message.contentType)
        if let properties = unsafe properties, unsafe properties.key == key { return unsafe properties.list }
        if let properties = unsafe properties { unsafe free(properties.list) }
        var list: OpaquePointer?
        if let expiry = message.expiry {
            unsafe mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        if let type = message.contentType {
            unsafe mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type)
        }
        unsafe properties = (key, list)
        return unsafe list
    }

    /// Returns the library's code and the packet's number.
    func subscribe(_ subscription: Subscription) -> (code: Int32, mid: Int32) {
        var mid: Int32 = 0
        let options = isVersion5 ? Int32(subscription.retained.rawValue) << 4 : 0
        let code = unsafe mosquitto_subscribe_v5(
            pointer, &mid, subscription.filter, Int32(subscription.qos.rawValue), options, nil)
        return (code, mid)
    }
}
