import ByteCodec
internal import CFirmwareChannel
import MonotonicTime

/// Messages to the sketch, in the layout of `firmware_channel.h`, until its next turn.
struct FirmwareMessageWriter {
    private(set) var bytes: [UInt8] = []
    /// The end of each message in ``bytes``.
    private var ends: [Int] = []

    var isEmpty: Bool { bytes.isEmpty }

    /// Appends a message of `fields`, a structure of the channel, and `tail`.
    mutating func append<Fields: BitwiseCopyable>(
        _ type: Int, at now: MonotonicInstant, _ fields: Fields, tail: ArraySlice<UInt8> = []
    ) {
        begin(type, at: now, length: MemoryLayout<Fields>.size + tail.count)
        withUnsafeBytes(of: fields) { bytes.append(contentsOf: $0) }
        end(tail)
    }

    /// Appends a message of `bytes` alone.
    mutating func append(_ type: Int, at now: MonotonicInstant, bytes: ArraySlice<UInt8>) {
        begin(type, at: now, length: bytes.count)
        end(bytes)
    }

    private mutating func begin(_ type: Int, at now: MonotonicInstant, length: Int) {
        var message = cfc_message()
        message.type = UInt16(truncatingIfNeeded: type)
        message.length = UInt32(length)
        message.time_ns = UInt64(now.nanoseconds)
        withUnsafeBytes(of: message) { bytes.append(contentsOf: $0) }
    }

    private mutating func end(_ tail: ArraySlice<UInt8>) {
        bytes.append(contentsOf: tail)
        while bytes.count % 8 != 0 { bytes.append(0) }
        ends.append(bytes.count)
    }

    /// Removes and returns as many whole messages as fit into one turn.
    ///
    /// - Parameter reserve: bytes of the turn that are reserved for another message.
    mutating func removeBatch(reserve: Int) -> ArraySlice<UInt8> {
        let capacity = Int(CFC_TO_FIRMWARE_CAPACITY) - reserve
        guard bytes.count > capacity, let fitting = ends.lastIndex(where: { $0 <= capacity }) else {
            defer {
                bytes = []
                ends.removeAll(keepingCapacity: true)
            }
            return bytes[...]
        }
        let cut = ends[fitting]
        let batch = bytes[..<cut]
        bytes = Array(bytes[cut...])
        ends = ends[(fitting + 1)...].map { $0 - cut }
        return batch
    }
}

/// One message of the sketch, with its payload copied out of the shared memory.
struct FirmwareMessage {
    var type: Int
    var time: MonotonicInstant
    var payload: [UInt8]

    /// The payload's fields as a structure of the channel; `nil` when it is too short for one.
    func fields<Fields: BitwiseCopyable>(_ type: Fields.Type) -> Fields? {
        guard payload.count >= MemoryLayout<Fields>.size else { return nil }
        return payload.withUnsafeBytes { $0.loadUnaligned(as: Fields.self) }
    }

    /// The payload after the structure `Fields`.
    func tail<Fields: BitwiseCopyable>(after type: Fields.Type) -> ArraySlice<UInt8> {
        payload.dropFirst(MemoryLayout<Fields>.size)
    }

    /// Appends the messages in `buffer` to `list`, up to an invalid one.
    ///
    /// - Returns: the fault of the invalid message; `nil`: all are valid.
    static func read(_ buffer: UnsafeRawBufferPointer, into list: inout [FirmwareMessage]) -> String? {
        var offset: UInt32 = 0
        var message = cfc_message()
        var payload: UnsafePointer<UInt8>?
        let bytes = buffer.bindMemory(to: UInt8.self).baseAddress
        while cfc_next(bytes, UInt32(buffer.count), &offset, &message, &payload) {
            let type = Int(message.type)
            guard let form = form(of: type) else { return "there is no message of type \(type)" }
            guard message.length >= form.length else {
                return "a message of type \(type) has \(message.length) bytes, expected at least \(form.length)"
            }
            let time = MonotonicInstant(nanoseconds: Int64(clamping: message.time_ns))
            if let last = list.last, last.time > time {
                return "a message of type \(type) is older than the one before it"
            }
            list.append(
                FirmwareMessage(
                    type: type, time: time,
                    payload: Array(UnsafeBufferPointer(start: payload, count: Int(message.length)))))
        }
        return offset == buffer.count ? nil : "a message at byte \(offset) of \(buffer.count) is not whole"
    }

    /// True if the sketch waits for a reply.
    var isCall: Bool { Self.form(of: type)?.isCall == true }

    /// The least length of a message's payload, and whether it is a call.
    private static func form(of type: Int) -> (length: UInt32, isCall: Bool)? {
        let index = type - CFC_FLUSH
        return forms.indices.contains(index) ? forms[index] : nil
    }

    /// The forms of messages from `CFC_FLUSH` on, in the order of `firmware_channel_messages.h`.
    private static let forms: [(length: UInt32, isCall: Bool)] = {
        func message<Fields>(_ fields: Fields.Type) -> (length: UInt32, isCall: Bool) {
            (UInt32(MemoryLayout<Fields>.size), false)
        }
        func call<Fields>(_ fields: Fields.Type) -> (length: UInt32, isCall: Bool) {
            (UInt32(MemoryLayout<Fields>.size), true)
        }
        return [
            call(Void.self), message(cfc_serial_begin.self), message(cfc_serial_output.self), message(cfc_pin.self),
            message(cfc_pin.self), call(Void.self), call(Void.self), message(Void.self), message(cfc_number.self),
            message(cfc_tx_power.self), call(cfc_gatt_register.self), message(cfc_gatt_callbacks.self),
            message(cfc_gatt_value.self), message(cfc_gatt_notify.self), message(Void.self), message(Void.self),
            call(cfc_advertising.self), call(Void.self), message(cfc_disconnect.self),
            message(cfc_update_connection.self), message(cfc_callback_done.self), message(cfc_security.self),
            call(cfc_number.self), call(cfc_number.self), call(cfc_passkey_answer.self), call(Void.self),
            call(cfc_address.self), call(cfc_nvs_open.self), call(cfc_nvs_item.self), call(cfc_nvs_item.self),
            call(cfc_nvs_item.self), call(cfc_number.self), call(Void.self), message(cfc_servo.self), call(Void.self),
            call(cfc_record_query.self), call(cfc_address.self), call(cfc_hci_open.self), message(Void.self),
            message(cfc_sleep.self), message(cfc_rtc_memory.self), message(Void.self), call(cfc_gatt_notify.self),
            message(Void.self), message(Void.self), message(cfc_serial_line.self), message(cfc_serial_line.self),
            message(cfc_pin.self), call(cfc_pin.self), message(cfc_pwm.self), call(cfc_analog_read.self),
            message(cfc_pin.self), call(cfc_i2c.self), message(cfc_pulses.self), call(cfc_number.self),
            call(cfc_spi.self), message(cfc_i2c_slave.self), message(cfc_i2c_transferred.self),
        ]
    }()
}
