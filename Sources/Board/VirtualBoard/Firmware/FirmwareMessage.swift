import ByteCodec
import CFirmwareChannel
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
    /// - Parameter reserve: bytes of the turn that something else needs.
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

    /// Appends the messages in `buffer` to `list`; stops at an incomplete message.
    static func read(_ buffer: UnsafeRawBufferPointer, into list: inout [FirmwareMessage]) {
        var offset: UInt32 = 0
        var message = cfc_message()
        var payload: UnsafePointer<UInt8>?
        let bytes = buffer.bindMemory(to: UInt8.self).baseAddress
        while cfc_next(bytes, UInt32(buffer.count), &offset, &message, &payload) {
            list.append(
                FirmwareMessage(
                    type: Int(message.type), time: MonotonicInstant(nanoseconds: Int64(clamping: message.time_ns)),
                    payload: Array(UnsafeBufferPointer(start: payload, count: Int(message.length)))))
        }
    }
}
