/// A transaction that a master outside the board begins on one of its I²C buses.
public struct I2CMasterRequest: Hashable, Sendable {
    /// The address of the slave.
    public var address: Int
    /// The bytes to write.
    public var written: [UInt8]
    /// The number of bytes to read, after a repeated START if bytes are written.
    public var readCount: Int
    /// The frequency of the clock in hertz.
    public var clock: Int
    /// The pin of SDA; `nil`: that of the only slave with this address.
    public var data: Int?

    /// A transaction.
    public init(address: Int, written: [UInt8] = [], readCount: Int = 0, clock: Int = 100_000, data: Int? = nil) {
        self.address = address
        self.written = written
        self.readCount = readCount
        self.clock = clock
        self.data = data
    }
}

/// The end of a transaction of a master outside the board.
public struct I2CMasterAnswer: Hashable, Sendable {
    /// Why the address was not acknowledged; `nil`: it was.
    public var refusal: String?
    /// The number of written bytes that were acknowledged.
    public var written: Int
    /// The bytes that were read.
    public var read: [UInt8]
    /// The number of them that the slave had to send. Nobody has sent the rest, which is 0xFF.
    public var prepared: Int

    /// An end.
    public init(refusal: String? = nil, written: Int = 0, read: [UInt8] = [], prepared: Int? = nil) {
        self.refusal = refusal
        self.written = written
        self.read = read
        self.prepared = prepared ?? read.count
    }
}

/// The reason why a transaction proves nothing of the firmware.
public struct I2CMasterFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// A fault.
    public init(_ description: String) { self.description = description }
}
