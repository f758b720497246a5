import BLECentral
import BLECentralHCI
import BLEClients
import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization
import Testing

/// The lock's client on the virtual air, with a lock in Swift; the command's test has it with the sketch.
@Suite struct LockClientTests {
    /// The passkeys that the user enters, one after the other, and how often the lock asked.
    private final class User: Sendable {
        private let passkeys: Mutex<[UInt32]>
        private let count = Mutex(0)
        var askedCount: Int { count.withLock { $0 } }

        init(_ passkeys: [UInt32]) { self.passkeys = Mutex(passkeys) }

        func answer(_ input: PairingInput) -> PairingAnswer {
            count.withLock { $0 += 1 }
            return passkeys.withLock { $0.isEmpty ? .cancel : .passkey($0.removeFirst()) }
        }
    }

    private struct World: Sendable {
        let executor: BenchExecutor
        let peripheral: BLEPeripheral
        let stack: SwitchableCentral
        let central: Central
        let client: LockClient
        let user: User

        func sleep(_ duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }

        func wait(_ isThere: (LockModel) -> Bool) async throws {
            for _ in 0..<10_000 {
                if isThere(await client.state) { return }
                try await sleep(.milliseconds(10))
            }
            Issue.record("\(await client.state)")
        }

        func connect() async throws {
            await client.connect()
            try await wait { $0.link == .connected }
        }
    }

    private static let passkey: UInt32 = 123_456

    /// - Parameters:
    ///   - isStuck: whether the bolt never moves.
    ///   - powersOn: whether the central is powered on before the client uses it.
    ///   - endsAfter: how long after it was made the lock ends a connection for Authentication Failure.
    private func run(
        passkeys: [UInt32] = [passkey], isStuck: Bool = false, powersOn: Bool = true, endsAfter: Duration? = nil,
        policy: ReconnectionPolicy = ReconnectionPolicy(),
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let executor = BenchExecutor()
        try await executor.runOnThread(timeLimit: .seconds(3600)) {
            let radio = Radio(executor, seed: 1)
            var definition = Self.definition(isStuck)
            if let endsAfter {
                definition.onConnect = { connection, peripheral in
                    executor.schedule(at: executor.now.advanced(by: endsAfter)) {
                        peripheral.assumeIsolated {
                            try? $0.disconnect(connection.handle, reason: .authenticationFailure)
                        }
                    }
                }
            }
            let peripheral = try BLEPeripheral(
                definition, on: await radio.attach(address: DeviceAddress(0x240A_C4C0_0001, .public)),
                executor: executor)
            try await peripheral.start()
            let port = await radio.attach(address: DeviceAddress(0x0200_0000_0001, .public))
            let stack = SwitchableCentral(HCICentral(executor: executor, transport: port), on: executor)
            let central = Central(stack, on: executor)
            if powersOn { try await central.powerOn() }
            let user = User(passkeys)
            let client = LockClient(central, policy: policy) { user.answer($0) }
            try await body(
                World(
                    executor: executor, peripheral: peripheral, stack: stack, central: central, client: client,
                    user: user))
            await client.disconnect()
            await central.close()
        }
        executor.discardEvents()
    }

    private static func definition(_ isStuck: Bool) -> PeripheralDefinition {
        let command = CharacteristicDefinition(LockClient.command, .write, writeNeeds: .authenticated) {
            value, connection, peripheral in
            guard value == [0x30] || value == [0x31] else { throw ATTErrorCode.valueNotAllowed }
            if !isStuck { try peripheral.notify(value, of: LockClient.state, to: connection) }
        }
        let state = CharacteristicDefinition(LockClient.state, .notify, value: [0x30])
        let status = CharacteristicDefinition(
            LockClient.status, .read, value: Array("locked".utf8), readNeeds: .authenticated)
        var definition = PeripheralDefinition(
            name: "Lock", services: [ServiceDefinition(LockClient.service, [command, state, status])])
        definition.advertisingData = AdvertisingData(structures: [
            AdvertisingData.Structure(type: .flags, data: [0x06]),
            AdvertisingData.Structure(type: .complete128BitServiceUUIDs, data: LockClient.service.attBytes),
        ])
        definition.security = SecurityConfiguration(
            ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
        definition.onPairingInput = { _, _, _ in .passkey(passkey) }
        return definition
    }

    @Test func theFirstCommandPairs() async throws {
        try await run { world in
            try await world.connect()
            #expect(await world.client.state.bolt == .unknown)
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
            await world.client.toggle()
            try await world.wait { $0.outcome == .done(.lock) }
            #expect(world.user.askedCount == 1)
            #expect(
                await world.client.state.log == [
                    "Searching...", "Connecting...", "Connected.", "unlock", "Paired.", "locked", "unlocked", "lock",
                    "locked",
                ])
        }
    }

    @Test func anOwnerIsNotAskedAgain() async throws {
        try await run { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
            await world.client.disconnect()
            try await world.connect()
            // Its link is encrypted at once, so that it may read where the bolt is.
            #expect(await world.client.state.bolt == .locked)
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
            #expect(world.user.askedCount == 1)
        }
    }

