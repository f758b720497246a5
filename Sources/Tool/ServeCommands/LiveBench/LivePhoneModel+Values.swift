internal import ByteCodec
import Bench
import BLEAssignedNumbers
internal import BLECentral
internal import BLEClients
internal import BLECore
internal import BLEDescriptions
import CommandSupport
import LivePage
import MonotonicTime

/// The services of the peer, and their values.
extension LivePhoneModel {
    func view(_ service: Service) -> PhoneState.Service {
        PhoneState.Service(
            uuid: "\(service.uuid)", name: names.service(service.uuid),
            characteristics: service.characteristics.map { characteristic in
                PhoneState.Characteristic(
                    id: "\(characteristic.discovered.value.rawValue)", uuid: "\(characteristic.uuid)",
                    name: names.characteristic(characteristic.uuid),
                    properties: CharacteristicProperties.named.filter {
                        characteristic.properties.contains($0.property)
                    }.map(\.name))
            })
    }

    private func characteristic(_ id: String) throws(Refusal) -> (Characteristic, BLEUUID) {
        _ = try connected()
        for service in services {
            for characteristic in service.characteristics where "\(characteristic.discovered.value.rawValue)" == id {
                return (characteristic, service.uuid)
            }
        }
        throw Refusal("the peer has no characteristic \(id)")
    }

    private func change(_ id: String, _ body: (inout PhoneState.Characteristic) -> Void) {
        for service in state.services.indices {
            for index in state.services[service].characteristics.indices
            where state.services[service].characteristics[index].id == id {
                body(&state.services[service].characteristics[index])
            }
        }
    }

    private func show(_ value: [UInt8], of id: String, _ characteristic: BLEUUID, _ service: BLEUUID) {
        let text =
            interpreter.text(value, of: characteristic, in: service) ?? ShownValue.text(value).map { "\"\($0)\"" }
        change(id) {
            $0.value = value.hexText
            $0.text = text
            $0.count += 1
        }
    }

    func read(_ id: String) async throws {
        let (characteristic, service) = try characteristic(id)
        run { phone in
            let value = try await characteristic.read()
            phone.show(value, of: id, characteristic.uuid, service)
            phone.tell("Read \(value.count) byte\(value.count == 1 ? "" : "s").")
        }
    }

    func write(_ value: [UInt8], to id: String, hasResponse: Bool) async throws {
        let (characteristic, _) = try characteristic(id)
        run { phone in
            try await characteristic.write(value, hasResponse ? .withResponse : .withoutResponse)
            phone.tell("Wrote \(value.count) byte\(value.count == 1 ? "" : "s").")
        }
    }

    func subscribe(_ id: String, _ isOn: Bool) async throws {
        let (characteristic, service) = try characteristic(id)
        guard isOn else {
            subscriptions.removeValue(forKey: id)?.cancel()
            change(id) { $0.isSubscribed = false }
            return
        }
        guard subscriptions[id] == nil else { return }
        run { phone in
            let values = try await characteristic.values()
            phone.change(id) { $0.isSubscribed = true }
            phone.tell("Subscribed.")
            phone.subscriptions[id] = Task(executorPreference: phone.central.executor) {
                do {
                    for try await value in values { await phone.show(value, of: id, characteristic.uuid, service) }
                } catch {
                    // The connection is lost, which the phone's state reports.
                }
            }
        }
    }
}

extension [UInt8] {
    /// Pairs of hexadecimal digits with spaces between them.
    fileprivate var hexText: String {
        Hexadecimal.string(self, separator: " ").uppercased()
    }
}

/// The calculator's client and the lock's, each of which finds its peripheral and keeps a connection.
extension LivePhoneModel {
    func open(_ app: LiveApp, _ isOn: Bool) async throws {
        if isOn {
            try await search(false)
            try await disconnect()
            for other in apps where other != app { try await open(other, false) }
            apps.insert(app)
            // Of the peripheral that it finds, when it finds one.
            run { phone in
                switch app {
                case .calculator: await phone.calculator.connect()
                case .lock: await phone.lock.connect()
                }
            }
        } else {
            apps.remove(app)
            questions.end()
            run { phone in
                switch app {
                case .calculator: await phone.calculator.disconnect()
                case .lock: await phone.lock.disconnect()
                }
            }
        }
    }

