public import BLECore
public import ByteCodec

/// Connects to an advertiser on any PHY (Core 5.4, Vol 4 Part E 7.8.66).
public struct HCILEExtendedCreateConnection: HCICommand {
    /// The scan and connection parameters of one PHY.
    public struct Initiation: Hashable, Sendable {
        /// The scan interval, in 0.625 ms; at least 4.
        public var scanInterval: UInt16
        /// The scan window, in 0.625 ms; at most the interval.
        public var scanWindow: UInt16
        /// The connection parameters.
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

    /// Whether to connect to any device in the accept list instead of the peer.
    public var usesFilterAcceptList: Bool
    /// The own address type of the connection.
    public var ownAddressType: HCIOwnAddressType
    /// The peer to connect to.
    public var peerAddress: DeviceAddress
    /// Whether ``peerAddress`` is an identity address.
    public var isPeerIdentity: Bool
    /// The PHYs to initiate on.
    public var phys: HCIPHYs
    /// The parameters for each of ``phys``, in the order of their bits.
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

    /// Parses the parameters.
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