    @Test func aWrongPasskeyIsToldAndTheNextCommandAsksAgain() async throws {
        try await run(passkeys: [1, Self.passkey]) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { !$0.isBusy && $0.outcome != .none }
            guard case .failed(.unlock, let why) = await world.client.state.outcome else {
                Issue.record("\(await world.client.state)")
                return
            }
            #expect(why.contains("0x04 confirm value failed"), "\(why)")
            try await world.sleep(.seconds(5))
            try await world.wait { $0.link == .connected }
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
        }
    }

    @Test func aUserWhoEntersNothingRefuses() async throws {
        try await run(passkeys: []) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { !$0.isBusy }
            guard case .failed(.unlock, _) = await world.client.state.outcome else {
                Issue.record("\(await world.client.state)")
                return
            }
        }
    }

    @Test func aLockThatHasForgottenItsOwnerIsToldOf() async throws {
        try await run { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
            await world.client.disconnect()
            await world.peripheral.setBonds([])
            await world.client.connect()
            try await world.wait {
                if case .failed = $0.link { true } else { false }
            }
            let status = await world.client.state.status
            #expect(status.contains("key"), "\(status)")
        }
    }

    /// A connection that ends before it is set up, or meanwhile, as a stack ends that of a lock that has lost its bond: what
    /// is told is why, and not that there is no connection for what comes next.
    @Test(arguments: [nil, 0, 1, 10, 20, 50])
    func aConnectionThatEndsAtOnceTellsOfTheBond(milliseconds: Int?) async throws {
        try await run(endsAfter: milliseconds.map { .milliseconds($0) }, policy: .never) { world in
            if milliseconds == nil { await world.stack.endConnectionsEarly(with: 0x05) }
            await world.client.connect()
            try await world.wait {
                if case .failed = $0.link { true } else { false }
            }
            let status = await world.client.state.status
            #expect(status.contains("it may have lost its bond"), "\(status)")
        }
    }

    @Test func aBoltThatDoesNotMoveIsToldOf() async throws {
        try await run(isStuck: true) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { !$0.isBusy && $0.outcome != .none }
            #expect(
                await world.client.state.outcome == .failed(.unlock, "the bolt has not moved within 10.0 seconds"))
        }
    }

    @Test func aLockThatIsSwitchedOffInTheMiddleIsToldOf() async throws {
        try await run(isStuck: true) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.sleep(.seconds(3))
            await world.peripheral.stop()
            try await world.wait { !$0.isBusy }
            #expect(await world.client.state.outcome == .failed(.unlock, "the connection ended"))
            try await world.peripheral.start()
            try await world.wait { $0.link == .connected }
        }
    }

    @Test func aCentralThatIsNotPoweredOnYetIsPoweredOn() async throws {
        try await run(powersOn: false) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.wait { $0.outcome == .done(.unlock) }
        }
    }

    @Test func bluetoothThatIsSwitchedOffInTheMiddleIsTold() async throws {
        try await run(isStuck: true) { world in
            try await world.connect()
            await world.client.perform(.unlock)
            try await world.sleep(.seconds(3))
            #expect(await world.client.state.isBusy)
            await world.stack.takeAway(.power, "the adapter is switched off")
            try await world.sleep(.seconds(5))
            let off = await world.client.state
            #expect(off.outcome == .failed(.unlock, "the connection ended"))
            #expect(off.bolt == .unknown)
            #expect(!off.allows(.lock) && !off.allows(.unlock))
            #expect(off.status.hasPrefix("Bluetooth is not available: ") && off.status.hasSuffix("is switched off"))
            // The log has the state of the central, once, and the end of the command.
            #expect(off.log.filter { $0 == "Bluetooth is not available: it is switched off" }.count == 1)
            #expect(off.log.contains("unlock: the connection ended"))
            await world.stack.giveBack()
            try await world.central.powerOn()
            try await world.wait { $0.link == .disconnected }
            #expect(await world.client.state.log.last == "Disconnected")
            try await world.connect()
            // The bond is still there.
            #expect(await world.client.state.bolt == .locked)
            #expect(world.user.askedCount == 1)
        }
    }

    /// Each state of the central is a line of the log.
    @Test(
        arguments: [
            (.service, "its service has ended"), (.adapter, "there is no adapter"),
            (.permission, "this user may not use it"), (.power, "it is switched off"),
        ] as [(CentralAbsence, String)])
    func theLogHasTheStatesOfTheCentral(_ absence: CentralAbsence, _ why: String) async throws {
        try await run { world in
            try await world.connect()
            await world.stack.takeAway(absence, "it is gone")
            try await world.sleep(.seconds(1))
            #expect(await world.client.state.log.contains("Bluetooth is not available: \(why)"))
            #expect(await world.client.state.status.hasPrefix("Bluetooth is not available: "))
        }
    }
}