    func press(_ key: String) async throws {
        guard let key = CalculatorModel.Key(key) else { throw Refusal("there is no such key: \(key)") }
        await calculator.press(key)
    }

    func setLock(_ isLocked: Bool) async throws {
        let command = isLocked ? LockCommand.lock : .unlock
        guard await lock.state.allows(command) else { throw Refusal("the lock cannot do that now") }
        await lock.perform(command)
    }
}

extension CalculatorModel.Key {
    /// The key that the page calls `name`; `nil`: no such key.
    fileprivate init?(_ name: String) {
        switch name {
        case "+": self = .operation(.add)
        case "-": self = .operation(.subtract)
        case "×": self = .operation(.multiply)
        case "=": self = .equals
        case "back": self = .back
        case "clear": self = .clear
        default:
            guard name.utf8.count == 1, let digit = UInt8(name) else { return nil }
            self = .digit(digit)
        }
    }
}

/// The page's names of services and characteristics.
struct GATTNames: Sendable {
    private static let own: [BLEUUID: String] = [
        CalculatorClient.service: "Calculator", CalculatorClient.input: "Calculator input",
        CalculatorClient.output: "Calculator output", LockClient.service: "Servo lock",
        LockClient.command: "Lock command", LockClient.state: "Lock state", LockClient.bolt: "Lock bolt",
        LockClient.status: "Lock status",
    ]

    /// The descriptions that the user has given; their names have priority.
    let given: [PeripheralDescription]

    /// The given descriptions, followed by those included in espbench.
    var descriptions: [PeripheralDescription] { given + PeripheralDescription.catalogue }

    /// The name of a service; `nil`: not known.
    func service(_ uuid: BLEUUID) -> String? {
        func described(_ descriptions: [PeripheralDescription]) -> String? {
            descriptions.lazy.flatMap(\.services).first { $0.uuid == uuid }?.name
        }
        return described(given) ?? Self.own[uuid] ?? AssignedNumbers.service(uuid)
            ?? described(PeripheralDescription.catalogue)
    }

    /// The name of a characteristic; `nil`: not known.
    func characteristic(_ uuid: BLEUUID) -> String? {
        func described(_ descriptions: [PeripheralDescription]) -> String? {
            descriptions.lazy.flatMap(\.services).flatMap(\.characteristics).first { $0.uuid == uuid }?.path
        }
        return described(given) ?? Self.own[uuid] ?? AssignedNumbers.characteristic(uuid)
            ?? described(PeripheralDescription.catalogue)
    }
}

/// The peers that were heard, for a page.
struct PeerList {
    /// The maximum number of shown peers.
    private static let limit = 100

    private let names: GATTNames
    private var results = SearchResults()
    private var times: [PeerID: MonotonicInstant] = [:]
    /// True if an advertisement was received since the last query.
    private var isChanged = true
    private var shown: [AirState.Peer] = []

    /// An empty list.
    init(_ names: GATTNames) { self.names = names }

    /// Adds a received advertisement.
    mutating func add(_ advertisement: Advertisement, at time: MonotonicInstant) {
        results.add(advertisement)
        if times.count >= 2 * SearchResults.limit { times = times.filter { results.peers[$0.key] != nil } }
        times[advertisement.peer] = time
        isChanged = true
    }

    /// The peer with this identifier.
    func peer(_ id: String) -> PeerID? { results.peers.keys.first { "\($0)" == id } }

    /// The peer's name.
    func name(of peer: PeerID) -> String? { results.peers[peer]?.name }

    /// The peers heard since an instant, nearest first.
    mutating func nearestFirst(since oldest: MonotonicInstant) -> [AirState.Peer] {
        if isChanged {
            isChanged = false
            shown = results.nearestFirst.prefix(Self.limit).map(view)
        }
        return shown.filter { $0.time >= Double(oldest.nanoseconds / 1_000_000) }
    }

    private func view(_ found: SearchResults.Found) -> AirState.Peer {
        AirState.Peer(
            id: "\(found.id)", name: found.name, rssi: found.rssi,
            color: SignalColor(rssi: found.rssi).hexadecimal,
            services: found.advertisement.data.serviceUUIDs.map { names.service($0) ?? "\($0)" },
            count: found.count, time: Double((times[found.id] ?? .zero).nanoseconds / 1_000_000))
    }
}
