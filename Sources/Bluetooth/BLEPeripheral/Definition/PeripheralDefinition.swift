public import BLECore
public import BLEHost
public import BLEPackets

/// The definition of a ``BLEPeripheral``: its services, advertising, security and handlers.
///
/// The handlers run on the peripheral's executor, one at a time and in the order of the events; while one runs, no
/// request is answered. They are `@Sendable`: keep their state in the values of attributes, or in a shared `Mutex`.
public struct PeripheralDefinition: Sendable {
    /// The device name: the Device Name characteristic, truncated to 31 bytes, and the Complete Local Name of the scan
    /// response.
    public var name: String
    /// The Appearance characteristic (Assigned Numbers 2.6).
    public var appearance: UInt16 = 0
    /// The services, in order; they follow GAP and GATT, which every peripheral contains.
    public var services: [ServiceDefinition]

    /// The advertising data; by default flags (general discoverable, LE only) and as many services as fit.
    public var advertisingData: AdvertisingData
    /// The scan response data; by default the name.
    public var scanResponseData: AdvertisingData
    /// The advertising interval and type.
    public var advertising = AdvertisingParameters()
    /// The peripheral advertises while fewer centrals are connected; 0: it advertises only after
    /// ``BLEPeripheral/startAdvertising()``.
    public var maximumConnections = 1

    /// The security configuration; its ``SecurityConfiguration/conduct`` is set to the peripheral's behaviour.
    public var security = SecurityConfiguration()
    /// The receive MTU of the peripheral, in bytes; 23...517. `nil`: 255 (NimBLE-Arduino's) with
    /// ``HostBehaviour/nimble``, 517 with ``HostBehaviour/specification``.
    public var preferredMTU: Int?

    /// Called when a central has connected.
    public var onConnect: (@Sendable (ConnectionInfo, _ peripheral: isolated BLEPeripheral) -> Void)?
    /// Called when a connection has ended.
    public var onDisconnect: (@Sendable (ConnectionInfo, HCIErrorCode, _ peripheral: isolated BLEPeripheral) -> Void)?
    /// Called when a pairing waits for user input: a passkey to display or to enter, numbers to compare, or out-of-band
    /// data. Returns the answer, or `nil` if ``BLEPeripheral/answerPairing(_:on:)`` follows. Without this handler such
    /// pairings are cancelled.
    public var onPairingInput:
        (@Sendable (PairingInput, ConnectionHandle, _ peripheral: isolated BLEPeripheral) -> PairingAnswer?)?
    /// Called for every event of the host, after the other handlers, e.g. for changed parameters or security, ended
    /// pairings and failures.
    public var onEvent: (@Sendable (HostEvent, _ peripheral: isolated BLEPeripheral) -> Void)?

    /// Called when a handler of an attribute has thrown an error other than an `ATTErrorCode`, sent to the client as
    /// Unlikely Error (0x0E).
    public var onHandlerError: (@Sendable (any Error, _ peripheral: isolated BLEPeripheral) -> Void)?

    /// A peripheral that advertises these services and its name, and does not request security.
    public init(name: String, services: [ServiceDefinition]) {
        self.name = name
        self.services = services
        advertisingData = AdvertisingData(
            structures: [AdvertisingData.Structure(type: .flags, data: [0x06])]
                + AdvertisingData.lists(
                    of: services.map(\.uuid), room: Self.advertisingLength - 3))
        scanResponseData = AdvertisingData(structures: [.name(name, room: Self.advertisingLength)])
    }

    /// The longest legacy advertising and scan response data, in bytes (Core 5.4, Vol 6 Part B 2.3.1).
    static let advertisingLength = 31

    /// Checks the parts that do not concern attributes.
    func check() throws(PeripheralError) {
        for (name, data) in [("advertising data", advertisingData), ("scan response data", scanResponseData)] {
            let count = data.bytes.count
            guard count <= Self.advertisingLength else {
                throw PeripheralError(
                    .invalidDefinition,
                    "\(self.name): expected \(name) of at most \(Self.advertisingLength) bytes, got \(count)")
            }
        }
        if let preferredMTU, !(23...517).contains(preferredMTU) {
            throw PeripheralError(
                .invalidDefinition, "\(name): expected a preferred MTU of 23...517, got \(preferredMTU)")
        }
    }
}

extension AdvertisingData {
    /// Lists of these service UUIDs in at most `room` bytes; a list without all UUIDs is marked as incomplete (Core
    /// Supplement v11, Part A 1.1).
    fileprivate static func lists(of uuids: [BLEUUID], room: Int) -> [Structure] {
        var room = room
        let kinds: [(width: Int, complete: ADType, incomplete: ADType)] = [
            (2, .complete16BitServiceUUIDs, .incomplete16BitServiceUUIDs),
            (16, .complete128BitServiceUUIDs, .incomplete128BitServiceUUIDs),
        ]
        return kinds.compactMap { kind in
            let all = uuids.map(\.attBytes).filter { $0.count == kind.width }
            let listed = all.prefix(max(0, room - 2) / kind.width)
            guard !listed.isEmpty else { return nil }
            room -= 2 + listed.count * kind.width
            return Structure(
                type: listed.count == all.count ? kind.complete : kind.incomplete, data: Array(listed.joined()))
        }
    }
}

extension AdvertisingData.Structure {
    /// A device name, truncated at a character boundary if it does not fit.
    fileprivate static func name(_ name: String, room: Int) -> Self {
        var shortened = name
        while shortened.utf8.count > room - 2 { shortened.removeLast() }
        return Self(
            type: shortened == name ? .completeLocalName : .shortenedLocalName, data: Array(shortened.utf8))
    }
}
