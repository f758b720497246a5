public import BLECore

/// A primary service found on a server.
public struct RemoteService: Hashable, Sendable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// Its handle range.
    public var handles: ClosedRange<UInt16>
    /// Its characteristics, in handle order.
    public internal(set) var characteristics: [RemoteCharacteristic] = []
}

/// A characteristic found on a server.
public struct RemoteCharacteristic: Hashable, Sendable {
    /// Its UUID.
    public var uuid: BLEUUID
    /// The handle of its declaration.
    public var declaration: UInt16
    /// The handle of its value.
    public var value: UInt16
    /// The properties of its declaration.
    public var properties: CharacteristicProperties
    /// Its descriptors, in handle order.
    public internal(set) var descriptors: [RemoteDescriptor] = []
}

/// A descriptor found on a server.
public struct RemoteDescriptor: Hashable, Sendable {
    /// Its type.
    public var uuid: BLEUUID
    /// Its handle.
    public var handle: UInt16
}
