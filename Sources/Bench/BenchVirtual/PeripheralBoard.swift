import BLECore
import BLEHost
import BLEPeripheral
import BLERadio
import Bench
import BenchExecutor
import BenchModel

/// A peripheral written in Swift as the board of a bench. Without power it keeps only its bonds.
actor PeripheralBoard {
    /// The board's public address: the first three bytes are those of the virtual ESP32s.
    private static let address = DeviceAddress(0x02EB_0000_0101, .public)

    private nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let air: VirtualAir
    private let behaviour: HostBehaviour
    private let definition: @Sendable () -> PeripheralDefinition
    /// The peripheral while there is power, with its controller.
    private var running: (peripheral: BLEPeripheral, port: RadioPort)?
    /// The bonds while there is no power.
    private var storedBonds: [Bond] = []

    /// A peripheral without power.
    init(
        _ behaviour: HostBehaviour, on air: VirtualAir, _ definition: @escaping @Sendable () -> PeripheralDefinition
    ) {
        self.air = air
        self.behaviour = behaviour
        self.definition = definition
        executor = air.executor
    }

    private func start() async throws {
        guard running == nil else { return }
        let port = await air.radio.attach(address: Self.address)
        var definition = definition()
        let (onHandlerError, events, name) = (definition.onHandlerError, events, definition.name)
        definition.onHandlerError = { error, peripheral in
            // The timeline gets this line; the client receives error 0x0E.
            events.post(.console(Array("\(name): a handler threw \(error)\r\n".utf8)))
            onHandlerError?(error, peripheral)
        }
        let peripheral: BLEPeripheral
        do {
            peripheral = try BLEPeripheral(definition, behaviour: behaviour, on: port, executor: executor)
        } catch {
            await air.radio.detach(port)
            throw error
        }
        running = (peripheral, port)
        await air.controllerChanged()
        await peripheral.setBonds(storedBonds)
        try await peripheral.start()
    }
}

extension PeripheralBoard: BoardOnAir {
    nonisolated var abilities: Set<BenchAbility> { [.power, .reset] }

    nonisolated var bluetoothAddress: DeviceAddress? { Self.address }

    nonisolated var events: EventPort<BoardEvent> { air.events }

    var controller: ControllerID? { running?.port.id }

    func restore() async throws {
        await air.restore(.first)
        storedBonds = []
    }

    func setPower(_ isOn: Bool) async throws {
        if isOn { try await start() } else { cutPower() }
    }

    func cutPower() {
        guard let (peripheral, port) = running else { return }
        running = nil
        storedBonds = peripheral.assumeIsolated { peripheral in
            let bonds = peripheral.bonds
            peripheral.stop()
            return bonds
        }
        air.radio.assumeIsolated { $0.detach(port) }
    }

    func reset() async throws {
        guard running != nil else { return }
        cutPower()
        try await start()
    }

    // MARK: Storage

    func eraseNVS() { storedBonds = [] }

    func bonds() async -> [DeviceAddress] {
        let bonds = await running?.peripheral.bonds ?? storedBonds
        return bonds.map(\.peer)
    }

    func forgetBonds(with peer: DeviceAddress?) async {
        let kept = { (bonds: [Bond]) in bonds.filter { peer != nil && $0.peer != peer } }
        if let peripheral = running?.peripheral {
            await peripheral.setBonds(kept(peripheral.bonds))
        } else {
            storedBonds = kept(storedBonds)
        }
    }
}
