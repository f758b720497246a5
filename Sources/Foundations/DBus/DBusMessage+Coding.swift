extension DBusMessage {
    /// The size of the fixed part of a header with the length of the fields' array.
    static let fixedHeaderSize = 16

    /// The bytes of the message.
    ///
    /// - Throws: code `invalidMessage` for values that cannot be sent.
    package func encoded() throws(DBusError) -> [UInt8] {
        var body = DBusWriter()
        for value in self.body { try body.value(value) }
        var writer = DBusWriter()
        writer.append([UInt8(ascii: "l"), kind.rawValue, flags, 1])
        writer.integer(UInt32(truncatingIfNeeded: body.bytes.count))
        writer.integer(serial)
        let fields: [(UInt8, DBusValue?)] = [
            (DBusHeaderField.path, path.map { .objectPath($0) }),
            (DBusHeaderField.interface, interface.map { .string($0) }),
            (DBusHeaderField.member, member.map { .string($0) }),
            (DBusHeaderField.errorName, errorName.map { .string($0) }),
            (DBusHeaderField.replySerial, replySerial.map { .uint32($0) }),
            (DBusHeaderField.destination, destination.map { .string($0) }),
            (DBusHeaderField.sender, sender.map { .string($0) }),
            (DBusHeaderField.signature, self.body.isEmpty ? nil : .signature(signature)),
        ]
        try writer.array(alignment: 8) { writer throws(DBusError) in
            for (code, value) in fields {
                guard let value else { continue }
                try writer.value(.structure([.byte(code), .variant(value)]))
            }
        }
        writer.align(8)
        writer.append(body.bytes)
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
        let fixed = try reader.values([.byte, .byte, .byte, .byte])
        self.init(Kind(rawValue: UInt8(truncatingIfNeeded: fixed[1].integer ?? 0)))
        flags = UInt8(truncatingIfNeeded: fixed[2].integer ?? 0)
        let bodyLength = Int(try reader.integer(UInt32.self))
        serial = try reader.integer(UInt32.self)
        var signature = ""
        var descriptorCount = 0
        let fields = try reader.elements(alignment: 8) { reader throws(DBusError) in
            try reader.value(.structure([.byte, .variant]))
        }
        for case .structure(let field) in fields {
            guard let code = field.first?.integer, let value = field.last?.unwrapped else { continue }
            switch (UInt8(truncatingIfNeeded: code), value) {
            case (DBusHeaderField.path, .objectPath(let text)): path = text
            case (DBusHeaderField.interface, .string(let text)): interface = text
            case (DBusHeaderField.member, .string(let text)): member = text
            case (DBusHeaderField.errorName, .string(let text)): errorName = text
            case (DBusHeaderField.replySerial, .uint32(let serial)): replySerial = serial
            case (DBusHeaderField.destination, .string(let text)): destination = text
            case (DBusHeaderField.sender, .string(let text)): sender = text
            case (DBusHeaderField.signature, .signature(let text)): signature = text
            case (DBusHeaderField.unixFDs, .uint32(let count)): descriptorCount = Int(count)
            case (1...9, _):
                throw DBusError(
                    .protocolViolation, "message: header field \(code): unexpected type \(value.type.code)")
            default: break
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
