public import BenchExecutor
import BLECore
public import BLEDescriptions
import BLEHost
import BLEPackets
public import BLEPeripheral
import MonotonicTime

/// A peripheral that behaves according to its description: a program sets its values, or they follow waves.
///
/// ```swift
/// let tag = try SimulatedPeripheral(.sensorTag, on: HCIPeripheral(on: port, executor: executor), executor: executor)
/// try await tag.start()
/// try await tag.set("humidity.relative", to: 40.2)
/// try await tag.set("temperature.ambient", to: .sine(20...25, period: .seconds(60)))
/// ```
///
/// A characteristic is notified while a central is subscribed: at the interval of its service's period register while
/// the sensor is on, at a fixed interval, or when its value is set. If the stack's queue is full, a periodic value is
/// skipped; up to ``longestQueue`` set values wait, and beyond that the oldest are dropped (``droppedValues``).
public actor SimulatedPeripheral {
    /// The description of the peripheral.
    public nonisolated let description: PeripheralDescription
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Limit of values waiting for room in the stack's queue.
    public static let longestQueue = 1024

    let executor: BenchExecutor
    let backend: any PeripheralBackend
    let onEvent: @Sendable (SimulationEvent) -> Void
    private nonisolated let definition: PeripheralDefinition
    private let passkey: UInt32
    var services: [SimulatedService]
    /// The subscriptions by characteristic; all centrals that the stack hides count as one.
    var subscribers: [AttributePath: Set<RemoteCentral?>] = [:]
    /// The subscribed characteristics that are notified at intervals, and when each is due next.
    private var periodic: [(path: AttributePath, due: MonotonicInstant)] = []
    private var alarm: Alarm
    /// Set values that wait for room in the stack's queue.
    var queue: [(path: AttributePath, value: [UInt8])] = []
    /// The number of set values that were dropped unsent.
    public internal(set) var droppedValues = 0
    private let begin: MonotonicInstant

    /// A peripheral that is not published yet.
    ///
    /// - Parameters:
    ///   - backend: the Bluetooth stack, e.g. an `HCIPeripheral` on the virtual air.
    ///   - name: the device name; `nil`: the description's.
    ///   - seed: the seed of random waves and of the passkey of pairings.
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
        alarm = Alarm(executor)
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

    /// Publishes the peripheral: it advertises, and centrals can use it.
    ///
    /// - Throws: the errors of ``BLEPeripheral/PeripheralBackend/publish(_:_:)``.
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

    /// Withdraws the peripheral.
    public func stop() async {
        forgetSubscriptions()
        await backend.close()
    }

    /// Sets a value, e.g. `humidity.relative`; notifies it if the description requires it.
    ///
    /// - Throws: `unknownName`; `notEncodable`, with the value unchanged.
    public func set(_ path: String, to content: DescribedContent) throws(DescriptionError) {
        try set(path, to: .constant(content))
    }

    /// Lets a value follow a wave from now on; its phase is computed from the creation of the peripheral.
    ///
    /// - Throws: the errors of ``set(_:to:)-(String,DescribedContent)``.
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

/// Handles operations of centrals, and computes the values sent to them.
extension SimulatedPeripheral {
    func read(_ path: AttributePath) throws -> [UInt8]? {
        guard path.descriptor == nil else { return nil }
        let characteristic = description(at: path)
        guard !characteristic.values.isEmpty else { return nil }
        let value = try services[path.service].value(of: characteristic, at: elapsed)
        onEvent(.read(characteristic, value))
        return value
    }

    func write(_ value: [UInt8], _ path: AttributePath) throws {
        guard path.descriptor == nil else { return }
        let characteristic = description(at: path)
        let changed: [Int]
        do {
            changed = try services[path.service].write(value, to: path.characteristic)
        } catch {
            onEvent(.refused(characteristic, value))
            throw error
        }
        onEvent(.written(characteristic, value))
        registerChanged(path.service)
        for index in changed {
            let place = AttributePath(service: path.service, characteristic: index)
            if description(at: place).trigger == .change { notifyChange(place) }
        }
    }

    func subscribe(_ subscription: Subscription, _ path: AttributePath, _ central: RemoteCentral?) {
        let wasSubscribed = isSubscribed(path)
        if subscription == .none {
            subscribers[path]?.remove(central)
        } else {
            subscribers[path, default: []].insert(central)
        }
        guard isSubscribed(path) != wasSubscribed else { return }
        onEvent(.subscribed(description(at: path), !wasSubscribed))
        schedule(path)
    }

    func isSubscribed(_ path: AttributePath) -> Bool { !(subscribers[path]?.isEmpty ?? true) }

    func handle(_ event: PeripheralEvent) {
        switch event {
        case .connected(let central): onEvent(.connected(central))
        case .disconnected(let central):
            // A stack that names the subscribed central has already ended its subscriptions.
            onEvent(.disconnected(central))
        case .passkeyDisplayed(let passkey, _): onEvent(.passkey(passkey))
        case .roomAvailable: sendQueue()
        case .failed(let error):
            forgetSubscriptions()
            onEvent(.failed(error))
        }
    }

    // MARK: Notifications

    /// Restarts the notification intervals after a write to a register.
    func registerChanged(_ service: Int) {
        for path in Array(subscribers.keys) where path.service == service && description(at: path).trigger == .period {
            schedule(path)
        }
    }

    private func schedule(_ path: AttributePath) {
        periodic.removeAll { $0.path == path }
        if isSubscribed(path), let interval = interval(of: path) {
            periodic.append((path, executor.now.advanced(by: interval)))
        }
        setAlarm()
    }

    private func forgetSubscriptions() {
        subscribers = [:]
        queue = []
        periodic = []
        alarm.cancel()
    }

    /// The interval of a characteristic's periodic notifications; `nil` while it has none.
    private func interval(of path: AttributePath) -> Duration? {
        switch description(at: path).trigger {
        case .every(let time): return time
        case .period: return services[path.service].isOn ? services[path.service].period : nil
        case .change, nil: return nil
        }
    }

    private func setAlarm() {
        alarm.set(periodic.lazy.map(\.due).min(), { [weak self] in self?.assumeIsolated { $0.wake() } })
    }

    private func wake() {
        alarm.fired()
        let now = executor.now
        var due: [AttributePath] = []
        for index in periodic.indices.reversed() where periodic[index].due <= now {
            let path = periodic[index].path
            if let interval = interval(of: path) {
                periodic[index].due = now.advanced(by: interval)
                due.append(path)
            } else {
                periodic.remove(at: index)
            }
        }
        due.reverse()
        setAlarm()
        for path in due {
            guard let value = try? services[path.service].value(of: description(at: path), at: elapsed), !value.isEmpty
            else { continue }
            // If there is no room, skips the value: the next one is newer.
            _ = try? backend.notify(value, of: path)
        }
    }

    /// Sends the value of a characteristic that was just set.
    func notifyChange(_ path: AttributePath) {
        guard isSubscribed(path),
            let value = try? services[path.service].value(of: description(at: path), at: elapsed), !value.isEmpty
        else { return }
        queue.append((path, value))
        if queue.count > Self.longestQueue {
            queue.removeFirst()
            droppedValues += 1
        }
        sendQueue()
    }

    private func sendQueue() {
        while let next = queue.first {
            guard (try? backend.notify(next.value, of: next.path)) ?? true else { return }
            queue.removeFirst()
        }
    }
}

/// An event at a simulated peripheral.
public enum SimulationEvent: Sendable {
    /// A central has connected.
    case connected(RemoteCentral)
    /// A connection has ended.
    case disconnected(RemoteCentral)
    /// A central has read a characteristic.
    case read(CharacteristicDescription, [UInt8])
    /// A central has written a characteristic.
    case written(CharacteristicDescription, [UInt8])
    /// A central's write was refused: the bytes do not match the description.
    case refused(CharacteristicDescription, [UInt8])
    /// A characteristic has subscribed centrals (true), or no longer (false).
    case subscribed(CharacteristicDescription, Bool)
    /// The passkey to be entered by the central's user.
    case passkey(UInt32)
    /// The Bluetooth stack is gone: nothing is published.
    case failed(any Error)
}

extension PeripheralDefinition {
    /// The services, advertising and security of a described peripheral, with empty values.
    ///
    /// - Parameter name: the device name; `nil`: the first advertised name of the description, or the description's
    ///   own.
    public init(_ description: PeripheralDescription, name: String? = nil) {
        let name = name ?? description.advertisedNames.first ?? description.name
        self.init(name: name, services: description.services.map(ServiceDefinition.init))
        if let advertised = description.advertisedServices {
            // The lists of service UUIDs follow the flags.
            let all = PeripheralDefinition(name: name, services: advertised.map { ServiceDefinition($0, []) })
            advertisingData = all.advertisingData
        }
        let needs = services.flatMap(\.characteristics).flatMap { [$0.readNeeds, $0.writeNeeds] }
        guard needs.contains(where: { $0 != .none }) else { return }
        let isAuthenticated = needs.contains(.authenticated)
        security.bonding = true
        security.secureConnections = true
        security.mitm = isAuthenticated
        security.ioCapability = isAuthenticated ? .displayOnly : .noInputNoOutput
    }
}

extension ServiceDefinition {
    fileprivate init(_ service: ServiceDescription) {
        self.init(service.uuid, service.characteristics.map(CharacteristicDefinition.init))
    }
}

extension CharacteristicDefinition {
    fileprivate init(_ characteristic: CharacteristicDescription) {
        let label = BLEUUID(0x2901)
        var descriptors = characteristic.descriptors.map { uuid in
            DescriptorDefinition(uuid, value: uuid == label ? Array((characteristic.label ?? "").utf8) : [])
        }
        if let text = characteristic.label, !characteristic.descriptors.contains(label) {
            descriptors.insert(DescriptorDefinition(label, value: Array(text.utf8)), at: 0)
        }
        self.init(
            characteristic.uuid, characteristic.properties, readNeeds: characteristic.readNeeds,
            writeNeeds: characteristic.writeNeeds, descriptors: descriptors)
    }
}
