#if canImport(CoreBluetooth)
    import BLECentral
    internal import CoreBluetooth

    /// A pending request on a connection; attributes are identified by their objects.
    enum CoreBluetoothRequest: Hashable, Sendable {
        case services
        case characteristics(ObjectIdentifier)
        case descriptors(ObjectIdentifier)
        case read(ObjectIdentifier)
        case write(ObjectIdentifier)
        case subscription(ObjectIdentifier)
        case roomForWrite
        case rssi
    }

    /// One connection of a ``CoreBluetoothCentral``, on its queue.
    final class CoreBluetoothLink {
        enum Attribute {
            case characteristic(CBCharacteristic)
            case descriptor(CBDescriptor)

            var object: AnyObject {
                switch self {
                case .characteristic(let characteristic): characteristic
                case .descriptor(let descriptor): descriptor
                }
            }
        }

        typealias Waiter = CheckedContinuation<Result<Void, CentralError>, Never>

        let id: ConnectionID
        let peripheral: CBPeripheral
        private(set) var attributes: [AttributeID: Attribute] = [:]
        private var lastAttribute: UInt16 = 0
        /// The pending request.
        private var pending: (request: CoreBluetoothRequest, waiter: Waiter)?
        /// Why the connection has ended.
        private var ending: CentralError?
        /// True if an operation runs; further ones wait in order.
        private var isBusy = false
        private var turns: [CheckedContinuation<Void, Never>] = []
        /// The strength that was read last.
        var rssi = Advertisement.unknownRSSI
        /// Calls of `disconnect`.
        var disconnecting: [CheckedContinuation<Void, Never>] = []

        init(_ id: ConnectionID, _ peripheral: CBPeripheral) {
            self.id = id
            self.peripheral = peripheral
        }

        /// The number of an attribute; the same object always has the same number.
        func id(of attribute: Attribute) -> AttributeID {
            if let known = id(of: attribute.object) { return known }
            lastAttribute &+= 1
            let id = AttributeID(rawValue: lastAttribute)
            attributes[id] = attribute
            return id
        }

        func id(of object: AnyObject) -> AttributeID? {
            attributes.first { $0.value.object === object }?.key
        }

        /// Forgets the attributes of services that the peer has changed.
        func forget(_ services: [CBService]) {
            let characteristics = services.flatMap { $0.characteristics ?? [] }
            let gone = characteristics.flatMap { [$0 as AnyObject] + ($0.descriptors ?? []).map { $0 as AnyObject } }
            attributes = attributes.filter { entry in !gone.contains { $0 === entry.value.object } }
        }

        // MARK: Turns

        /// True if the next operation may begin at once; otherwise it waits by ``wait(_:)``.
        func tryBegin() -> Bool {
            guard !isBusy else { return false }
            isBusy = true
            return true
        }

        func wait(_ turn: CheckedContinuation<Void, Never>) { turns.append(turn) }

        /// Ends an operation; the next one begins.
        func end() {
            if turns.isEmpty { isBusy = false } else { turns.removeFirst().resume() }
        }

        // MARK: Requests

        func expect(_ request: CoreBluetoothRequest, _ waiter: Waiter) {
            if let ending { waiter.resume(returning: .failure(ending)) } else { pending = (request, waiter) }
        }

        /// Completes the pending request, if it is this one.
        func finish(_ request: CoreBluetoothRequest, _ result: Result<Void, CentralError>) {
            guard let pending, pending.request == request else { return }
            self.pending = nil
            pending.waiter.resume(returning: result)
        }

        func isPending(_ request: CoreBluetoothRequest) -> Bool { pending?.request == request }

        /// Marks the connection as ended, and ends the pending request with `error`.
        func abandon(_ error: CentralError) {
            ending = error
            pending?.waiter.resume(returning: .failure(error))
            pending = nil
            for waiter in disconnecting { waiter.resume() }
            disconnecting = []
        }
    }
#endif
