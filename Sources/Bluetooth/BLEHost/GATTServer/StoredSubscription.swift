public import BLECore

/// A Client Characteristic Configuration of a bonded client, as in NimBLE's store (`ble_store_value_cccd`).
public struct StoredSubscription: Hashable, Sendable {
    /// The client's identity address.
    public var peer: DeviceAddress
    /// The handle of the characteristic's value.
    public var valueHandle: UInt16
    /// Bit 0 notifications, bit 1 indications, and NimBLE's internal bit 7.
    public var flags: UInt16
    /// True if the value was notified since the record was stored: the client receives it (again) when it next
    /// encrypts.
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
