import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Foundation
import MonotonicTime
import Testing

/// Bonded peripherals that are taken up again, on the virtual air.
@Suite struct RestoringBondTests {
    private static let address = DeviceAddress(0x240A_C4C0_0001, .public)
    private static let secret = CharacteristicPath(service: BLEUUID(0xFF00), characteristic: BLEUUID(0xFF03))

    private static var definition: PeripheralDefinition {
        let output = CharacteristicDefinition(
            secret.characteristic, [.read, .notify], value: [42], readNeeds: .authenticated)
        var definition = PeripheralDefinition(
            name: "Private", services: [ServiceDefinition(secret.service, [output])])
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        definition.onPairingInput = { _, _, _ in .passkey(123_456) }
        return definition
    }

    /// A central of a new program, with the bonds of the last one.
    private static func central(
        _ port: RadioPort, _ bonds: MemoryBondStore, _ executor: BenchExecutor
    ) async throws -> Central {
        let backend = HCICentral(executor: executor, transport: port, bondStore: bonds)
        let central = Central(backend, on: executor)
        try await central.powerOn()
        try await backend.setSecurity(CentralSecurity(ioCapability: .keyboardDisplay))
        return central
    }

    private static func pair(_ peripheral: Peripheral, _ executor: BenchExecutor) async throws {
        let events = try await peripheral.events()
        let answering = Task(executorPreference: executor) {
            for await event in events {
                if case .pairingInput = event { try? await peripheral.answerPairing(.passkey(123_456)) }
            }
        }
        try await peripheral.pair()
        answering.cancel()
    }

    /// One that keeps its address is connected to at once; one whose private address has changed is recognized by its
    /// identity when it is heard.
    @Test(arguments: [false, true]) func aBondedPeripheralIsTakenUpAndEncrypted(isPrivate: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(7200)) {
            let radio = Radio(executor, seed: 1)
            let peer = try BLEPeripheral(
                Self.definition, on: await radio.attach(address: Self.address), executor: executor)
            try await peer.start()
            if isPrivate { try await peer.setPrivacy(true) }
            let port = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let bonds = MemoryBondStore()
            do {
                let central = try await Self.central(port, bonds, executor)
                let restoring = try await RestoringCentral(central, identifier: "one", folder: folder)
                // The private address, not the public one that it had before.
                let sighting = try await central.firstSighting(ScanFilter(), within: .seconds(5)) {
                    $0.address?.isResolvablePrivate == isPrivate
                }
                let peripheral = try await central.connect(to: sighting.peer)
                try await Self.pair(peripheral, executor)
                let values = try await peripheral.characteristic(Self.secret).values()
                try await BenchClock(executor).sleep(for: .seconds(1))
                let kept = try #require(await restoring.kept.first)
                #expect(kept.identity == (isPrivate ? PeerID(Self.address) : nil))
                #expect(kept.subscriptions.map(\.path) == [Self.secret])
                withExtendedLifetime(values) {}
            }
            let central = try await Self.central(port, bonds, executor)
            // Longer than a private address lasts.
            try await BenchClock(executor).sleep(for: .seconds(1000))
            let restoring = try await RestoringCentral(central, identifier: "one", folder: folder)
            var restored: RestoredPeripheral?
            for await result in await restoring.restore() {
                switch result {
                case .connected(let peripheral): restored = peripheral
                case .failed(_, let error): Issue.record(error)
                }
            }
            let taken = try #require(restored)
            #expect((taken.peripheral.id != taken.record.peer) == isPrivate)
            #expect(await central.knownPeers.isEmpty != isPrivate)
            // The characteristic is for authenticated owners only.
            #expect(try await taken.peripheral.characteristic(Self.secret).read() == [42])
            let connection = try #require(await peer.connections.first?.handle)
            try await peer.notify([1], of: Self.secret.characteristic, to: connection)
            #expect(try await first(1, of: try #require(taken.subscriptions.first).values) == [[1]])
            // It is one peripheral, whatever its address.
            #expect(await restoring.kept.count == 1)
            // A peer that has forgotten its owner is told, and not used.
            await peer.setBonds([])
            try await taken.peripheral.central.abandon(taken.peripheral.id)
            for await result in await restoring.restore() {
                guard case .failed(_, let error) = result else {
                    Issue.record("taken up without its key")
                    continue
                }
                #expect(error.code == .encryptionFailed(status: 0x06))
            }
            #expect(await taken.peripheral.connectionState == .disconnected)
            await central.close()
        }
        executor.discardEvents()
    }
}
