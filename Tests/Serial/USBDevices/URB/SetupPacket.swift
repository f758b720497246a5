internal import ByteCodec

/// The eight bytes that begin a control transfer (USB 2.0, 9.3).
package struct SetupPacket: Hashable, Sendable, CustomStringConvertible {
    /// Direction, type and recipient.
    package var requestType: UInt8
    /// The request, bRequest.
    package var request: UInt8
    /// wValue.
    package var value: UInt16
    /// wIndex.
    package var index: UInt16
    /// The number of bytes of the data stage.
    package var length: UInt16

    /// All fields.
    package init(requestType: UInt8, request: UInt8, value: UInt16 = 0, index: UInt16 = 0, length: UInt16 = 0) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.length = length
    }

    /// Reads the eight bytes, little-endian.
    init(from reader: inout ByteReader) throws(CodecError) {
        requestType = try reader.uint8()
        request = try reader.uint8()
        value = try reader.uint16()
        index = try reader.uint16()
        length = try reader.uint16()
    }

    /// Whether the data stage goes from the device to the host.
    package var isIn: Bool { requestType & 0x80 != 0 }
    /// Whether a request of the USB specification itself.
    package var isStandard: Bool { requestType & 0x60 == 0 }
    /// wValue's high byte.
    package var valueHigh: UInt8 { UInt8(value >> 8) }
    /// wValue's low byte.
    package var valueLow: UInt8 { UInt8(truncatingIfNeeded: value) }

    /// The fields in hexadecimal: type, request, value, index, length.
    package var description: String {
        let fields: [(UInt16, Int)] = [
            (UInt16(requestType), 2), (UInt16(request), 2), (value, 4), (index, 4), (length, 4),
        ]
        return fields.map { number, width in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }.joined(separator: " ")
    }
}
