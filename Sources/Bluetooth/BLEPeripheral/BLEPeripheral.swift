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
/// It advertises from ``start()`` on. It stays until ``stop()``, also when nothing else refers to it, as a board with
/// power does.
public actor BLEPeripheral {
    /// What it is made of.
    public nonisolated let definition: PeripheralDefinition
    /// How it takes what the specification leaves open or forbids: in ``GATTServer``, in pairings and in what becomes
    /// of bonds.
    public nonisolated let behaviour: HostBehaviour
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let executor: BenchExecutor
    let peripheral: PeripheralHost
    nonisolated let attributes: AttributeTable
    /// Whether it advertises when there is room for another central.
    var advertisesByItself = true
    /// Who waits for the host to be up.
    private var startWaiters: [CheckedContinuation<Void, any Error>] = []
    /// Who waits for out-of-band data.
    var outOfBandWaiters: [CheckedContinuation<OutOfBandValue, any Error>] = []
    private let transport: any HCITransport
    private var alarm: Alarm
    private var isRunning = false
    private var isHandlingEvents = false

    /// A peripheral that is off.
    ///
    /// - Parameters:
    ///   - behaviour: how it takes what the specification leaves open or forbids.
    ///   - transport: the way to a controller that nobody else uses, such as `Radio.attach(address:)` gives.
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
        attributes = try AttributeTable(definition)
        let peripheral = PeripheralHost(behaviour)
        let mtu = definition.preferredMTU ?? (behaviour == .nimble ? 255 : 517)
        peripheral.setDatabase(attributes.database, preferredMTU: mtu, now: executor.now) { _ in }
        self.peripheral = peripheral
        peripheral.setSecurity(definition.security)
    }

    // MARK: On and off

    /// Resets the controller and starts to advertise; returns when host and controller are up. A peripheral that runs
    /// starts anew, as after a reset: its connections are gone without a word, its bonds and values stay.
    ///
    /// - Throws: `HostError` when the controller does not do what the host needs.
    public func start() async throws {
        isRunning = true
        let now = executor.now
        for info in peripheral.host.connections { peripheral.server?.disconnect(info.handle, now: now) }
        transport.setReceiver { packet in self.assumeIsolated { $0.receive(packet) } }
        peripheral.host.start(now: now)
        handleEvents()
        try await withCheckedThrowingContinuation { startWaiters.append($0) }
    }

    /// Resets the controller, which ends advertising and connections without a word, and handles no event any more.
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

    /// Handles what has happened and sends what is to be sent: after each call to host or server. In a handler it does
    /// nothing, for what the handler's calls have caused comes after it.
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
