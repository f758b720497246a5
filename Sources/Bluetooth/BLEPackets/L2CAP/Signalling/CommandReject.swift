public import ByteCodec

/// The refusal of a signalling packet, or of a PDU for a channel that is not there (Core 5.4, Vol 3 Part A 4.1).
public struct L2CAPCommandReject: L2CAPSignallingCommand {
    /// The code of these packets.
    public static let code = L2CAPSignallingCode.commandReject
    /// The name in the specification.
    public static let name: StaticString = "L2CAP Command Reject"

    /// Why.
    public enum Reason: Hashable, Sendable {
        /// The code is not known, or not allowed here.
        case commandNotUnderstood
        /// The packet is longer than the receiver takes.
        case signallingMTUExceeded(actualMTU: UInt16)
        /// Invalid CID in request; both channel numbers as the receiver sees them, 0 if unknown.
        case invalidChannel(local: L2CAPChannelID, remote: L2CAPChannelID)
        /// Any other reason, without data.
        case other(UInt16)
    }

    /// Why.
    public var reason: Reason

    /// A refusal.
    public init(_ reason: Reason) {
        self.reason = reason
    }

    /// Parses the data of the packet.
    public init(from reader: inout ByteReader) throws(CodecError) {
        switch try reader.uint16() {
        case 0: reason = .commandNotUnderstood
        case 1: reason = .signallingMTUExceeded(actualMTU: try reader.uint16())
        case 2:
            let local = L2CAPChannelID(rawValue: try reader.uint16())
            reason = .invalidChannel(local: local, remote: L2CAPChannelID(rawValue: try reader.uint16()))
        case let number: reason = .other(number)
        }
    }

    /// Writes the data of the packet.
    public func write(to writer: inout ByteWriter) {
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
