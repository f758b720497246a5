/// A Bluetooth stack in the peripheral role, on which a program publishes a peripheral.
///
/// ```swift
/// let level = definition.characteristic(BLEUUID(0x2A19))
/// try await backend.publish(definition, PeripheralHandlers(onRead: { _, _ in [87] }))
/// try backend.notify([86], of: level)
/// ```
///
/// | | ``HCIPeripheral`` | BlueZ | CoreBluetooth |
/// |---|---|---|---|
/// | GAP's device name | the definition's | the adapter's | the computer's |
/// | to one central only | yes | no: `unsupported` | yes |
/// | the passkey to show | ``PeripheralHandlers/onPairingInput`` chooses | `passkeyDisplayed` | macOS shows it |
/// | `onSubscribe` says which central | yes | no | yes |
///
/// The attributes' values are stored by the backend. All methods are called on the bench's executor.
public protocol PeripheralBackend: Sendable {
    /// Registers the services, and starts advertising; returns when centrals can see and use the peripheral. What was
    /// published before is withdrawn first.
    ///
    /// - Parameters:
    ///   - definition: without handlers of its own, which are those of a ``BLEPeripheral``.
    /// - Throws: ``PeripheralError``; `HostError` of our own host; `CentralError` `unavailable` of a system's stack, with
    ///   what is absent.
    func publish(_ definition: PeripheralDefinition, _ handlers: PeripheralHandlers) async throws

    /// Stores a value without notifying centrals.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`, `stopped`.
    func setValue(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError)

    /// Sends a value to every subscribed central, or to one, without storing it: as a notification where the
    /// characteristic has them, otherwise as an indication. Without a subscriber nothing is sent.
    ///
    /// - Parameters:
    ///   - value: truncated to MTU − 3 bytes; at least one byte.
    ///   - central: `nil`: all of them.
    /// - Returns: false if a queue is full, or an indication is not confirmed yet: nothing has been sent, and
    ///   ``PeripheralEvent/roomAvailable`` follows.
    /// - Throws: `noSuchAttribute`, `valueTooLong` (also for an empty value), `unsupported`, `stopped`.
    func notify(_ value: [UInt8], of attribute: AttributePath, to central: RemoteCentral?) throws(PeripheralError)
        -> Bool

    /// Withdraws the peripheral: ends advertising and connections to it, as far as the stack lets it. ``publish(_:_:)``
    /// may follow.
    func close() async
}

extension PeripheralBackend {
    /// Sends a value to every subscribed central: ``notify(_:of:to:)``.
    @discardableResult
    public func notify(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError) -> Bool {
        try notify(value, of: attribute, to: nil)
    }
}
