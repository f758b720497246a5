public import BLECore
public import BLEHost
import BenchExecutor

/// Values, notifications and indications.
///
/// Attributes are given by the UUID of a characteristic or descriptor; if several have it, the first is used.
extension BLEPeripheral {
    /// The handles of the characteristic values and descriptors with this UUID, in order.
    public nonisolated func handles(of uuid: BLEUUID) -> [UInt16] { attributes.handles[uuid] ?? [] }

    /// The stored value of an attribute.
    ///
    /// - Throws: `noSuchAttribute`.
    public func value(of uuid: BLEUUID) throws(PeripheralError) -> [UInt8] {
        peripheral.server?.value(of: try handle(uuid)) ?? []
    }

    /// The stored value at a place of the definition; empty if there is no such attribute.
    func value(at path: AttributePath) -> [UInt8] {
        attributes.places[path].flatMap { peripheral.server?.value(of: $0) } ?? []
    }

    /// Stores a value without notifying clients.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func setValue(_ value: [UInt8], of uuid: BLEUUID) throws(PeripheralError) {
        try setValue(value, of: handle(uuid))
    }

    /// Stores a value and sends it to every subscribed client, as notification or indication. Several updates in one
    /// handler are merged, with the last value.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func update(_ value: [UInt8], of uuid: BLEUUID) throws(PeripheralError) {
        let handle = try handle(uuid)
        try setValue(value, of: handle)
        peripheral.server?.notifySubscribers(of: handle, now: executor.now)
        handleEvents()
    }

    /// Notifies a value at once without storing it; may be called from within a handler.
    ///
    /// - Parameters:
    ///   - value: truncated to MTU − 3 bytes; empty: the stored value.
    ///   - connection: the client; `nil`: all clients. Only subscribed clients receive it; with
    ///     ``HostBehaviour/nimble`` all do.
    /// - Returns: whether the last transmission succeeded.
    /// - Throws: `noSuchAttribute`.
    @discardableResult
    public func notify(
        _ value: [UInt8], of uuid: BLEUUID, to connection: ConnectionHandle? = nil
    ) throws(PeripheralError) -> Bool {
        send(value, of: try handle(uuid), isIndication: false, to: connection)
    }

    /// Indicates a value at once, like ``notify(_:of:to:)``; ``CharacteristicDefinition/onSent`` reports the
    /// confirmation.
    @discardableResult
    public func indicate(
        _ value: [UInt8], of uuid: BLEUUID, to connection: ConnectionHandle? = nil
    ) throws(PeripheralError) -> Bool {
        send(value, of: try handle(uuid), isIndication: true, to: connection)
    }

    /// Whether a connection's queue has space; if not, ``HostEvent/roomAvailable(_:)`` follows.
    public func hasRoom(on connection: ConnectionHandle) -> Bool { peripheral.host.hasRoom(on: connection) }

    func send(_ value: [UInt8], of handle: UInt16, isIndication: Bool, to connection: ConnectionHandle?) -> Bool {
        let isSent = peripheral.server?.send(
            value, of: handle, isIndication: isIndication, to: connection, now: executor.now)
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
