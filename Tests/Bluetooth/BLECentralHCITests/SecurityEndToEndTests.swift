import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLEPackets
import BLERadio
import MonotonicTime
import BenchExecutor
import Testing

/// Our central and a peripheral with NimBLE's behaviour pair, encrypt and use private addresses over the radio.
@Suite struct SecurityEndToEndTests {
    typealias World = EndToEndTests.World

    static let lock = SecurityConfiguration(
        ioCapability: .displayOnly, bonding: true, mitm: true, secureConnections: true)
    static let paired = LinkSecurity(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16)

    private func secret(_ peripheral: TestPeripheral) -> AttributeID {
        AttributeID(rawValue: peripheral.handles.secret)
    }

    /// Answers pairing requests with `passkey`.
    private func answer(_ central: HCICentral, _ log: EventLog, with passkey: UInt32) async {
        central.events.setHandler(on: central.executor) { event in
            log.append(event)
            guard case .pairingInput(let connection, let input) = event else { return }
            central.executor.post {
                central.assumeIsolated { central in
                    let answer: PairingAnswer =
                        if case .compareNumbers = input { .confirm(true) } else { .passkey(passkey) }
                    do throws(CentralError) {
                        try central.answer(answer, on: connection)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false]) func pairingByPasskeyGivesAccessAndSoDoesTheBond(isSecure: Bool) throws {
        try World().connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            try await central.setSecurity(CentralSecurity(secureConnections: isSecure ? .preferred : .off))
            await answer(central, log, with: 123456)
            #expect(
                await failure { try await central.read(secret(peripheral), on: connection) }?.code == .attError(0x05))
            #expect(try await central.pair(connection) == Self.paired)
            #expect(try await central.security(of: connection) == Self.paired)
            #expect(try await central.read(secret(peripheral), on: connection) == [42])
            #expect(log.all.contains(.pairingInput(connection, .enterPasskey)))
            #expect(log.all.contains(.securityChanged(connection, Self.paired)))
            #expect(await peripheral.log.last == "encryption success 16")
            let bond = BondedPeer(
                identity: World.address, hasIdentityKey: true, isAuthenticated: true, isSecureConnections: isSecure,
                keySize: 16)
            #expect(try await central.bonds() == [bond])

            try await central.disconnect(connection)
            let again = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            #expect(await failure { try await central.read(secret(peripheral), on: again) }?.code == .attError(0x0F))
            #expect(try await central.encrypt(again) == Self.paired)
            #expect(try await central.read(secret(peripheral), on: again) == [42])
        }
    }

    @Test func aWrongPasskeyFailsWithItsReasonAndTheLinkStays() throws {
        try World().connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            await answer(central, log, with: 111111)
            let error = await failure { try await central.pair(connection) }
            #expect(error?.code == .pairingFailed(reason: 0x04))
            #expect(
                error?.detail == """
                    security with 24:0A:C4:00:01:10: failed by the peer: 0x04 confirm value failed
                    """)
            #expect(try await central.bonds() == [])
            #expect(
                await failure { try await central.read(secret(peripheral), on: connection) }?.code == .attError(0x05))
            await answer(central, log, with: 123456)
            let security = try await central.pair(connection)
            #expect(security == Self.paired)
        }
    }

    /// The bond matrix: the results of encryption and pairing by which side has deleted its bond.
    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)], [true, false])
    func aDeletedBondRequiresANewPairing(forgets: (board: Bool, central: Bool), reboots: Bool) throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            await answer(central, log, with: 123456)
            _ = try await central.pair(connection)
            try await central.disconnect(connection)
            if reboots {
                try await peripheral.reboot(keepsBonds: !forgets.board)
                try await world.sleep(.milliseconds(100))
            } else if forgets.board {
                await peripheral.forgetBonds()
            }
            if forgets.central { try await central.forget(World.address) }
            let again = try await central.connectAndAccept(to: PeerID(World.address), within: .seconds(2))
            let error = await failure { try await central.encrypt(again) }
            switch forgets {
            case (_, true): #expect(error?.code == .notBonded)
            case (true, false): #expect(error?.code == .encryptionFailed(status: 0x06))
            case (false, false): #expect(error == nil)
            }
            if error != nil { #expect(try await central.pair(again) == Self.paired) }
            #expect(try await central.read(secret(peripheral), on: again) == [42])
            #expect(await peripheral.bonds.count == 1)
        }
    }

    @Test func bothSidesCanRequestSecurity() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            await answer(central, log, with: 123456)
            // Subscribing to a protected characteristic causes a Security Request and a response.
            try await central.setSubscription(.notifications, of: secret(peripheral), on: connection)
            try await world.sleep(.milliseconds(100))
            #expect(log.all.contains(.securityRequested(connection)))
            _ = try await central.pair(connection)
            try await peripheral.notifySecret([7])
            try await world.sleep(.milliseconds(100))
            #expect(
                log.all.last == .notification(connection, secret(peripheral), value: [7], isIndication: false))
        }
    }

    /// A board's NimBLE supports one pairing at a time, a central several.
    @Test func aCentralPairsWithTwoPeripheralsAtOnce() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            let second = try TestPeripheral(
                world.executor, await world.radio.attach(address: DeviceAddress(0x240A_C400_0111, .public)))
            try await second.start()
            await peripheral.setSecurity(Self.lock)
            await second.setSecurity(Self.lock)
            await answer(central, log, with: 123456)
            let other = try await central.connectAndAccept(
                to: PeerID(DeviceAddress(0x240A_C400_0111, .public)), within: .seconds(2))
            async let one = central.pair(connection)
            async let two = central.pair(other)
            let reached = try await [one, two]
            #expect(reached == [Self.paired, Self.paired])
            #expect(try await central.bonds().count == 2)
        }
    }

    @Test func aLostLinkFailsThePairingWithItsReason() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            // No user enters the passkey.
            let clock = BenchClock(world.executor)
            async let error = failure { try await central.pair(connection) }
            try await clock.sleep(for: .milliseconds(500))
            try await peripheral.disconnect(peripheral.firstHandle)
            #expect(await error?.code == .disconnected(reason: 0x13))
        }
    }

    @Test func anUnansweredPairingTimesOut() throws {
        let world = World()
        try world.connected { central, connection, peripheral, log in
            await peripheral.setSecurity(Self.lock)
            let start = world.executor.now
            let error = await failure { try await central.pair(connection) }
            #expect(error?.code == .timedOut)
            #expect(start.duration(to: world.executor.now) >= .seconds(30))
        }
    }

    @Test func numericComparisonAuthenticates() throws {
        try World().connected { central, connection, peripheral, log in
            var security = Self.lock
            security.ioCapability = .displayYesNo
            await peripheral.setSecurity(security)
            await answer(central, log, with: 0)
            let reached = try await central.pair(connection)
            #expect(reached == Self.paired)
            let asked = log.all.contains { if case .pairingInput(_, .compareNumbers) = $0 { true } else { false } }
            #expect(asked)
        }
    }

    @Test func outOfBandDataAuthenticates() throws {
        try World().connected { central, connection, peripheral, _ in
            var security = Self.lock
            security.hasOutOfBandData = true
            await peripheral.setSecurity(security)
            try await central.setSecurity(CentralSecurity(hasOutOfBandData: true))
            let own = try await central.makeOutOfBandValue()
            let other = try await peripheral.exchangeOutOfBand(own)
            central.events.setHandler(on: central.executor) { event in
                guard case .pairingInput(connection, .outOfBand) = event else { return }
                central.executor.post {
                    central.assumeIsolated {
                        try? $0.answer(.outOfBand(local: own, remote: other), on: connection)
                    }
                }
            }
            let reached = try await central.pair(connection)
            #expect(reached == Self.paired)
        }
    }

    @Test func privateAddressesAreResolvedOnBothSides() throws {
        let world = World()
        try world.executor.run {
            let peripheral = try await world.peripheral()
            await peripheral.setSecurity(Self.lock)
            let (central, _, log) = try await world.central()
            try await central.setSecurity(CentralSecurity(privacy: true))
            await answer(central, log, with: 123456)
            try await world.sleep(.milliseconds(100))
            try await peripheral.setPrivacy(true)
            var addresses: Set<DeviceAddress> = []
            for round in 0..<3 {
                let address = try await find(central, log, after: addresses)
                #expect(address.kind == .random && address.value >> 46 == 0b01)
                addresses.insert(address)
                let connection = try await central.connectAndAccept(to: PeerID(address), within: .seconds(2))
                if round == 0 {
                    #expect(try await central.pair(connection) == Self.paired)
                } else {
                    #expect(try await central.encrypt(connection) == Self.paired)
                }
                #expect(try await central.read(secret(peripheral), on: connection) == [42])
                try await central.disconnect(connection)
                try await world.sleep(.seconds(1000))
            }
            #expect(addresses.count == 3)
            // Before the first pairing only the address was known.
            let identities = Set(
                log.all.compactMap { event -> DeviceAddress? in
                    guard case .advertisement(let advertisement) = event else { return nil }
                    return advertisement.identity
                })
            #expect(identities.count == 2 && identities.contains(World.address))
            #expect(try await central.bonds().map(\.identity) == [World.address])
            #expect(await peripheral.bonds.map(\.peer) == [DeviceAddress(0xC000_0000_0001, .random)])
        }
    }

    /// The advertised address of the peripheral, other than `former`.
    private func find(
        _ central: HCICentral, _ log: EventLog, after former: Set<DeviceAddress>
    ) async throws -> DeviceAddress {
        try await central.startScanning(ScanFilter(name: "Lamp"))
        try await BenchClock(central.executor).sleep(for: .seconds(1))
        try await central.stopScanning()
        let found = log.all.compactMap { event -> DeviceAddress? in
            guard case .advertisement(let advertisement) = event else { return nil }
            return advertisement.address.flatMap { former.contains($0) ? nil : $0 }
        }
        return try #require(found.last)
    }
}
