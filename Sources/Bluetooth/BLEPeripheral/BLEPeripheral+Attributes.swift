public import BLECore
public import BLEHost
import BenchExecutor

/// Values, notifications and indications.
///
/// Attributes are named by the UUID of a characteristic or descriptor: where several have it, the first is meant.
extension BLEPeripheral {
    /// The handles of the characteristic values and descriptors with this UUID, in order.
    public nonisolated func handles(of uuid: BLEUUID) -> [UInt16] { attributes.handles[uuid] ?? [] }

    /// The stored value of an attribute.
    ///
    /// - Throws: `noSuchAttribute`.
    public func value(of uuid: BLEUUID) throws(PeripheralError) -> [UInt8] {
        peripheral.server?.value(of: try handle(uuid)) ?? []
    }

    /// Stores a value; nobody is notified.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func setValue(_ value: [UInt8], of uuid: BLEUUID) throws(PeripheralError) {
        try setValue(value, of: handle(uuid))
    }

    /// Stores a value and sends it to each client that has subscribed, by the kind it has subscribed to. Several updates
    /// in one handler are sent as one, with the last value.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func update(_ value: [UInt8], of uuid: BLEUUID) throws(PeripheralError) {
        let handle = try handle(uuid)
        try setValue(value, of: handle)
        peripheral.server?.notifySubscribers(of: handle, now: executor.now)
        handleEvents()
    }

    /// Notifies a value at once without storing it, also from within a handler.
    ///
    /// - Parameters:
    ///   - value: cut at MTU − 3 bytes; empty: what the characteristic holds.
    ///   - connection: whom to; `nil`: all. Who has not subscribed is left out, but with ``HostBehaviour/nimble`` gets it,
    ///     too.
    /// - Returns: whether the last transmission succeeded.
    /// - Throws: `noSuchAttribute`.
    @discardableResult
    public func notify(
        _ value: [UInt8], of uuid: BLEUUID, to connection: ConnectionHandle? = nil
    ) throws(PeripheralError) -> Bool {
        try send(value, of: uuid, isIndication: false, to: connection)
    }

    /// Indicates a value at once, as ``notify(_:of:to:)`` notifies it; ``CharacteristicDefinition/onSent`` hears of the
    /// confirmation.
    @discardableResult
    public func indicate(
        _ value: [UInt8], of uuid: BLEUUID, to connection: ConnectionHandle? = nil
    ) throws(PeripheralError) -> Bool {
        try send(value, of: uuid, isIndication: true, to: connection)
    }

    /// Whether few enough packets wait on a connection for more; if not, ``HostEvent/roomAvailable(_:)`` follows.
    public func hasRoom(on connection: ConnectionHandle) -> Bool { peripheral.host.hasRoom(on: connection) }

    private func send(
        _ value: [UInt8], of uuid: BLEUUID, isIndication: Bool, to connection: ConnectionHandle?
    ) throws(PeripheralError) -> Bool {
        let isSent = peripheral.server?.send(
            value, of: try handle(uuid), isIndication: isIndication, to: connection, now: executor.now)
        handleEvents()
        return isSent ?? false
    }

    private nonisolated func handle(_ uuid: BLEUUID) throws(PeripheralError) -> UInt16 {
        guard let handle = attributes.handles[uuid]?.first else {
            throw PeripheralError(.noSuchAttribute, "\(definition.name): expected an attribute \(uuid), which it lacks")
        }
        return handle
    }

    func setValue(_ value: [UInt8], of handle: UInt16) throws(PeripheralError) {
        let limit = attributes.maximumLengths[handle] ?? 0
        guard value.count <= limit else {
            throw PeripheralError(
                .valueTooLong,
                "\(definition.name): expected a value of at most \(limit) bytes for handle \(handle), "
                    + "got \(value.count)")
        }
        peripheral.server?.setValue(value, of: handle)
    }
}
