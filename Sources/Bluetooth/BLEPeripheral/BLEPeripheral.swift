package import BenchExecutor
public import BLECore
public import BLEHost
package import BLEPackets
internal import MonotonicTime

/// A Bluetooth LE peripheral written in Swift: a host with a GATT server on a controller.
///
/// A calculator that answers a write of two numbers and an operation with a notification:
///
/// ```swift
/// let input = BLEUUID(0xAA01), output = BLEUUID(0xAA02)
/// let definition = PeripheralDefinition(
///     name: "Calculator",
///     services: [
///         ServiceDefinition(
///             BLEUUID(0xAA00),
///             [
///                 CharacteristicDefinition(output, [.read, .notify], value: [0]),
///                 CharacteristicDefinition(input, .write, maximumLength: 3) { value, _, peripheral in
///                     guard value.count == 3 else { throw ATTErrorCode.invalidAttributeValueLength }
///                     let (a, b) = (value[0], value[1])
///                     switch value[2] {
///                     case 0: try peripheral.update([a &+ b], of: output)
///                     case 1: try peripheral.update([a &- b], of: output)
///                     case 2: try peripheral.update([a &* b], of: output)
///                     default: throw ATTErrorCode.valueNotAllowed
///                     }
///                 },
///             ])
///     ])
/// let port = await radio.attach(address: DeviceAddress(0x240A_C400_0110, .public))
/// let calculator = try BLEPeripheral(definition, on: port, executor: executor)
/// try await calculator.start()
/// ```
///
/// It advertises from ``start()`` on. Until ``stop()``, it needs no other references to stay alive, like a powered
/// board.
public actor BLEPeripheral {
    /// The services, advertising, security and handlers.
    public nonisolated let definition: PeripheralDefinition
    /// The behaviour where the specification leaves a choice, and towards peers that violate it: of ``GATTServer``,
    /// pairing and bonding.
    public nonisolated let behaviour: HostBehaviour
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let executor: BenchExecutor
    let peripheral: PeripheralHost
    nonisolated let attributes: AttributeTable
    /// True to restart advertising while another central may connect.
    var advertisesByItself = true
    /// Calls of ``start()`` waiting for the host.
    private var startWaiters: [CheckedContinuation<Void, any Error>] = []
    /// Calls waiting for out-of-band data.
    var outOfBandWaiters: [CheckedContinuation<OutOfBandValue, any Error>] = []
    private let transport: any HCITransport
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) private var alarm: Alarm
    @exclusivity(unchecked) private(set) var isRunning = false
    @exclusivity(unchecked) private var isHandlingEvents = false

    /// A peripheral that is off.
    ///
    /// - Parameters:
    ///   - behaviour: the behaviour where the specification leaves a choice, and towards peers that violate it.
    ///   - transport: the transport to a controller that has no other host, e.g. from `Radio.attach(address:)`.
    ///   - executor: the bench's executor, on which handlers run.
    package init(
        _ definition: PeripheralDefinition, behaviour: HostBehaviour = .specification, on transport: any HCITransport,
        executor: BenchExecutor
    ) throws(PeripheralError) {
        self.definition = definition
        self.behaviour = behaviour
        self.executor = executor
        self.transport = transport
        alarm = Alarm(executor)
        try definition.check()
        attributes = try AttributeTable(definition)
        let peripheral = PeripheralHost(behaviour)
        let mtu = definition.preferredMTU ?? (behaviour == .nimble ? 255 : 517)
        peripheral.setDatabase(attributes.database, preferredMTU: mtu, now: executor.now) { _ in }
        self.peripheral = peripheral
        peripheral.setSecurity(definition.security)
    }

    // MARK: On and off

    /// Resets the controller and starts advertising; returns when host and controller are synchronized. A running
    /// peripheral restarts, like after a reset: its connections are lost without LL_TERMINATE_IND, its bonds and values
    /// are kept.
    ///
    /// - Throws: `HostError` when the controller cannot be initialized.
    public func start() async throws {
        isRunning = true
        transport.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
        peripheral.start(now: executor.now)
        handleEvents()
        try await withCheckedThrowingContinuation { startWaiters.append($0) }
    }

    /// Resets the controller, which ends advertising and, without LL_TERMINATE_IND, all connections; later events are
    /// ignored.
    public func stop() {
        guard isRunning else { return }
        isRunning = false
        transport.setReceiver { _ in }
        transport.send(HCIReset().packet)
        alarm.cancel()
        let error = PeripheralError(.stopped, "\(definition.name): stopped")
        endStart(.failure(error))
        for waiter in outOfBandWaiters { waiter.resume(throwing: error) }
        outOfBandWaiters = []
    }

    /// The controller's public address; `nil` before ``start()`` has returned.
    public var address: DeviceAddress? { peripheral.host.publicAddress }

    func endStart(_ result: Result<Void, any Error>) {
        let waiters = startWaiters
        startWaiters = []
        for waiter in waiters { waiter.resume(with: result) }
    }

    // MARK: Events

    private func receive(_ packet: HCIPacket) {
        guard isRunning else { return }
        peripheral.receive(packet, now: executor.now)
        handleEvents()
    }

    private func wake() {
        alarm.fired()
        peripheral.advance(to: executor.now)
        handleEvents()
    }

    /// Handles events and sends packets; called after each call to host or server. Does nothing within a handler:
    /// events caused by its calls are handled when it has returned.
    func handleEvents() {
        guard isRunning, !isHandlingEvents else { return }
        isHandlingEvents = true
        while isRunning, let event = peripheral.nextEvent(now: executor.now) {
            switch event {
            case .host(let event): handle(event)
            case .server(let action): handle(action)
            }
        }
        while isRunning, let packet = peripheral.nextOutput() { transport.send(packet) }
        isHandlingEvents = false
        guard isRunning else { return }
        while !outOfBandWaiters.isEmpty, let value = peripheral.host.nextOutOfBandValue() {
            outOfBandWaiters.removeFirst().resume(returning: value)
        }
        alarm.set(peripheral.nextDeadline, { [weak self] in self?.assumeIsolated { $0.wake() } })
    }
}

