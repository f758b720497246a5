/// One HCI packet without its H4 indicator (Core 5.4, Vol 4 Part E 5.4).
public struct HCIPacket: Hashable, Sendable {
    /// The H4 packet indicator (Core 5.4, Vol 4 Part A 2).
    public enum Kind: UInt8, Sendable {
        /// Host to controller.
        case command = 1
        /// Both ways.
        case acl = 2
        /// Both ways: audio of BR/EDR, which no controller here carries.
        case synchronous = 3
        /// Controller to host.
        case event = 4
    }

    /// What kind of packet it is.
    public var kind: Kind
    /// Header and parameters.
    public var bytes: [UInt8]

    /// A packet of `bytes`.
    public init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// The way between one host and one controller: packets arrive complete and in order.
public protocol HCITransport: AnyObject, Sendable {
    /// Sends to the other side; never calls back from within.
    func send(_ packet: HCIPacket)

    /// Says who hears of packets from the other side; packets that come before are kept.
    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void)
}
