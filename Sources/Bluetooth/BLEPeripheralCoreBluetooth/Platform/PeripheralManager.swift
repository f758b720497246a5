#if canImport(CoreBluetooth)
    import CoreBluetooth
    import Dispatch
    import Foundation

    /// One call of CoreBluetooth's delegate.
    // SAFETY: CoreBluetooth's objects in it are compared, and passed back to the manager's queue, where they are used.
    enum ManagerEvent: @unchecked Sendable {
        case stateChanged(CBManagerState)
        case added((any Error)?)
        case advertising((any Error)?)
        case subscribed(CBCentral, CBCharacteristic, isOn: Bool)
        case read(ManagerRequest)
        case write([ManagerRequest])
        /// A value has been handed to CoreBluetooth.
        case sent
    }

    /// A request of a central, with its fields as of its arrival.
    // SAFETY: immutable; the request itself is only answered, on the manager's queue.
    struct ManagerRequest: @unchecked Sendable {
        let request: CBATTRequest
        let central: UUID
        let characteristic: CBCharacteristic
        let offset: Int
        let value: [UInt8]

        init(_ request: CBATTRequest) {
            self.request = request
            central = request.central.identifier
            characteristic = request.characteristic
            offset = request.offset
            value = [UInt8](request.value ?? Data())
        }
    }

    /// CoreBluetooth's manager on a separate queue; its calls are passed on from there.
    // SAFETY: every stored `var` is touched on the queue only; `manager` is set before CoreBluetooth calls.
    final class PeripheralManager: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
        private let queue = DispatchQueue(label: "espbench.corebluetooth.peripheral")
        private let handler: @Sendable (ManagerEvent) -> Void
        private var manager: CBPeripheralManager?
        private var centrals: [UUID: CBCentral] = [:]
        /// Values that wait for room, oldest first; the owner limits their number.
        private var updates: [(value: Data, characteristic: CBMutableCharacteristic, central: UUID?)] = []

        init(_ handler: @escaping @Sendable (ManagerEvent) -> Void) {
            self.handler = handler
            super.init()
        }

        /// Creates the manager; a state event follows.
        func start() {
            queue.async { self.manager = CBPeripheralManager(delegate: self, queue: self.queue, options: nil) }
        }

        /// Adds a service; an event follows.
        func add(_ services: Services, at index: Int) {
            queue.async { self.manager?.add(services.mutable[index]) }
        }

        /// Starts advertising; an event follows.
        func advertise(name: String?, services: [CBUUIDText]) {
            queue.async {
                var data: [String: Any] = [
                    CBAdvertisementDataServiceUUIDsKey: services.map { CBUUID(string: $0.rawValue) }
                ]
                if let name { data[CBAdvertisementDataLocalNameKey] = name }
                self.manager?.startAdvertising(data)
            }
        }

        /// Withdraws everything.
        func stop() {
            queue.async {
                self.manager?.stopAdvertising()
                self.manager?.removeAllServices()
                self.manager?.delegate = nil
                self.manager = nil
                self.updates = []
            }
        }

        /// Answers a read.
        func respond(to request: ManagerRequest, _ code: UInt8, _ value: [UInt8] = []) {
            queue.async {
                request.request.value = Data(value)
                self.manager?.respond(
                    to: request.request, withResult: CBATTError.Code(rawValue: Int(code)) ?? .unlikelyError)
            }
        }

        /// Sends a value to subscribed centrals, or to one; ``ManagerEvent/sent`` follows.
        func update(_ value: [UInt8], of characteristic: Services.Value, to central: UUID?) {
            queue.async {
                self.updates.append((Data(value), characteristic.mutable, central))
                self.sendUpdates()
            }
        }

        private func sendUpdates() {
            while let update = updates.first, let manager {
                let targets = update.central.map { [centrals[$0]].compactMap(\.self) }
                // An empty array would mean all centrals: skip a central that is gone.
                if targets?.isEmpty != true,
                    !manager.updateValue(
                        update.value, for: update.characteristic, onSubscribedCentrals: targets)
                {
                    return
                }
                updates.removeFirst()
                handler(.sent)
            }
        }

        // MARK: CBPeripheralManagerDelegate

        func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
            handler(.stateChanged(peripheral.state))
        }

        func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
            handler(.advertising(error))
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
            handler(.added(error))
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
        ) {
            centrals[central.identifier] = central
            handler(.subscribed(central, characteristic, isOn: true))
        }

        func peripheralManager(
            _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
        ) {
            handler(.subscribed(central, characteristic, isOn: false))
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
            handler(.read(ManagerRequest(request)))
        }

        func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
            handler(.write(requests.map(ManagerRequest.init)))
        }

        func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { sendUpdates() }
    }
#endif
