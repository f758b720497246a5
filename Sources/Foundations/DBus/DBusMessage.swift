/// A message (D-Bus Specification, "Message Protocol").
public struct DBusMessage: Sendable {
    /// The type of a message; open for any number, since unknown ones must be ignored.
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

    /// Its type.
    public var kind: Kind
    /// The flags; 1: no reply is expected.
    public var flags: UInt8 = 0
    /// The sender's number, not 0; set when it is sent.
    public var serial: UInt32 = 0
    /// The number of the call that this answers.
    public var replySerial: UInt32?
    /// The object called, or that emits the signal.
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

    /// A call of `interface.member` of the object `path` of `destination`.
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

    /// Whether its sender waits for a reply.
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