/// Values, notifications and indications.
///
/// Attributes are identified by the UUID of a characteristic or descriptor; of several with the same UUID, the first is
/// used.
extension BLEPeripheral {
    /// The handles of the characteristic values and descriptors with this UUID, in order.
    public nonisolated func handles(of uuid: BLEUUID) -> [UInt16] { attributes.handles[uuid] ?? [] }

    /// The stored value of an attribute.
    ///
    /// - Throws: `noSuchAttribute`.
    public func value(of uuid: BLEUUID) throws(PeripheralError) -> [UInt8] {
        peripheral.server?.value(of: try handle(uuid)) ?? []
    }

    /// The stored value of the attribute at a path of the definition; empty if it does not exist.
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
    /// handler are merged: the last value is sent.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func update(_ value: [UInt8], of uuid: BLEUUID) throws(PeripheralError) {
        let handle = try handle(uuid)
        try setValue(value, of: handle)
        peripheral.server?.notifySubscribers(of: handle, now: executor.now)
        handleEvents()
    }

    /// Notifies a value at once without storing it; may be called within a handler.
    ///
    /// - Parameters:
    ///   - value: truncated to MTU − 3 bytes; empty: the stored value.
    ///   - connection: the client; `nil`: all clients. Only subscribed clients receive it; all clients with
    ///     ``HostBehaviour/nimble``.
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

    /// True if a connection's queue has room; if not, ``HostEvent/roomAvailable(_:)`` follows.
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

/// Calls the handlers for events.
extension BLEPeripheral {
    func handle(_ event: HostEvent) {
        switch event {
        case .synchronized:
            advertiseIfWanted()
            endStart(.success(()))
        case .failed(let error): endStart(.failure(error))
        case .connected(let info):
            definition.onConnect?(info, self)
            advertiseIfWanted()
        case .disconnected(let info, let reason, let wasConnected):
            if wasConnected { definition.onDisconnect?(info, reason, self) }
            advertiseIfWanted()
        case .pairingInput(let handle, let input):
            let answer = definition.onPairingInput.map { $0(input, handle, self) } ?? .cancel
            // The pairing may have ended, or the handler may have answered it.
            if let answer { try? peripheral.host.answerPairing(answer, on: handle, now: executor.now) }
        default: break
        }
        definition.onEvent?(event, self)
    }

    func handle(_ action: GATTServerAction) {
        switch action {
        case .readRequested(let token, let handle, let connection):
            resume(token) {
                guard let value = try attributes.handlers[handle]?.onRead?(connection, self) else { return }
                try setValue(value, of: handle)
            }
        case .written(let token?, let handle, let connection, let value):
            resume(token) { try attributes.handlers[handle]?.onWrite?(value, connection, self) }
        case .subscribed(let token?, let handle, let connection, let value):
            attributes.handlers[handle]?.onSubscribe?(ClientConfiguration(rawValue: value), connection, self)
            peripheral.server?.resume(token, now: executor.now)
        case .sent(let handle, let connection, let status):
            attributes.handlers[handle]?.onSent?(status, connection, self)
        case .mtuChanged(let token?, _, _): peripheral.server?.resume(token, now: executor.now)
        case .written(nil, _, _, _), .subscribed(nil, _, _, _), .mtuChanged(nil, _, _), .subscriptionsStored, .send,
            .disconnect, .closed, .startSecurity:
            break
        }
    }

    /// Calls a handler, then resumes the server with the error that it throws.
    private func resume(_ token: GATTCallbackToken, after handler: () throws -> Void) {
        var refusal: ATTErrorCode?
        do {
            try handler()
        } catch {
            refusal = error as? ATTErrorCode
            if refusal == nil {
                refusal = .unlikelyError
                definition.onHandlerError?(error, self)
            }
        }
        peripheral.server?.resume(token, refusing: refusal, now: executor.now)
    }

    /// Advertises if there is room for another central.
    func advertiseIfWanted() {
        let host = peripheral.host
        guard advertisesByItself, host.isReady, !host.isAdvertising,
            host.connections.count < definition.maximumConnections
        else { return }
        try? startAdvertising()
    }
}

/// An error of a ``BLEPeripheral`` or a ``PeripheralBackend``.
public struct PeripheralError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// A definition with more attributes than handles, with a value or advertising data longer than allowed, or
        /// with an invalid MTU.
        case invalidDefinition
        /// The peripheral has no attribute of this UUID.
        case noSuchAttribute
        /// A value longer than the attribute's maximum.
        case valueTooLong
        /// The peripheral was stopped, or is not published.
        case stopped
        /// The stack does not support this.
        case unsupported
        /// The stack refused, because of other programs' use of it.
        case refused
        /// The controller is no longer available.
        case unavailable
    }

    /// The kind of error.
    public var code: Code
    /// The failure, with what was expected and what was found; one line.
    public var description: String

    /// An error.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
