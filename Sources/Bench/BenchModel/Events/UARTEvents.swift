/// The far end of a UART beside the console received bytes of the firmware.
public struct UARTBytesReceived: EventPayload {
    /// Its name.
    public static let kind = "uart"
    /// The number of the UART.
    public var port: Int
    /// The bytes, as many as came without a gap.
    public var bytes: [UInt8]

    /// Bytes of a UART.
    public init(port: Int, bytes: [UInt8]) {
        self.port = port
        self.bytes = bytes
    }

    /// Reads one.
    public init(_ fields: EventFields) throws(TimelineError) {
        port = try fields.integer("port")
        bytes = try fields.bytes("value")
    }

    /// Writes it.
    public func write(to json: inout JSONWriter) {
        json.integer("port", port)
        json.hexadecimal("value", bytes)
    }

    /// A stream has many.
    public var isFrequent: Bool { true }

    /// One line.
    public var text: String { "UART \(port) → \(EventText.bytes(bytes))" }
}

/// The far end of a UART was given bytes to send.
public struct UARTBytesSent: EventPayload {
    /// Its name.
    public static let kind = "uartSent"
    /// Of more bytes, the first ones are kept.
    private static let keptCount = 64

    /// The number of the UART.
    public var port: Int
    /// How many bytes.
    public var count: Int
    /// The first of them.
    public var bytes: [UInt8]

    /// Bytes for a UART; the event keeps the first 64.
    public init(port: Int, bytes: [UInt8]) {
        self.port = port
        count = bytes.count
        self.bytes = Array(bytes.prefix(Self.keptCount))
    }

    /// Reads one.
    public init(_ fields: EventFields) throws(TimelineError) {
        port = try fields.integer("port")
        count = try fields.integer("count")
        bytes = try fields.bytes("value")
    }

    /// Writes it.
    public func write(to json: inout JSONWriter) {
        json.integer("port", port)
        json.integer("count", count)
        json.hexadecimal("value", bytes)
    }

    /// One line.
    public var text: String {
        "UART \(port) ← \(EventText.bytes(bytes))"
            + (count > bytes.count ? " and \(count - bytes.count) bytes more" : "")
    }
}
