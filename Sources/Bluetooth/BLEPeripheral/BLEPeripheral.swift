public import BLECore
internal import BLEHost
public import BLEPackets
public import BenchExecutor
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
/// It advertises from ``start()`` on. Until ``stop()`` it keeps itself alive without other references, like a powered
/// board.
public actor BLEPeripheral {
    /// The services, advertising, security and handlers.
    public nonisolated let definition: PeripheralDefinition
    /// The behaviour where the specification leaves a choice, and towards peers that violate it: in ``GATTServer``, in
    /// pairings and in bonding.
    public nonisolated let behaviour: HostBehaviour
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let executor: BenchExecutor
    let peripheral: PeripheralHost
    nonisolated let attributes: AttributeTable
    /// Whether it restarts advertising while another central may connect.
    var advertisesByItself = true
    /// Calls of ``start()`` that wait for the host.
    private var startWaiters: [CheckedContinuation<Void, any Error>] = []
    /// Calls that wait for out-of-band data.
    var outOfBandWaiters: [CheckedContinuation<OutOfBandValue, any Error>] = []
    private let transport: any HCITransport
    private var alarm: Alarm
    private(set) var isRunning = false
    private var isHandlingEvents = false

    /// A peripheral that is off.
    ///
    /// - Parameters:
    ///   - behaviour: the behaviour where the specification leaves a choice, and towards peers that violate it.
    ///   - transport: the transport to a controller that has no other host, e.g. from `Radio.attach(address:)`.
    ///   - executor: the bench's executor, on which handlers run.
    public init(
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
    /// peripheral restarts, as after a reset: its connections are lost without LL_TERMINATE_IND, its bonds and values
    /// are kept.
    ///
    /// - Throws: `HostError` when the controller cannot be initialized.
    public func start() async throws {
        isRunning = true
        let now = executor.now
        for info in peripheral.host.connections { peripheral.server?.disconnect(info.handle, now: now) }
        transport.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
        peripheral.host.start(now: now)
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
        alarm.set(nil) {}
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
    /// events caused by the handler's calls are handled after it.
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
        alarm.set(peripheral.nextDeadline) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }
}
