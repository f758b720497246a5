public import BLECore
public import ByteCodec

/// Connects to an advertiser (Core 5.4, Vol 4 Part E 7.8.12).
public struct HCILECreateConnection: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leCreateConnection
    /// The name in errors.
    public static let name: StaticString = "HCI LE Create Connection"

    /// From window to window, in 0.625 ms; 0x0004...0x4000.
    public var scanInterval: UInt16
    /// How long to listen, in 0.625 ms; at most the interval.
    public var scanWindow: UInt16
    /// Whether any device of the accept list will do, instead of the peer.
    public var usesFilterAcceptList: Bool
    /// Whom to connect to.
    public var peerAddress: DeviceAddress
    /// Whether the host says of ``peerAddress`` that it is an identity.
    public var isPeerIdentity: Bool
    /// Which own address the connection has.
    public var ownAddressType: HCIOwnAddressType
    /// What the connection shall be like.
    public var parameters: HCIConnectionParameters

    /// The command with these parameters.
    public init(
        scanInterval: UInt16, scanWindow: UInt16, usesFilterAcceptList: Bool, peerAddress: DeviceAddress,
        isPeerIdentity: Bool = false, ownAddressType: HCIOwnAddressType, parameters: HCIConnectionParameters
    ) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.usesFilterAcceptList = usesFilterAcceptList
        self.peerAddress = peerAddress
        self.isPeerIdentity = isPeerIdentity
        self.ownAddressType = ownAddressType
        self.parameters = parameters
    }

    /// Reads the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        scanInterval = try reader.uint16()
        scanWindow = try reader.uint16()
        usesFilterAcceptList = try reader.hciBool("usesFilterAcceptList")
        (peerAddress, isPeerIdentity) = try reader.hciResolvedAddress()
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        parameters = try HCIConnectionParameters(from: &reader)
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint16(scanInterval)
        writer.uint16(scanWindow)
        writer.uint8(usesFilterAcceptList ? 1 : 0)
        writer.hciAddress(peerAddress, isResolved: isPeerIdentity)
        writer.uint8(ownAddressType.rawValue)
        parameters.write(to: &writer)
    }
}

/// Gives up a connection that has not come about (Core 5.4, Vol 4 Part E 7.8.13).
public struct HCILECreateConnectionCancel: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leCreateConnectionCancel
    /// The name in errors.
    public static let name: StaticString = "HCI LE Create Connection Cancel"

    /// The command, which has no parameters.
    public init() {}

    /// Reads the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}
