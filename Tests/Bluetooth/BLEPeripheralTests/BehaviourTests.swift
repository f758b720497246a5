import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import Synchronization
import Testing

/// The effects of a peripheral's behaviour except on the GATT server's answers, which `GATTServerBehaviourTests`
/// covers.
@Suite struct BehaviourTests {
    /// The commands with which each initializes its controller.
    private func commands(_ behaviour: HostBehaviour) throws -> [HCIOpcode] {
        let commands = Mutex<[HCIOpcode]>([])
        let world = PeripheralWorld()
        try world.executor.run {
            await world.radio.setObserver { observation in
                let bytes = observation.packet.bytes
                guard observation.packet.kind == .command, bytes.count >= 2 else { return }
                commands.withLock {
                    $0.append(HCIOpcode(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8))
                }
            }
            _ = try await world.peripheral(Calculator.definition, behaviour)
        }
        return commands.withLock { $0 }
    }

    /// NimBLE uses host flow control and generates a static random address.
    @Test func theStartupCommandsDependOnTheBehaviour() throws {
        let nimble = try commands(.nimble)
        #expect(nimble.contains(HCISetControllerToHostFlowControl.opcode))
        #expect(nimble.contains(HCILESetRandomAddress.opcode))
        let specification = try commands(.specification)
        #expect(!specification.contains(HCISetControllerToHostFlowControl.opcode))
        #expect(!specification.contains(HCILESetRandomAddress.opcode))
    }

    @Test(arguments: [(HostBehaviour.nimble, 255), (.specification, 517)])
    func thePreferredMTUDependsOnTheBehaviour(behaviour: HostBehaviour, mtu: Int) throws {
        try PeripheralWorld().run { world in
            _ = try await world.peripheral(Calculator.definition, behaviour)
            let (central, _) = try await world.central()
            let connection = try await world.connect(central)
            #expect(try await central.exchangeMTU(517, on: connection) == mtu)
        }
    }

    /// NimBLE-Arduino stores three bonds; the fourth replaces the oldest.
    @Test(arguments: [(HostBehaviour.nimble, 3), (.specification, 4)])
    func theNumberOfBondsDependsOnTheBehaviour(behaviour: HostBehaviour, count: Int) throws {
        try PeripheralWorld().run { world in
            var definition = Calculator.definition
            definition.security = SecurityConfiguration(bonding: true, secureConnections: true)
            let peripheral = try await world.peripheral(definition, behaviour)
            for number in UInt64(1)...4 {
                let (central, _) = try await world.central(number: number)
                try await central.setSecurity(CentralSecurity(ioCapability: .noInputNoOutput, mitm: false))
                let connection = try await world.connect(central)
                _ = try await central.pair(connection)
                // The central's keys have not arrived yet.
                try await world.sleep()
                try await central.disconnect(connection)
                try await world.sleep()
            }
            let peers = await peripheral.bonds.map(\.peer.value)
            #expect(peers == (1...4).map { 0x0200_0000_0000 + $0 }.suffix(count))
        }
    }

    /// A pairing without MITM protection: NimBLE accepts it even if protection was requested.
    @Test(arguments: [(HostBehaviour.nimble, nil), (.specification, CentralError.Code.pairingFailed(reason: 0x03))])
    func justWorksDespiteAMITMRequestIsAcceptedByNimBLEOnly(behaviour: HostBehaviour, error: CentralError.Code?) throws
    {
        try PeripheralWorld().run { world in
            var definition = Calculator.definition
            definition.security = SecurityConfiguration(
                ioCapability: .displayOnly, mitm: true, secureConnections: true, requiresAuthentication: true)
            _ = try await world.peripheral(definition, behaviour)
            let (central, _) = try await world.central()
            try await central.setSecurity(CentralSecurity(ioCapability: .noInputNoOutput, mitm: false))
            let connection = try await world.connect(central)
            #expect(await failure { try await central.pair(connection) } == error)
        }
    }
}
