public import BLEPeripheral

/// What happens at a simulated peripheral.
public enum SimulationEvent: Sendable {
    /// A central has connected.
    case connected(RemoteCentral)
    /// A connection has ended.
    case disconnected(RemoteCentral)
    /// A central has read a characteristic.
    case read(CharacteristicDescription, [UInt8])
    /// A central has written a characteristic.
    case written(CharacteristicDescription, [UInt8])
    /// What a central has written was refused: it is not what is described.
    case refused(CharacteristicDescription, [UInt8])
    /// Centrals have subscribed to a characteristic, or have no subscription any more.
    case subscribed(CharacteristicDescription, Bool)
    /// The passkey that the central's user has to enter.
    case passkey(UInt32)
    /// The Bluetooth stack is gone: nothing is published any more.
    case failed(any Error)
}
