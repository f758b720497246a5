public import BLECore

/// What kind of host a ``Host`` is.
public struct HostConfiguration: Sendable {
    /// Where the host's random address comes from.
    public enum RandomAddress: Hashable, Sendable {
        /// There is none.
        case none
        /// A static address made of the controller's random numbers.
        case generatedByController
        /// This one.
        case fixed(DeviceAddress)
    }

    /// The buffers a host offers its controller for ACL data (Core 5.4, Vol 4 Part E 7.3.39).
    struct ACLBuffers: Sendable {
        /// The length of one, in bytes.
        var length: UInt16
        /// How many there are.
        var count: UInt16
    }

    /// The random address.
    var randomAddress: RandomAddress
    /// The buffers of host flow control; `nil`: the controller may send as it likes.
    var aclBuffers: ACLBuffers?
    /// How many bonds are kept unless ``Host/maximumBonds`` is changed.
    var maximumBonds: Int
    /// How many pairings may run at a time unless ``Host/maximumPairings`` is changed.
    var maximumPairings: Int
    /// Whether bonds are forgotten as NimBLE's `ble_gap_unpair` does it: the connections with that peer are ended, and a
    /// bond with an identity key stays while the host advertises or scans.
    var unpairsAsNimBLE: Bool
    /// How many random numbers for private addresses are drawn at the start.
    var privateAddressDraws: Int
    /// How many more for each bond: NimBLE makes an address for either side when it enters a peer in its resolving list.
    var seedsPerBond: Int

    /// The NimBLE host of an original ESP32 (NimBLE-Arduino 2.5.1, default library configuration).
    public static let nimble = HostConfiguration(
        randomAddress: .generatedByController, aclBuffers: ACLBuffers(length: 255, count: 12), maximumBonds: 3,
        maximumPairings: 1, unpairsAsNimBLE: true, privateAddressDraws: 2, seedsPerBond: 2)

    /// espbench's own host in the central role.
    public static func central(_ randomAddress: RandomAddress) -> HostConfiguration {
        HostConfiguration(
            randomAddress: randomAddress, aclBuffers: nil, maximumBonds: 1000, maximumPairings: 1000,
            unpairsAsNimBLE: false, privateAddressDraws: 1, seedsPerBond: 0)
    }
}

extension HostConfiguration {
    /// A peripheral that behaves so. ``HostBehaviour/specification``: with the public address, as many bonds and
    /// pairings as come, and bonds that are forgotten without a word to the peer.
    public init(_ behaviour: HostBehaviour) {
        self = behaviour == .nimble ? .nimble : .central(.none)
    }
}
