public import BLECentral

/// What became of a peripheral that a central had before it ended.
public enum Restoration: Sendable {
    /// It is connected, and what could be is subscribed again.
    case connected(RestoredPeripheral)
    /// It could not be taken up; it is still kept, for the next time.
    case failed(RestorablePeripheral, CentralError)
}

/// A peripheral that was taken up again.
public struct RestoredPeripheral: Sendable {
    /// The peripheral.
    public let peripheral: Peripheral
    /// What was kept of it, with the operations that had not ended.
    public let record: RestorablePeripheral
    /// What is subscribed again.
    public var subscriptions: [RestoredSubscription] = []
    /// What could not be, e.g. since the peripheral has other services now; it is still kept.
    public var failures: [CharacteristicPath: CentralError] = [:]
}

/// A subscription that was made again. It ends when nobody refers to its values any more.
public struct RestoredSubscription: Sendable {
    /// Which characteristic.
    public let path: CharacteristicPath
    /// The characteristic, of this connection.
    public let characteristic: Characteristic
    /// What the peripheral sends, as of ``Characteristic/values(_:)``.
    public let values: AsyncThrowingStream<[UInt8], any Error>
}
