/// One HCI packet without its H4 indicator (Core 5.4, Vol 4 Part E 5.4).
public struct HCIPacket: Hashable, Sendable {
    /// The H4 packet indicator (Core 5.4, Vol 4 Part A 2).
    public enum Kind: UInt8, Sendable {
        /// Host to controller.
        case command = 1
        /// Both directions.
        case acl = 2
        /// Both directions: audio of BR/EDR, which no controller here supports.
        case synchronous = 3
        /// Controller to host.
        case event = 4
    }

    /// The kind of packet.
    public var kind: Kind
    /// Header and parameters.
    public var bytes: [UInt8]

    /// A packet of `bytes`.
    public init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }
}

/// The transport between a host and a controller: packets arrive complete and in order.
public protocol HCITransport: AnyObject, Sendable {
    /// Sends a packet; never calls the receiver synchronously.
    func send(_ packet: HCIPacket)

    /// Sets the receiver of packets; earlier packets are queued.
    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void)

    /// Sets the handler of the transport's end: called once, at once if it has ended, with one line that says why.
    /// Packets that arrived before are delivered first.
    func setLossHandler(_ handler: @escaping @Sendable (String) -> Void)
}

extension HCITransport {
    /// Does nothing: a transport within the program does not end.
    public func setLossHandler(_ handler: @escaping @Sendable (String) -> Void) {}
}
