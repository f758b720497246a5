public import BLECore
public import BLEHost
public import BLEPackets

/// What a ``BLEPeripheral`` is: its services, how it advertises, what security it asks for, and its handlers.
///
/// The handlers run on the peripheral, one at a time and in the order in which things happen; while one runs, nothing
/// is answered. They have no state of their own: it is in the values of attributes, or in a `Mutex` that they share.
public struct PeripheralDefinition: Sendable {
    /// The device name: the Device Name characteristic, cut at 31 bytes, and the Complete Local Name of the scan
    /// response.
    public var name: String
    /// The Appearance characteristic (Assigned Numbers 2.6).
    public var appearance: UInt16 = 0
    /// The services, in order, after GAP and GATT, which each peripheral has.
    public var services: [ServiceDefinition]

    /// What is advertised: at first flags (general discoverable, LE only) and as many of the services as fit.
    public var advertisingData: AdvertisingData
    /// What a scanner gets that asks: at first the name.
    public var scanResponseData: AdvertisingData
    /// The advertising interval and type.
    public var advertising = AdvertisingParameters()
    /// As long as fewer centrals are connected the peripheral advertises; 0: it does not by itself.
    public var maximumConnections = 1

    /// What pairings ask for; ``SecurityConfiguration/conduct`` is the peripheral's behaviour.
    public var security = SecurityConfiguration()
    /// What the peripheral answers to an MTU exchange, in bytes; 23...517. `nil`: 255 (NimBLE-Arduino's) with
    /// ``HostBehaviour/nimble``, 517 with ``HostBehaviour/specification``.
    public var preferredMTU: Int?

    /// Called when a central has connected.
    public var onConnect: (@Sendable (ConnectionInfo, _ peripheral: isolated BLEPeripheral) -> Void)?
    /// Called when a connection has ended.
    public var onDisconnect: (@Sendable (ConnectionInfo, HCIErrorCode, _ peripheral: isolated BLEPeripheral) -> Void)?
    /// Called when a pairing waits for its user: a passkey to show or to enter, numbers to compare, or data that came
    /// out of band. Returns the answer, or `nil` when ``BLEPeripheral/answerPairing(_:on:)`` follows. Without this
    /// handler such pairings are cancelled.
    public var onPairingInput:
        (@Sendable (PairingInput, ConnectionHandle, _ peripheral: isolated BLEPeripheral) -> PairingAnswer?)?
    /// Called with every event of the host, after the other handlers: changes of parameters and security, the end of
    /// pairings, failures.
    public var onEvent: (@Sendable (HostEvent, _ peripheral: isolated BLEPeripheral) -> Void)?

    /// Called when a handler of an attribute has thrown an error other than an `ATTErrorCode`, which the client receives
    /// as Unlikely Error (0x0E).
    public var onHandlerError: (@Sendable (any Error, _ peripheral: isolated BLEPeripheral) -> Void)?

    /// A peripheral that advertises these services and its name, and asks for no security.
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
}

extension AdvertisingData {
    /// Lists of these service UUIDs that take at most `room` bytes; one that leaves out some says that it is incomplete
    /// (Core Supplement v11, Part A 1.1).
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
    /// A device name, shortened to a whole character where there is not room for all of it.
    fileprivate static func name(_ name: String, room: Int) -> Self {
        var shortened = name
        while shortened.utf8.count > room - 2 { shortened.removeLast() }
        return Self(
            type: shortened == name ? .completeLocalName : .shortenedLocalName, data: Array(shortened.utf8))
    }
}
