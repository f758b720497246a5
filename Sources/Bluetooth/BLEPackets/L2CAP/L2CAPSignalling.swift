import ByteCodec

/// The only packet of a C-frame on an LE link: code, identifier and data (Core 5.4, Vol 3 Part A 4).
package struct L2CAPSignallingPacket: Hashable, Sendable {
    /// The request or response.
    package var code: L2CAPSignallingCode
    /// Matches a response to its request; 0 is invalid.
    package var identifier: UInt8
    /// The fields of the command.
    package var data: ArraySlice<UInt8>

    /// A packet.
    package init(code: L2CAPSignallingCode, identifier: UInt8, data: ArraySlice<UInt8>) {
        self.code = code
        self.identifier = identifier
        self.data = data
    }

    /// A packet that carries `command`.
    package init(_ command: some L2CAPSignallingCommand, identifier: UInt8) {
        var writer = ByteWriter()
        command.write(to: &writer)
        self.init(code: type(of: command).code, identifier: identifier, data: writer.bytes[...])
    }

    /// Parses a packet; on an LE link a frame contains only one.
    package init(from reader: inout ByteReader) throws(CodecError) {
        code = L2CAPSignallingCode(rawValue: try reader.uint8())
        identifier = try reader.uint8()
        data = try reader.slice(Int(try reader.uint16()))
        try reader.end()
    }

    /// Writes header and data.
    package func write(to writer: inout ByteWriter) {
        writer.uint8(code.rawValue)
        writer.uint8(identifier)
        writer.uint16(UInt16(truncatingIfNeeded: data.count))
        writer.append(data)
    }
}

/// The fields of one kind of signalling packet.
package protocol L2CAPSignallingCommand: Hashable, Sendable {
    /// The code of every such packet.
    static var code: L2CAPSignallingCode { get }

    /// The name in the specification, for errors.
    static var name: StaticString { get }

    /// Parses the data of a packet.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the data of a packet.
    func write(to writer: inout ByteWriter)
}

extension L2CAPSignallingCommand {
    /// Decodes the data of a packet of this kind; no byte may be left over.
    package init(decoding data: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(data, subject: Self.name)
        try self.init(from: &reader)
        try reader.end()
    }
}

extension L2CAPSignallingCode {
    /// Every kind of signalling packet that is decoded.
    package static let commands: [any L2CAPSignallingCommand.Type] = [
        L2CAPCommandReject.self,
        L2CAPConnectionParameterUpdateRequest.self, L2CAPConnectionParameterUpdateResponse.self,
    ]
}

/// The first octet of a signalling packet (Core 5.4, Vol 3 Part A 4, table 4.2); open for any value.
public struct L2CAPSignallingCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// L2CAP_COMMAND_REJECT_RSP.
    public static let commandReject = L2CAPSignallingCode(rawValue: 0x01)
    /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ.
    public static let connectionParameterUpdateRequest = L2CAPSignallingCode(rawValue: 0x12)
    /// L2CAP_CONNECTION_PARAMETER_UPDATE_RSP.
    public static let connectionParameterUpdateResponse = L2CAPSignallingCode(rawValue: 0x13)
}

/// The refusal of a signalling packet, or of a PDU for a channel that does not exist (Core 5.4, Vol 3 Part A 4.1).
package struct L2CAPCommandReject: L2CAPSignallingCommand {
    /// The code of these packets.
    package static let code = L2CAPSignallingCode.commandReject
    /// The name in the specification.
    package static let name: StaticString = "L2CAP Command Reject"

    /// The reason of a refusal.
    package enum Reason: Hashable, Sendable {
        /// The code is unknown, or not allowed here.
        case commandNotUnderstood
        /// The packet exceeds the receiver's signalling MTU.
        case signallingMTUExceeded(actualMTU: UInt16)
        /// Invalid CID in request; both channel numbers as the receiver sees them, 0 if unknown.
        case invalidChannel(local: L2CAPChannelID, remote: L2CAPChannelID)
        /// Any other reason, without data.
        case other(UInt16)
    }

    /// The reason.
    package var reason: Reason

    /// A refusal.
    package init(_ reason: Reason) {
        self.reason = reason
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        switch try reader.uint16() {
        case 0: reason = .commandNotUnderstood
        case 1: reason = .signallingMTUExceeded(actualMTU: try reader.uint16())
        case 2:
            let local = L2CAPChannelID(rawValue: try reader.uint16())
            reason = .invalidChannel(local: local, remote: L2CAPChannelID(rawValue: try reader.uint16()))
        case let number: reason = .other(number)
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch reason {
        case .commandNotUnderstood: writer.uint16(0)
        case .signallingMTUExceeded(let actualMTU):
            writer.uint16(1)
            writer.uint16(actualMTU)
        case .invalidChannel(let local, let remote):
            writer.uint16(2)
            writer.uint16(local.rawValue)
            writer.uint16(remote.rawValue)
        case .other(let number): writer.uint16(number)
        }
    }
}

/// A peripheral requests other connection parameters (Core 5.4, Vol 3 Part A 4.20).
package struct L2CAPConnectionParameterUpdateRequest: L2CAPSignallingCommand {
    /// The code of these packets.
    package static let code = L2CAPSignallingCode.connectionParameterUpdateRequest
    /// The name in the specification.
    package static let name: StaticString = "L2CAP Connection Parameter Update Request"

    /// The shortest interval, in units of 1.25 ms; 6...3200.
    package var intervalMin: UInt16
    /// The longest interval, in units of 1.25 ms; 6...3200.
    package var intervalMax: UInt16
    /// The number of connection events that the peripheral may skip; 0...499.
    package var latency: UInt16
    /// The supervision time-out, in units of 10 ms; 10...3200.
    package var timeout: UInt16

    /// A request.
    package init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
        self.intervalMin = intervalMin
        self.intervalMax = intervalMax
        self.latency = latency
        self.timeout = timeout
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        intervalMin = try reader.uint16()
        intervalMax = try reader.uint16()
        latency = try reader.uint16()
        timeout = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(intervalMin)
        writer.uint16(intervalMax)
        writer.uint16(latency)
        writer.uint16(timeout)
    }
}

/// The central's answer (Core 5.4, Vol 3 Part A 4.21).
package struct L2CAPConnectionParameterUpdateResponse: L2CAPSignallingCommand {
    /// The code of these packets.
    package static let code = L2CAPSignallingCode.connectionParameterUpdateResponse
    /// The name in the specification.
    package static let name: StaticString = "L2CAP Connection Parameter Update Response"

    /// 0 accepted, 1 rejected.
    package var result: UInt16

    /// An answer.
    package init(result: UInt16) {
        self.result = result
    }

    /// True if the central will change the parameters.
    package var isAccepted: Bool { result == 0 }

    package init(from reader: inout ByteReader) throws(CodecError) {
        result = try reader.uint16()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(result)
    }
}
