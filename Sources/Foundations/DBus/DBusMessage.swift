/// A message (D-Bus Specification, "Message Protocol").
public struct DBusMessage: Sendable {
    /// The type of a message; any number is possible, since unknown types must be ignored.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt8

        /// A type by number.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A call of a method.
        public static let methodCall = Kind(rawValue: 1)
        /// A result.
        public static let methodReturn = Kind(rawValue: 2)
        /// An error in place of a result.
        public static let error = Kind(rawValue: 3)
        /// A signal.
        public static let signal = Kind(rawValue: 4)
    }

    /// The type.
    public var kind: Kind
    /// The flags; 1: no reply is expected.
    public var flags: UInt8 = 0
    /// The sender's serial number, not 0; set when the message is sent.
    public var serial: UInt32 = 0
    /// The serial number of the call that this message answers.
    public var replySerial: UInt32?
    /// The object that is called or emits the signal.
    public var path: String?
    /// The interface.
    public var interface: String?
    /// The method or signal.
    public var member: String?
    /// The name of an error.
    public var errorName: String?
    /// The name of the receiver.
    public var destination: String?
    /// The unique name of the sender; set by the bus.
    public var sender: String?
    /// The arguments.
    public var body: [DBusValue] = []

    /// A message without fields.
    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// A call of `interface.member` of the object `path` at `destination`.
    public init(
        call destination: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = []
    ) {
        self.init(.methodCall)
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
    }

    /// The signature of the arguments.
    public var signature: String { body.map(\.type.code).joined() }

    /// True if the sender waits for a reply.
    public var expectsReply: Bool { kind == .methodCall && flags & 1 == 0 }

    /// `interface.member`, for errors.
    public var name: String { Self.name(interface, member) }

    static func name(_ interface: String?, _ member: String?) -> String {
        "\(interface.map { $0 + "." } ?? "")\(member ?? "?")"
    }
}

/// The codes of header fields.
enum DBusHeaderField {
    static let path: UInt8 = 1
    static let interface: UInt8 = 2
    static let member: UInt8 = 3
    static let errorName: UInt8 = 4
    static let replySerial: UInt8 = 5
    static let destination: UInt8 = 6
    static let sender: UInt8 = 7
    static let signature: UInt8 = 8
    static let unixFDs: UInt8 = 9
}

/// Limits of the specification ("Message Format", "Marshalling").
enum DBusLimits {
    /// The longest message, in bytes.
    static let message = 1 << 27
    /// The longest array, in bytes.
    static let array = 1 << 26
    /// The greatest depth of nested values.
    static let depth = 64
}

extension DBusMessage {
    /// The size of the fixed part of a header, including the length of the array of fields.
    static let fixedHeaderSize = 16

    /// The bytes of the message.
    ///
    /// - Throws: code `invalidMessage` for values that cannot be sent.
    package func encoded() throws(DBusError) -> [UInt8] { try encoded(serial: serial) }

    /// The bytes of the message with another serial number.
    func encoded(serial: UInt32) throws(DBusError) -> [UInt8] {
        var writer = DBusWriter()
        writer.append([UInt8(ascii: "l"), kind.rawValue, flags, 1])
        // The length of the body; written once it is known.
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

    /// The length of a message, computed from its first ``fixedHeaderSize`` bytes.
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

    /// Parses a whole message; removes its file descriptors from the front of `descriptors`.
    ///
    /// - Throws: code `protocolViolation`.
    init(_ bytes: ArraySlice<UInt8>, _ descriptors: inout [DBusFileDescriptor]) throws(DBusError) {
        let isLittleEndian = try Self.isLittleEndian(bytes)
        var reader = DBusReader(bytes, isLittleEndian: isLittleEndian)
        let fixed = try reader.integer(UInt32.self)
        // In the order of the bytes, independent of the byte order.
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

/// Splits a stream of bytes into messages. A pure state machine.
package struct DBusFramer {
    private var buffer: [UInt8] = []
    private var descriptors: [DBusFileDescriptor] = []

    package init() {}

    /// Adds received bytes, and the file descriptors received with them; returns the complete messages.
    ///
    /// - Throws: code `protocolViolation`; the stream cannot be used further.
    package mutating func receive(
        _ bytes: some Sequence<UInt8>, _ descriptors: [DBusFileDescriptor]
    ) throws(DBusError) -> [DBusMessage] {
        buffer.append(contentsOf: bytes)
        if !descriptors.isEmpty { self.descriptors += descriptors }
        var messages: [DBusMessage] = []
        var start = 0
        while buffer.count - start >= DBusMessage.fixedHeaderSize {
            let length = try DBusMessage.length(buffer[start..<start + DBusMessage.fixedHeaderSize])
            guard buffer.count - start >= length else { break }
            messages.append(try DBusMessage(buffer[start..<start + length], &self.descriptors))
            start += length
        }
        if start == buffer.count { buffer.removeAll(keepingCapacity: true) } else { buffer.removeFirst(start) }
        return messages
    }
}
