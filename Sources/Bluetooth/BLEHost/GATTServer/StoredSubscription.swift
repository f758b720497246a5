public import BLECore

/// A Client Characteristic Configuration of a bonded client, as NimBLE's store keeps it (`ble_store_value_cccd`).
public struct StoredSubscription: Hashable, Sendable {
    /// The client's identity address.
    public var peer: DeviceAddress
    /// The characteristic's value.
    public var valueHandle: UInt16
    /// Bit 0 notifications, bit 1 indications; NimBLE's own bit 7 beside them.
    public var flags: UInt16
    /// Whether the value was notified since: the client gets it (once more) when it encrypts again.
    public var hasChanged: Bool

    /// A record with these fields.
    public init(peer: DeviceAddress, valueHandle: UInt16, flags: UInt16, hasChanged: Bool) {
        self.peer = peer
        self.valueHandle = valueHandle
        self.flags = flags
        self.hasChanged = hasChanged
    }
}

/// The client supported features of a bonded client (`ble_store_value_csfc`).
public struct StoredFeatures: Hashable, Sendable {
    /// The client's identity address.
    public var peer: DeviceAddress
    /// The octet of 0x2B29.
    public var features: UInt8

    /// A record with these fields.
    public init(peer: DeviceAddress, features: UInt8) {
        self.peer = peer
        self.features = features
    }
}
