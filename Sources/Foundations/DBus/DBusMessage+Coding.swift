extension DBusMessage {
    /// The size of the fixed part of a header with the length of the fields' array.
    static let fixedHeaderSize = 16

    /// The bytes of the message.
    ///
    /// - Throws: code `invalidMessage` for values that cannot be sent.
    package func encoded() throws(DBusError) -> [UInt8] { try encoded(serial: serial) }

    /// The bytes of the message with another number.
    func encoded(serial: UInt32) throws(DBusError) -> [UInt8] {
        var writer = DBusWriter()
        writer.append([UInt8(ascii: "l"), kind.rawValue, flags, 1])
        // The length of the body, when it is known.
        writer.integer(UInt32(0))
        writer.integer(serial)
        try writer.array(alignment: 8) { writer throws(DBusError) in
            if let path { try writer.pathField(path) }
            if let interface { try writer.field(DBusHeaderField.interface, interface) }
            if let member { try writer.field(DBusHeaderField.member, member) }
            if let errorName { try writer.field(DBusHeaderField.errorName, errorName) }
            if let replySerial { writer.field(DBusHeaderField.replySerial, replySerial) }
            if let destination { try writer.field(DBusHeaderField.destination, destination) }
            if let sender { try writer.field(DBusHeaderField.sender, sender) }
            if !body.isEmpty { try writer.signatureField(of: body) }
        }
        writer.align(8)
        let start = writer.bytes.count
        for value in body { try writer.value(value) }
        writer.replace(UInt32(truncatingIfNeeded: writer.bytes.count - start), at: 4)
        guard writer.bytes.count <= DBusLimits.message else {
            throw DBusError(
                .invalidMessage, "message: expected at most \(DBusLimits.message) bytes, got \(writer.bytes.count)")
        }
        return writer.bytes
    }

    /// The length of a message from its first ``fixedHeaderSize`` bytes.
    ///
    /// - Throws: code `protocolViolation` for a header that is not valid.
    static func length(_ header: ArraySlice<UInt8>) throws(DBusError) -> Int {
        var reader = DBusReader(header, isLittleEndian: try isLittleEndian(header))
        _ = try reader.integer(UInt32.self)
        let body = Int(try reader.integer(UInt32.self))
        _ = try reader.integer(UInt32.self)
        let fields = Int(try reader.integer(UInt32.self))
        guard body <= DBusLimits.message, fields <= DBusLimits.array else {
            throw DBusError(
                .protocolViolation,
                "message: expected at most \(DBusLimits.message) bytes, got \(fields) of fields and \(body) of body")
        }
        let length = (fixedHeaderSize + fields + 7) / 8 * 8 + body
        guard length <= DBusLimits.message else {
            throw DBusError(.protocolViolation, "message: expected at most \(DBusLimits.message) bytes, got \(length)")
        }
        return length
    }

    private static func isLittleEndian(_ header: ArraySlice<UInt8>) throws(DBusError) -> Bool {
        guard header.count >= 4 else {
            throw DBusError(.protocolViolation, "message: expected a header, got \(header.count) bytes")
        }
        let order = header[header.startIndex]
        guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else {
            throw DBusError(
                .protocolViolation, "message: expected byte order l or B, got 0x\(String(order, radix: 16))")
        }
        let version = header[header.startIndex + 3]
        guard version == 1 else {
            throw DBusError(.protocolViolation, "message: expected protocol version 1, got \(version)")
        }
        return order == UInt8(ascii: "l")
    }

    /// Parses a whole message; takes its file descriptors from the front of `descriptors`.
    ///
    /// - Throws: code `protocolViolation`.
    init(_ bytes: ArraySlice<UInt8>, _ descriptors: inout [DBusFileDescriptor]) throws(DBusError) {
        let isLittleEndian = try Self.isLittleEndian(bytes)
        var reader = DBusReader(bytes, isLittleEndian: isLittleEndian)
        let fixed = try reader.integer(UInt32.self)
        // In the order of the bytes, whatever the byte order.
        let (kind, flags) =
            isLittleEndian
            ? (UInt8(truncatingIfNeeded: fixed >> 8), UInt8(truncatingIfNeeded: fixed >> 16))
            : (UInt8(truncatingIfNeeded: fixed >> 16), UInt8(truncatingIfNeeded: fixed >> 8))
        self.init(Kind(rawValue: kind))
        self.flags = flags
        let bodyLength = Int(try reader.integer(UInt32.self))
        serial = try reader.integer(UInt32.self)
        var signature = ""
        var descriptorCount = 0
        try reader.forEachElement(alignment: 8) { reader throws(DBusError) in
            try reader.align(8)
            let code = try reader.byte()
            let type = reader.singleCode()
            switch (code, type) {
            case (DBusHeaderField.path, UInt8(ascii: "o")): path = try reader.objectPath()
            case (DBusHeaderField.interface, UInt8(ascii: "s")): interface = try reader.string()
            case (DBusHeaderField.member, UInt8(ascii: "s")): member = try reader.string()
            case (DBusHeaderField.errorName, UInt8(ascii: "s")): errorName = try reader.string()
            case (DBusHeaderField.replySerial, UInt8(ascii: "u")): replySerial = try reader.integer(UInt32.self)
            case (DBusHeaderField.destination, UInt8(ascii: "s")): destination = try reader.string()
            case (DBusHeaderField.sender, UInt8(ascii: "s")): sender = try reader.string()
            case (DBusHeaderField.signature, UInt8(ascii: "g")): signature = try reader.signature()
            case (DBusHeaderField.unixFDs, UInt8(ascii: "u")): descriptorCount = Int(try reader.integer(UInt32.self))
            case (1...9, _):
                let type = try reader.signature(of: type)
                throw DBusError(.protocolViolation, "message: header field \(code): unexpected type \(type)")
            default:
                let types = try DBusType.parse(try reader.signature(of: type))
                guard types.count == 1 else {
                    throw DBusError(
                        .protocolViolation, "message: header field \(code): expected one type, got \(types.count)")
                }
                _ = try reader.value(types[0])
            }
        }
        try reader.align(8)
        guard reader.remaining == bodyLength else {
            throw DBusError(
                .protocolViolation, "message: expected a body of \(bodyLength) bytes, got \(reader.remaining)")
        }
        guard descriptorCount <= descriptors.count else {
            throw DBusError(
                .protocolViolation,
                "message: expected \(descriptorCount) file descriptors, got \(descriptors.count)")
        }
        guard bodyLength > 0 || !signature.isEmpty else { return }
        let own = Array(descriptors.prefix(descriptorCount))
        descriptors.removeFirst(descriptorCount)
        var bodyReader = DBusReader(
            bytes.suffix(bodyLength), isLittleEndian: isLittleEndian, descriptors: own)
        body = try bodyReader.values(try DBusType.parse(signature))
        guard bodyReader.remaining == 0 else {
            throw DBusError(
                .protocolViolation,
                "message: expected a body of signature \"\(signature)\", got \(bodyReader.remaining) bytes more")
        }
    }
}
