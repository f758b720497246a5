public import BLECore

/// The configuration of a ``Host``.
public struct HostConfiguration: Sendable {
    /// The source of the host's random address.
    public enum RandomAddress: Hashable, Sendable {
        /// No random address.
        case none
        /// A static address generated from the controller's random numbers.
        case generatedByController
        /// A given address.
        case fixed(DeviceAddress)
    }

    /// The buffers that a host offers its controller for ACL data (Core 5.4, Vol 4 Part E 7.3.39).
    struct ACLBuffers: Sendable {
        /// The length of a buffer, in bytes.
        var length: UInt16
        /// The number of buffers.
        var count: UInt16
    }

    /// The random address.
    var randomAddress: RandomAddress
    /// The buffers of host flow control; `nil`: no host flow control.
    var aclBuffers: ACLBuffers?
    /// The pool of buffers used by packets until they are sent; `nil`: no limit.
    var pool: NimBLEBuffers?
    /// The initial ``Host/maximumBonds``.
    var maximumBonds: Int
    /// The initial ``Host/maximumPairings``.
    var maximumPairings: Int
    /// True to delete bonds like NimBLE's `ble_gap_unpair`: it disconnects the peer, and keeps a bond with an identity
    /// key while the host advertises or scans.
    var unpairsAsNimBLE: Bool
    /// The number of random numbers for private addresses drawn at startup.
    var privateAddressDraws: Int
    /// The number of further random numbers for each bond: NimBLE generates an address for each side when it adds a
    /// peer to its resolving list.
    var seedsPerBond: Int
    /// True to scan and connect with the extended commands if the controller supports them; such a host cannot
    /// advertise.
    var hearsExtendedAdvertising = false

    /// The NimBLE host of an original ESP32 (NimBLE-Arduino 2.5.1, default library configuration).
    public static let nimble = HostConfiguration(
        randomAddress: .generatedByController, aclBuffers: ACLBuffers(length: 255, count: 12),
        pool: NimBLEBuffers(), maximumBonds: 3, maximumPairings: 1, unpairsAsNimBLE: true, privateAddressDraws: 2,
        seedsPerBond: 2)

    /// espbench's own host in the central role.
    public static func central(_ randomAddress: RandomAddress) -> HostConfiguration {
        HostConfiguration(
            randomAddress: randomAddress, aclBuffers: nil, maximumBonds: 1000, maximumPairings: 1000,
            unpairsAsNimBLE: false, privateAddressDraws: 1, seedsPerBond: 0, hearsExtendedAdvertising: true)
    }
}

extension HostConfiguration {
    /// A peripheral with this behaviour. With ``HostBehaviour/specification`` it uses the public address, has no limits
    /// of bonds and pairings, and deletes bonds without disconnecting the peer.
    public init(_ behaviour: HostBehaviour) {
        self = behaviour == .nimble ? .nimble : .central(.none)
        hearsExtendedAdvertising = false
    }
}
