#if canImport(CoreBluetooth)
    import BLECentral
    import BLECentralCoreBluetooth
    import BLECore
    import BLEPackets
    public import BLEPeripheral
    public import BenchExecutor
    import CoreBluetooth
    import Foundation

    /// macOS's own Bluetooth stack in the peripheral role (CBPeripheralManager).
    ///
    /// macOS advertises only the name and the services, supports no descriptors other than descriptions and formats,
    /// handles pairing, and does not report connections. Not run so far: only type-checked against a stub of the
    /// framework.
    public actor CoreBluetoothPeripheral: PeripheralBackend {
        /// The bench's executor.
        public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        /// Limit of values waiting for CoreBluetooth.
        private static let limit = 32

        /// The published services and advertisement.
        private struct Publication {
            let manager: PeripheralManager
            let definition: PeripheralDefinition
            let services: Services
            let handlers: PeripheralHandlers
            var values: [AttributePath: [UInt8]]
            var isComplete = false
            var waiting = 0
            var isAwaitingRoom = false
        }

        private let executor: BenchExecutor
        private var publication: Publication?
        /// The number of the publication: events for an earlier one are ignored.
        private var number = 0
        /// The call of ``publish(_:_:)`` that waits for an event.
        private var waiter: CheckedContinuation<Result<Void, any Error>, Never>?

        /// A peripheral that is off; macOS asks the user for permission at the first publication.
        ///
        /// - Parameter executor: an executor in real time.
        public init(executor: BenchExecutor) {
            self.executor = executor
        }

        // MARK: Publishing

        /// Waits until macOS permits the use of Bluetooth, adds the services and starts advertising.
        ///
        /// - Throws: `CentralError` `unavailable` if Bluetooth is off, not permitted for this program, or missing;
        ///   ``PeripheralError``: `invalidDefinition`, `unsupported`, `refused`.
        public func publish(_ definition: PeripheralDefinition, _ handlers: PeripheralHandlers) async throws {
            try definition.checkForBackend()
            let services = try Services(definition)
            await close()
            number += 1
            let (executor, number) = (executor, number)
            let manager = PeripheralManager { [weak self] event in
                executor.post { [weak self] in self?.assumeIsolated { $0.handle(event, of: number) } }
            }
            let values = definition.attributes.map { path in
                (path, definition.descriptor(at: path)?.value ?? definition.characteristic(at: path)?.value ?? [])
            }
            publication = Publication(
                manager: manager, definition: definition, services: services, handlers: handlers,
                values: Dictionary(uniqueKeysWithValues: values))
            do {
                try await wait { manager.start() }
                for index in services.mutable.indices { try await wait { manager.add(services, at: index) } }
                let data = AdvertisingData(
                    structures: definition.advertisingData.structures + definition.scanResponseData.structures)
                let uuids = data.serviceUUIDs.map { CBUUIDText(rawValue: $0.description) }
                try await wait { manager.advertise(name: data.localName, services: uuids) }
            } catch {
                await close()
                throw error
            }
            publication?.isComplete = true
        }

        private func wait(_ begin: () -> Void) async throws {
            let result = await withCheckedContinuation { continuation in
                waiter = continuation
                begin()
            }
            try result.get()
        }

        private func finish(_ result: Result<Void, any Error>) {
            waiter?.resume(returning: result)
            waiter = nil
        }

        /// Stops advertising, and removes the services.
        public func close() async {
            publication?.manager.stop()
            publication = nil
            finish(.failure(PeripheralError(.stopped, "CoreBluetooth: it was withdrawn")))
        }

        // MARK: Values

        /// Stores a value without notifying centrals; on the bench's executor.
        public nonisolated func setValue(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError) {
            try assumeIsolated { peripheral in
                Result { () throws(PeripheralError) in
                    try peripheral.published().definition.check(value, of: attribute)
                    peripheral.publication?.values[attribute] = value
                }
            }.get()
        }

        /// Sends a value to subscribed centrals; on the bench's executor. At most 32 values wait for CoreBluetooth.
        @discardableResult
        public nonisolated func notify(
            _ value: [UInt8], of attribute: AttributePath, to central: RemoteCentral?
        ) throws(PeripheralError) -> Bool {
            try assumeIsolated { peripheral in
                Result { () throws(PeripheralError) in try peripheral.send(value, of: attribute, to: central) }
            }.get()
        }

        private func published() throws(PeripheralError) -> Publication {
            guard let publication, publication.isComplete else {
                throw PeripheralError(.stopped, "CoreBluetooth: nothing is published")
            }
            return publication
        }

        private func send(
            _ value: [UInt8], of path: AttributePath, to central: RemoteCentral?
        ) throws(PeripheralError) -> Bool {
            let current = try published()
            _ = try current.definition.checkNotification(value, of: path)
            guard let characteristic = current.services.value(at: path) else { return true }
            guard current.waiting < Self.limit else {
                publication?.isAwaitingRoom = true
                return false
            }
            let target = central.map { UUID(uuidString: $0.description) }
            // Not a central of CoreBluetooth: there is no UUID.
            if case .some(nil) = target { return true }
            publication?.waiting += 1
            current.manager.update(value, of: characteristic, to: target ?? nil)
            return true
        }

        // MARK: Events

        private func handle(_ event: ManagerEvent, of number: Int) {
            guard number == self.number, let publication else { return }
            switch event {
            case .stateChanged(let state): stateChanged(state, publication)
            case .added(let error): finish(error, "add a service")
            case .advertising(let error): finish(error, "advertise")
            case .subscribed(let central, let characteristic, let isOn):
                guard let path = publication.services.path(of: characteristic) else { return }
                let isNotified = publication.definition.characteristic(at: path)?.properties.contains(.notify) == true
                let subscription: Subscription = isNotified ? .notifications : .indications
                publication.handlers.onSubscribe(
                    isOn ? subscription : .none, path, RemoteCentral(central.identifier.uuidString))
            case .read(let request): read(request, publication)
            case .write(let requests): write(requests, publication)
            case .sent:
                self.publication?.waiting -= 1
                guard publication.isAwaitingRoom else { return }
                self.publication?.isAwaitingRoom = false
                publication.handlers.onEvent(.roomAvailable)
            }
        }

        private func stateChanged(_ state: CBManagerState, _ publication: Publication) {
            // The state is not known yet: another call follows.
            guard state != .unknown, state != .resetting || publication.isComplete else { return }
            guard let error = CentralError(state) else { return finish(.success(())) }
            finish(.failure(error))
            guard publication.isComplete else { return }
            publication.manager.stop()
            self.publication = nil
            publication.handlers.onEvent(.failed(error))
        }

        private func finish(_ error: (any Error)?, _ operation: String) {
            guard let error else { return finish(.success(())) }
            finish(.failure(PeripheralError(.refused, "\(operation): \(error.localizedDescription)")))
        }

        private func read(_ request: ManagerRequest, _ publication: Publication) {
            do {
                guard let path = publication.services.path(of: request.characteristic) else {
                    throw ATTErrorCode.invalidHandle
                }
                if request.offset == 0,
                    let value = try publication.handlers.onRead(path, RemoteCentral(request.central.uuidString))
                {
                    try publication.definition.check(value, of: path)
                    self.publication?.values[path] = value
                }
                let value = self.publication?.values[path] ?? []
                guard (0...value.count).contains(request.offset) else { throw ATTErrorCode.invalidOffset }
                publication.manager.respond(to: request, 0, Array(value.dropFirst(request.offset)))
            } catch {
                publication.manager.respond(to: request, Self.code(error))
            }
        }

        /// Writes all parts of a request, up to the first refused one; CoreBluetooth sends one answer for all of them.
        private func write(_ requests: [ManagerRequest], _ publication: Publication) {
            guard let first = requests.first else { return }
            do {
                for request in requests {
                    guard let path = publication.services.path(of: request.characteristic) else {
                        throw ATTErrorCode.invalidHandle
                    }
                    let former = self.publication?.values[path] ?? []
                    guard (0...former.count).contains(request.offset) else { throw ATTErrorCode.invalidOffset }
                    let value = former.prefix(request.offset) + request.value
                    guard value.count <= publication.definition.characteristic(at: path)?.maximumLength ?? 0 else {
                        throw ATTErrorCode.invalidAttributeValueLength
                    }
                    // Store the value before calling the handler, which may set another value.
                    self.publication?.values[path] = Array(value)
                    do {
                        try publication.handlers.onWrite(Array(value), path, RemoteCentral(request.central.uuidString))
                    } catch {
                        self.publication?.values[path] = former
                        throw error
                    }
                }
                publication.manager.respond(to: first, 0)
            } catch {
                publication.manager.respond(to: first, Self.code(error))
            }
        }

        private static func code(_ error: any Error) -> UInt8 {
            (error as? ATTErrorCode ?? .unlikelyError).rawValue
        }
    }
#endif
