public import BLECore
public import ByteCodec

/// Connects to an advertiser on any PHY (Core 5.4, Vol 4 Part E 7.8.66).
public struct HCILEExtendedCreateConnection: HCICommand {
    /// How to listen on one PHY, and what a connection made there shall be like.
    public struct Initiation: Hashable, Sendable {
        /// From window to window, in 0.625 ms; at least 4.
        public var scanInterval: UInt16
        /// How long to listen, in 0.625 ms; at most the interval.
        public var scanWindow: UInt16
        /// What the connection shall be like.
        public var parameters: HCIConnectionParameters

        /// An attempt on one PHY.
        public init(scanInterval: UInt16, scanWindow: UInt16, parameters: HCIConnectionParameters) {
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.parameters = parameters
        }
    }

    /// The opcode.
    public static let opcode = HCIOpcode.leExtendedCreateConnection
    /// The name in errors.
    public static let name: StaticString = "HCI LE Extended Create Connection"

    /// Whether any device of the accept list will do, instead of the peer.
    public var usesFilterAcceptList: Bool
    /// Which own address the connection has.
    public var ownAddressType: HCIOwnAddressType
    /// Whom to connect to.
    public var peerAddress: DeviceAddress
    /// Whether the host says of ``peerAddress`` that it is an identity.
    public var isPeerIdentity: Bool
    /// Where to initiate.
    public var phys: HCIPHYs
    /// How, for each of ``phys`` in the order of their bits.
    public var initiations: [Initiation]

    /// The command with these parameters; one of `initiations` for each of `phys`.
    public init(
        usesFilterAcceptList: Bool, ownAddressType: HCIOwnAddressType, peerAddress: DeviceAddress,
        isPeerIdentity: Bool = false, phys: HCIPHYs, initiations: [Initiation]
    ) {
        self.usesFilterAcceptList = usesFilterAcceptList
        self.ownAddressType = ownAddressType
        self.peerAddress = peerAddress
        self.isPeerIdentity = isPeerIdentity
        self.phys = phys
        self.initiations = initiations
    }

    /// Reads the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        usesFilterAcceptList = try reader.hciBool("usesFilterAcceptList")
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        (peerAddress, isPeerIdentity) = try reader.hciResolvedAddress()
        phys = HCIPHYs(rawValue: try reader.uint8())
        initiations = []
        for _ in phys.each {
            let interval = try reader.uint16()
            let window = try reader.uint16()
            initiations.append(
                Initiation(
                    scanInterval: interval, scanWindow: window,
                    parameters: try HCIConnectionParameters(from: &reader)))
        }
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(usesFilterAcceptList ? 1 : 0)
        writer.uint8(ownAddressType.rawValue)
        writer.hciAddress(peerAddress, isResolved: isPeerIdentity)
        writer.uint8(phys.rawValue)
        for initiation in initiations {
            writer.uint16(initiation.scanInterval)
            writer.uint16(initiation.scanWindow)
            initiation.parameters.write(to: &writer)
        }
    }
}
