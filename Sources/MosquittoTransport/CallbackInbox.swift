internal import CMosquitto
internal import MessageTransport

/// What the library's callbacks left behind, to be taken after the library has returned: its callback lock is held
/// while they run, so they copy and go.
///
/// Sendable because it belongs to one handle, which one thread uses at a time: the helper that connects, then the loop,
/// to which it is passed through the loop's mutex.
final class CallbackInbox: @unchecked Sendable {
    enum Entry {
        case connack(code: Int32, BrokerCapabilities)
        case published(mid: Int32, reason: UInt8)
        case subscribed(mid: Int32, granted: [Int32])
        case message(IncomingMessage)
        case disconnected(code: Int32)
    }

    var entries: [Entry] = []
    /// The library's last error message: for TLS the only place that says why.
    var lastErrorLog: String?

    static func of(_ context: UnsafeMutableRawPointer?) -> CallbackInbox {
        unsafe Unmanaged<CallbackInbox>.fromOpaque(context!).takeUnretainedValue()
    }

    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// Takes back the note of a QoS 0 publish that was written inside the call that made it.
    func forgetLast(mid: Int32) {
        if case .published(mid, _)? = entries.last { entries.removeLast() }
    }

    /// Once the broker has accepted the connection the log says nothing that return codes do not, and the library would
    /// word a line for every packet. Not to be called from inside a callback.
    func stopListeningToLog(on handle: OpaquePointer) { unsafe mosquitto_log_callback_set(handle, nil) }

    /// Sets every callback, once and before connecting: setting one later from inside another would never return.
    func install(on handle: OpaquePointer) {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, properties in
            let capabilities = unsafe BrokerCapabilities(flags: flags, properties: properties)
            unsafe CallbackInbox.of(context).entries.append(.connack(code: code, capabilities))
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            unsafe CallbackInbox.of(context).entries.append(.disconnected(code: code))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, context, mid, reason, _ in
            unsafe CallbackInbox.of(context).entries.append(.published(mid: mid, reason: UInt8(clamping: reason)))
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, context, mid, count, granted, _ in
            let codes = unsafe Array(UnsafeBufferPointer(start: granted, count: Int(count)))
            unsafe CallbackInbox.of(context).entries.append(.subscribed(mid: mid, granted: codes))
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
            let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            unsafe CallbackInbox.of(context).entries.append(
                .message(
                    IncomingMessage(
                        topic: String(cString: topic), payload: Array(payload),
                        qos: message.qos == 0 ? .atMostOnce : .atLeastOnce, retained: message.retain)))
        }
        unsafe mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == Int32(MOSQ_LOG_ERR), let text = unsafe text else { return }
            unsafe CallbackInbox.of(context).lastErrorLog = String(cString: text)
        }
    }
}

extension BrokerCapabilities {
    /// Reads the CONNACK's properties.
    fileprivate init(flags: Int32, properties: OpaquePointer?) {
        self.init()
        sessionPresent = flags & 1 != 0
        guard let properties = unsafe properties else { return }
        var byte: UInt8 = 0
        var short: UInt16 = 0
        var long: UInt32 = 0
        if unsafe mosquitto_property_read_byte(properties, Int32(MQTT_PROP_RETAIN_AVAILABLE.rawValue), &byte, false)
            != nil
        {
            retainAvailable = byte != 0
        }
        if unsafe mosquitto_property_read_byte(properties, Int32(MQTT_PROP_MAXIMUM_QOS.rawValue), &byte, false) != nil {
            maximumQoS = byte == 0 ? .atMostOnce : .atLeastOnce
        }
        if unsafe mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_WILDCARD_SUB_AVAILABLE.rawValue), &byte, false) != nil
        {
            wildcardSubscriptionsAvailable = byte != 0
        }
        if unsafe mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_SHARED_SUB_AVAILABLE.rawValue), &byte, false) != nil
        {
            sharedSubscriptionsAvailable = byte != 0
        }
        if unsafe mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &short, false)
            != nil
        {
            receiveMaximum = Int(short)
        }
        if unsafe mosquitto_property_read_int16(properties, Int32(MQTT_PROP_SERVER_KEEP_ALIVE.rawValue), &short, false)
            != nil
        {
            serverKeepAlive = Int(short)
        }
        if unsafe mosquitto_property_read_int32(properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &long, false)
            != nil
        {
            maximumPacketSize = Int(long)
        }
    }
}
