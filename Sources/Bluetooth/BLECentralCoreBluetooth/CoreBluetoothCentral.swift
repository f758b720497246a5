#if canImport(CoreBluetooth)
    public import BLECentral
    import BLECore
    internal import CoreBluetooth
    import Foundation

    /// The central of macOS's own Bluetooth stack.
    ///
    /// It has few of the optional abilities: CoreBluetooth hides addresses, handles, ATT errors that cause its own
    /// pairing, and the reasons of disconnections; it pairs unasked, with dialogs for the user. This backend has not
    /// been run so far, only type-checked against a stub of the framework.
    public actor CoreBluetoothCentral: CentralBackend {
        private let executor = QueueExecutor("espbench.corebluetooth")
        /// The central's queue, on which CoreBluetooth calls its delegate.
        public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        /// The events of the stack.
        public nonisolated let events = CentralEventQueue()
        /// The few optional abilities of CoreBluetooth.
        public nonisolated var abilities: Set<CentralAbility> { [.connectionRSSI, .directConnection] }

        private var manager: CBCentralManager?
        private var delegate: CoreBluetoothDelegate?
        /// Calls of ``powerOn()`` that wait for the state.
        private var poweringOn: [CheckedContinuation<Result<Void, CentralError>, Never>] = []
        /// True if Bluetooth was on when its state was last reported.
        private var isUsable = false
        var filter = ScanFilter()
        /// The peripherals that were reported or connected: CoreBluetooth forgets peripherals that are not retained.
        var known: [PeerID: CBPeripheral] = [:]
        /// The latest reported data, by peer.
        var reported: [PeerID: AdvertisingData] = [:]
        private var attempts: [CoreBluetoothAttempt] = []
        private var links: [CoreBluetoothLink] = []
        private var lastConnection: UInt32 = 0

        /// A central that is off; macOS asks the user for permission at ``powerOn()``.
        public init() {}

        // MARK: Power

        /// Waits until macOS reports whether Bluetooth can be used.
        ///
        /// - Throws: code `unavailable` when Bluetooth is off, not permitted for this program, or missing.
        public func powerOn() async throws(CentralError) {
            if manager == nil {
                let delegate = CoreBluetoothDelegate(self)
                self.delegate = delegate
                manager = CBCentralManager(delegate: delegate, queue: executor.queue, options: nil)
            }
            let result = await withCheckedContinuation { continuation in
                poweringOn.append(continuation)
                stateChanged()
            }
            try result.get()
        }

        /// The manager, if Bluetooth can be used.
        func available() throws(CentralError) -> CBCentralManager {
            guard let manager else { throw CentralError(.invalidState, "Bluetooth: expected power on first") }
            if let error = CentralError(manager.state) { throw error }
            return manager
        }

        private func stateChanged() {
            guard let manager else { return }
            // The state is not known yet: another call follows.
            guard manager.state != .unknown, manager.state != .resetting || poweringOn.isEmpty else { return }
            let error = CentralError(manager.state)
            for continuation in poweringOn {
                continuation.resume(returning: error.map { .failure($0) } ?? .success(()))
            }
            let wasUsable = isUsable
            (poweringOn, isUsable) = ([], error == nil)
            guard let error else { return }
            for attempt in attempts { attempt.continuation.resume(returning: .failure(error)) }
            attempts = []
            for link in links { end(link, error) }
            // If Bluetooth was not on before, ``powerOn()`` throws the error, and no event is posted.
            if wasUsable { events.post(.failed(error)) }
        }

        // MARK: Connecting

        /// Connects to a peer that was reported while scanning, or that macOS knows; cancelling the task ends the
        /// attempt.
        public func connect(to peer: PeerID, within timeout: Duration) async throws(CentralError) -> ConnectionID {
            let manager = try available()
            guard let peripheral = peripheral(peer, manager) else {
                throw CentralError(
                    .invalidState, "connect to \(peer): expected a peer that was scanned, got one macOS does not know")
            }
            guard !links.contains(where: { $0.peripheral === peripheral }),
                !attempts.contains(where: { $0.peripheral === peripheral })
            else { throw CentralError(.invalidState, "connect to \(peer): expected no connection, got one") }
            let number = UUID()
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    attempts.append(CoreBluetoothAttempt(number, peripheral, continuation))
                    manager.connect(peripheral, options: nil)
                    executor.queue.asyncAfter(deadline: .now() + timeout.timeInterval) {
                        self.assumeIsolated { $0.cancelAttempt(number, "expected a connection in time, got none") }
                    }
                }
            } onCancel: {
                executor.queue.async { self.assumeIsolated { $0.cancelAttempt(number, "it was cancelled") } }
            }
            return try result.get()
        }

        private func peripheral(_ peer: PeerID, _ manager: CBCentralManager) -> CBPeripheral? {
            if let peripheral = known[peer] { return peripheral }
            guard let identifier = UUID(uuidString: peer.description) else { return nil }
            let peripheral = manager.retrievePeripherals(withIdentifiers: [identifier]).first
            known[peer] = peripheral
            return peripheral
        }

        private func cancelAttempt(_ number: UUID, _ reason: String) {
            guard let index = attempts.firstIndex(where: { $0.number == number }) else { return }
            let attempt = attempts.remove(at: index)
            manager?.cancelPeripheralConnection(attempt.peripheral)
            let peer = PeerID(opaque: attempt.peripheral.identifier.uuidString)
            attempt.continuation.resume(returning: .failure(CentralError(.timedOut, "connect to \(peer): \(reason)")))
        }

        private func attempt(_ peripheral: CBPeripheral) -> CoreBluetoothAttempt? {
            guard let index = attempts.firstIndex(where: { $0.peripheral === peripheral }) else { return nil }
            return attempts.remove(at: index)
        }

        private func connected(_ peripheral: CBPeripheral) {
            // If there is no attempt, it was cancelled.
            guard let attempt = attempt(peripheral) else { return }
            lastConnection += 1
            let link = CoreBluetoothLink(ConnectionID(rawValue: lastConnection), peripheral)
            links.append(link)
            peripheral.delegate = delegate
            // The header of a Write Command has 3 bytes.
            let mtu = peripheral.maximumWriteValueLength(for: .withoutResponse) + 3
            events.post(.mtuChanged(link.id, mtu))
            attempt.continuation.resume(returning: .success(link.id))
        }

        /// Ends a connection; returns when macOS has reported its end.
        public func disconnect(_ connection: ConnectionID) async throws(CentralError) {
            let manager = try available()
            let link = try link(connection)
            await withCheckedContinuation { continuation in
                link.disconnecting.append(continuation)
                manager.cancelPeripheralConnection(link.peripheral)
            }
        }

        private func end(_ link: CoreBluetoothLink, _ error: CentralError) {
            links.removeAll { $0 === link }
            link.abandon(error)
            events.post(.disconnected(link.id, reason: nil))
        }

        func link(_ connection: ConnectionID) throws(CentralError) -> CoreBluetoothLink {
            guard let link = links.first(where: { $0.id == connection }) else {
                throw CentralError(
                    .notConnected, "connection \(connection.rawValue): expected an open connection, got none")
            }
            return link
        }

        // MARK: Delegate

        func handle(_ event: CoreBluetoothEvent) {
            switch event {
            case .stateChanged: stateChanged()
            case .discovered(let peripheral, let data, let rssi): discovered(peripheral, data, rssi)
            case .connected(let peripheral): connected(peripheral)
            case .failedToConnect(let peripheral, let error):
                attempt(peripheral)?.continuation.resume(returning: .failure(CentralError(error, "connect")))
            case .disconnected(let peripheral, let error):
                // Also ends an attempt that CoreBluetooth had reported as connected.
                attempt(peripheral)?.continuation.resume(returning: .failure(CentralError(error, "connect")))
                guard let link = links.first(where: { $0.peripheral === peripheral }) else { return }
                end(link, CentralError(error, "connection \(link.id.rawValue)", .disconnected(reason: nil)))
            case .servicesChanged(let peripheral, let services): of(peripheral)?.forget(services)
            case .value(let peripheral, let characteristic, let error):
                valueChanged(of: characteristic, error, on: of(peripheral))
            case .rssi(let peripheral, let rssi, let error):
                let link = of(peripheral)
                link?.rssi = rssi
                link?.finish(.rssi, error.map { .failure(CentralError($0, "read the RSSI")) } ?? .success(()))
            case .readyToWrite(let peripheral): of(peripheral)?.finish(.roomForWrite, .success(()))
            case .finished(let peripheral, let request, let error):
                let result: Result<Void, CentralError> =
                    error.map { .failure(CentralError($0, request.description)) } ?? .success(())
                of(peripheral)?.finish(request, result)
            }
        }

        private func of(_ peripheral: CBPeripheral) -> CoreBluetoothLink? {
            links.first { $0.peripheral === peripheral }
        }

        /// Handles the answer to a read, or a notification: CoreBluetooth does not distinguish them. While a read is
        /// pending, the value counts as its answer.
        private func valueChanged(
            of characteristic: CBCharacteristic, _ error: (any Error)?, on link: CoreBluetoothLink?
        ) {
            guard let link else { return }
            let request = CoreBluetoothRequest.read(ObjectIdentifier(characteristic))
            if link.isPending(request) {
                link.finish(request, error.map { .failure(CentralError($0, "read")) } ?? .success(()))
            } else if error == nil, let id = link.id(of: characteristic) {
                events.post(
                    .notification(
                        link.id, id, value: [UInt8](characteristic.value ?? Data()),
                        isIndication: !characteristic.properties.contains(.notify)))
            }
        }
    }

    /// A pending call of `connect`.
    struct CoreBluetoothAttempt {
        let number: UUID
        let peripheral: CBPeripheral
        let continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>

        init(
            _ number: UUID, _ peripheral: CBPeripheral,
            _ continuation: CheckedContinuation<Result<ConnectionID, CentralError>, Never>
        ) {
            self.number = number
            self.peripheral = peripheral
            self.continuation = continuation
        }
    }

    extension Duration {
        /// In seconds.
        fileprivate var timeInterval: Double {
            Double(components.seconds) + Double(components.attoseconds) / 1e18
        }
    }
#endif
