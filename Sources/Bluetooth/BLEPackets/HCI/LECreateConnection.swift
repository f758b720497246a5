public import BLECore
public import ByteCodec

/// Connects to an advertiser (Core 5.4, Vol 4 Part E 7.8.12).
public struct HCILECreateConnection: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leCreateConnection
    /// The name in errors.
    public static let name: StaticString = "HCI LE Create Connection"

    /// The scan interval, in 0.625 ms; 0x0004...0x4000.
    public var scanInterval: UInt16
    /// The scan window, in 0.625 ms; at most the interval.
    public var scanWindow: UInt16
    /// Whether to connect to any device in the accept list instead of the peer.
    public var usesFilterAcceptList: Bool
    /// The peer to connect to.
    public var peerAddress: DeviceAddress
    /// Whether ``peerAddress`` is an identity address.
    public var isPeerIdentity: Bool
    /// The own address type of the connection.
    public var ownAddressType: HCIOwnAddressType
    /// The connection parameters.
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

    /// Parses the parameters.
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

/// Cancels the creation of a connection (Core 5.4, Vol 4 Part E 7.8.13).
public struct HCILECreateConnectionCancel: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.leCreateConnectionCancel
    /// The name in errors.
    public static let name: StaticString = "HCI LE Create Connection Cancel"

    /// The command, which has no parameters.
    public init() {}

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {}
}
