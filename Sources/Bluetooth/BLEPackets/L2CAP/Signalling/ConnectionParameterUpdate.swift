public import ByteCodec

/// A peripheral requests other connection parameters (Core 5.4, Vol 3 Part A 4.20).
public struct L2CAPConnectionParameterUpdateRequest: L2CAPSignallingCommand {
    /// The code of these packets.
    public static let code = L2CAPSignallingCode.connectionParameterUpdateRequest
    /// The name in the specification.
    public static let name: StaticString = "L2CAP Connection Parameter Update Request"

    /// The shortest interval, in units of 1.25 ms; 6...3200.
    public var intervalMin: UInt16
    /// The longest interval, in units of 1.25 ms; 6...3200.
    public var intervalMax: UInt16
    /// How many connection events the peripheral may skip; 0...499.
    public var latency: UInt16
    /// The supervision time-out, in units of 10 ms; 10...3200.
    public var timeout: UInt16

    /// A request.
    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.timeout = timeout
    }

    /// Parses the data of the packet.
    public init(from reader: inout ByteReader) throws(CodecError) {
        intervalMin = try reader.uint16()
        intervalMax = try reader.uint16()
        latency = try reader.uint16()
        timeout = try reader.uint16()
    }

    /// Writes the data of the packet.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(intervalMin)
        writer.uint16(intervalMax)
        writer.uint16(latency)
        writer.uint16(timeout)
    }
}

/// The central's answer (Core 5.4, Vol 3 Part A 4.21).
public struct L2CAPConnectionParameterUpdateResponse: L2CAPSignallingCommand {
    /// The code of these packets.
    public static let code = L2CAPSignallingCode.connectionParameterUpdateResponse
    /// The name in the specification.
    public static let name: StaticString = "L2CAP Connection Parameter Update Response"

    /// 0 accepted, 1 rejected.
    public var result: UInt16

    /// An answer.
    public init(result: UInt16) {
        self.result = result
    }

    /// Whether the central will change the parameters.
    public var isAccepted: Bool { result == 0 }

    /// Parses the data of the packet.
    public init(from reader: inout ByteReader) throws(CodecError) {
        result = try reader.uint16()
    }

    /// Writes the data of the packet.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(result)
    }
}
