import BLECore
import BLEPackets
public import BLEPeripheral
public import BenchExecutor
import MonotonicTime

/// A peripheral that behaves as its description says: its values are those that a program sets, or follow waves.
///
/// ```swift
/// let tag = try SimulatedPeripheral(.sensorTag, on: HCIPeripheral(on: port, executor: executor), executor: executor)
/// try await tag.start()
/// try await tag.set("humidity.relative", to: 40.2)
/// try await tag.set("temperature.ambient", to: .sine(20...25, period: .seconds(60)))
/// ```
///
/// A characteristic is notified while a central is subscribed: after each time of its service's period register while the
/// sensor is on, after a fixed time, or when its value is set. A periodic value that finds the queue full is left out; of
/// those that were set, ``longestQueue`` wait, and the oldest beyond them are dropped (``droppedValues``).
public actor SimulatedPeripheral {
    /// What it is.
    public nonisolated let description: PeripheralDescription
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// The most values that wait for room in the stack's queue.
    public static let longestQueue = 1024

    let executor: BenchExecutor
    let backend: any PeripheralBackend
    let onEvent: @Sendable (SimulationEvent) -> Void
    private nonisolated let definition: PeripheralDefinition
    private let passkey: UInt32
    var services: [SimulatedService]
    /// The subscriptions by place; centrals that the stack hides count as one.
    var subscribers: [AttributePath: Set<RemoteCentral?>] = [:]
    var alarms: [AttributePath: Alarm] = [:]
    /// Values that were set and wait for room.
    var queue: [(path: AttributePath, value: [UInt8])] = []
    /// How many values that were set could not be sent.
    public internal(set) var droppedValues = 0
    private let begin: MonotonicInstant

    /// A peripheral that is not published yet.
    ///
    /// - Parameters:
    ///   - backend: the Bluetooth stack, e.g. an `HCIPeripheral` on the virtual air.
    ///   - name: the device name; `nil`: the description's.
    ///   - seed: of random waves and the passkey of pairings.
    ///   - onEvent: called on the executor.
    /// - Throws: `notEncodable` when the values of the description cannot be encoded.
    public init(
        _ description: PeripheralDescription, on backend: any PeripheralBackend, executor: BenchExecutor,
        name: String? = nil, seed: UInt64 = 0, onEvent: @escaping @Sendable (SimulationEvent) -> Void = { _ in }
    ) throws(DescriptionError) {
        self.description = description
        self.backend = backend
        self.executor = executor
        self.onEvent = onEvent
        begin = executor.now
        definition = PeripheralDefinition(description, name: name)
        var random = SeededRandom(seed: seed).fork("simulated peripheral")
        passkey = UInt32(random.next() % 1_000_000)
        var services: [SimulatedService] = []
        for service in description.services {
            services.append(try SimulatedService(service, random.fork(service.name)))
        }
        self.services = services
    }

    /// Publishes it: it advertises, and centrals can use it.
    ///
    /// - Throws: as ``BLEPeripheral/PeripheralBackend/publish(_:_:)``.
    public func start() async throws {
        try await backend.publish(
            definition,
            PeripheralHandlers(
                onRead: { [weak self] path, _ in try self?.assumeIsolated { try $0.read(path) } },
                onWrite: { [weak self] value, path, _ in try self?.assumeIsolated { try $0.write(value, path) } },
                onSubscribe: { [weak self] subscription, path, central in
                    self?.assumeIsolated { $0.subscribe(subscription, path, central) }
                },
                onPairingInput: { [weak self] input, _ in
                    self?.assumeIsolated { $0.answer(input) } ?? .cancel
                }, onEvent: { [weak self] event in self?.assumeIsolated { $0.handle(event) } }))
    }

    /// Withdraws it.
    public func stop() async {
        for path in Array(alarms.keys) { setAlarm(nil, path) }
        subscribers = [:]
        queue = []
        await backend.close()
    }

    /// Sets a value, e.g. `humidity.relative`; notifies it if that is what its description says.
    ///
    /// - Throws: `unknownName`; `notEncodable`: the value stays as it was.
    public func set(_ path: String, to content: DescribedContent) throws(DescriptionError) {
        try set(path, to: .constant(content))
    }

    /// Lets a value follow a wave from now on; the phase is that of the time since the peripheral was created.
    ///
    /// - Throws: as ``set(_:to:)-(String,DescribedContent)``.
    public func set(_ path: String, to wave: Wave) throws(DescriptionError) {
        let (service, slot, characteristic) = try place(path)
        try services[service].set(wave, slot, characteristic, at: elapsed)
        let place = AttributePath(service: service, characteristic: characteristic)
        registerChanged(service)
        if description(at: place).trigger == .change { notifyChange(place) }
    }

    /// The decoded value of a characteristic, as a central would read it now, e.g. of `humidity.data`.
    ///
    /// - Throws: `unknownName`.
    public func reading(of path: String) throws(DescriptionError) -> DescribedReading {
        let names = try ValuePath(path, in: description)
        let service = try description.service(named: names.service)
        let characteristic = try service.characteristic(named: names.rest)
        let index = description.services.firstIndex { $0.name == names.service } ?? 0
        return try characteristic.decode(
            services[index].value(of: characteristic, at: elapsed), services[index].context)
    }

    private func place(
        _ path: String
    ) throws(DescriptionError) -> (service: Int, slot: Int, characteristic: Int) {
        let names = try ValuePath(path, in: description)
        _ = try description.service(named: names.service)
        let service = services.firstIndex { $0.description.name == names.service } ?? 0
        let (slot, characteristic) = try services[service].slot(names.rest)
        return (service, slot, characteristic)
    }

    var elapsed: Duration { begin.duration(to: executor.now) }

    func description(at path: AttributePath) -> CharacteristicDescription {
        description.services[path.service].characteristics[path.characteristic]
    }

    private func answer(_ input: PairingInput) -> PairingAnswer {
        guard input == .displayPasskey else { return .cancel }
        onEvent(.passkey(passkey))
        return .passkey(passkey)
    }
}
