public import BLECore
public import ByteCodec

/// The pairing features of one side: the common fields of Pairing Request and Pairing Response (Core 5.4, Vol 3 Part H
/// 3.5.1 and 3.5.2).
public struct SMPPairingFeatures: Hashable, Sendable {
    /// The IO capability.
    public var ioCapability: IOCapability
    /// 1: the device has the peer's out-of-band data; 0: it has none; other values are reserved.
    public var outOfBandFlag: UInt8
    /// The AuthReq field.
    public var requirements: SMPAuthenticationRequirements
    /// The longest encryption key the side can do, in bytes; 7...16.
    public var maximumKeySize: UInt8
    /// The keys that the initiator distributes.
    public var initiatorKeys: SMPKeyDistribution
    /// The keys that the responder distributes.
    public var responderKeys: SMPKeyDistribution

    /// Features with these fields.
    public init(
        ioCapability: IOCapability, outOfBandFlag: UInt8, requirements: SMPAuthenticationRequirements,
        maximumKeySize: UInt8, initiatorKeys: SMPKeyDistribution, responderKeys: SMPKeyDistribution
    ) {
        self.ioCapability = ioCapability
        self.outOfBandFlag = outOfBandFlag
        self.requirements = requirements
        self.maximumKeySize = maximumKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }

    /// Reads the six octets.
    public init(from reader: inout ByteReader) throws(CodecError) {
        ioCapability = IOCapability(rawValue: try reader.uint8())
        outOfBandFlag = try reader.uint8()
        requirements = SMPAuthenticationRequirements(rawValue: try reader.uint8())
        maximumKeySize = try reader.uint8()
        initiatorKeys = SMPKeyDistribution(rawValue: try reader.uint8())
        responderKeys = SMPKeyDistribution(rawValue: try reader.uint8())
    }

    /// Writes the six octets.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(ioCapability.rawValue)
        writer.uint8(outOfBandFlag)
        writer.uint8(requirements.rawValue)
        writer.uint8(maximumKeySize)
        writer.uint8(initiatorKeys.rawValue)
        writer.uint8(responderKeys.rawValue)
    }
}
