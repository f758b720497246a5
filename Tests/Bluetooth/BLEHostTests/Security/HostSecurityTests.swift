import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// A host's handling of pairing: keys, bonds, failures.
@Suite struct HostSecurityTests {
    private static let justWorks = SecurityConfiguration(bonding: true, secureConnections: true)

    private func pair(
        _ configuration: SecurityConfiguration = justWorks, peripheral: SecurityConfiguration = justWorks
    ) throws -> HostPair {
        let pair = HostPair()
        pair.central.security = configuration
        pair.peripheral.security = peripheral
        try pair.start()
        try pair.connect()
        _ = pair.drainLog()
        return pair
    }

    private func bond(_ number: UInt64, irk: [UInt8]? = nil) -> Bond {
        Bond(
            peer: DeviceAddress(number, .public), peerIRK: irk,
            peerKey: LongTermKey(
                value: Array(repeating: 1, count: 16), isAuthenticated: false, isSecureConnections: true))
    }

    @Test func securityEventsAreReportedInOrder() throws {
        let pair = try pair()
        try pair.central.startSecurity(on: 1, now: pair.now)
        pair.run()
        let log = pair.drainLog()
        #expect(
            log.filter { $0.hasPrefix("peripheral") } == [
                "peripheral securityChanged 1", "peripheral bondsChanged", "peripheral securityChanged 1",
                "peripheral securityChanged 1", "peripheral encryptionChanged 1 success [encrypted bonded 16]",
                "peripheral bondEstablished 1 F0:F0:F0:F0:F0:01", "peripheral pairingEnded 1 success",
            ])
        #expect(log.contains("central pairingEnded 1 success"))
        pair.disconnect()
        try pair.connect()
        _ = pair.drainLog()
        try pair.central.startSecurity(on: 1, now: pair.now)
        pair.run()
        #expect(
            pair.drainLog().filter { $0.hasPrefix("peripheral") } == [
                "peripheral securityChanged 1", "peripheral encryptionChanged 1 success [encrypted bonded 16]",
                "peripheral bondRestored 1 F0:F0:F0:F0:F0:01",
            ])
    }

    @Test func anotherKeyIsAMICFailureOnBothSides() throws {
        let pair = try pair()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        pair.disconnect()
        var bonds = pair.central.bonds
        bonds[0].peerKey?.value[3] ^= 1
        pair.central.setBonds(bonds)
        try pair.connect()
        _ = pair.drainLog()
        try pair.central.encrypt(on: 1, now: pair.now)
        pair.run()
        let log = pair.drainLog()
        for side in ["central", "peripheral"] {
            #expect(
                log.contains("\(side) disconnected 1 \(HCIErrorCode.terminatedDueToMICFailure) true"), "\(log)")
        }
        #expect(log.contains { $0.hasPrefix("central encryptionChanged 1 the link was lost") }, "\(log)")
        #expect(pair.central.bonds.count == 1)
    }

    @Test func aMissingKeyOfThePeerIsReported() throws {
        let pair = try pair(
            SecurityConfiguration(bonding: true, secureConnections: true, conduct: .specification))
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        pair.peripheral.setBonds([])
        pair.disconnect()
        try pair.connect()
        _ = pair.drainLog()
        try pair.central.encrypt(on: 1, now: pair.now)
        pair.run()
        let ended = pair.drainLog().filter { $0.hasPrefix("central encryptionChanged") }
        #expect(ended.count == 1)
        #expect(ended.first?.contains("PIN or key missing") == true, "\(ended)")
        #expect(pair.central.connections.count == 1)
    }

    /// NimBLE's central pairs again without an event when the peer has lost the key.
    @Test func aNimBLECentralPairsAgainWhenThePeerHasLostItsKey() throws {
        let pair = try pair()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        pair.peripheral.setBonds([])
        pair.disconnect()
        try pair.connect()
        _ = pair.drainLog()
        try pair.central.encrypt(on: 1, now: pair.now)
        pair.run()
        #expect(pair.drainLog().contains("central pairingEnded 1 success"))
        #expect(pair.peripheral.bonds.count == 1)
    }

    @Test func aDisconnectionEndsThePairing() throws {
        let pair = try pair(
            SecurityConfiguration(ioCapability: .keyboardOnly, mitm: true, secureConnections: true),
            peripheral: SecurityConfiguration(ioCapability: .displayOnly, mitm: true, secureConnections: true))
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        pair.disconnect(.connectionTimeout)
        let log = pair.drainLog()
        for side in ["central", "peripheral"] {
            #expect(log.contains("\(side) pairingEnded 1 the link was lost"), "\(log)")
        }
        try pair.connect()
        pair.central.security = Self.justWorks
        pair.peripheral.security = Self.justWorks
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        #expect(pair.drainLog().contains("central pairingEnded 1 success"))
    }

    @Test func onlyOneProcedureRunsOnALink() throws {
        let pair = try pair(
            SecurityConfiguration(ioCapability: .keyboardOnly, mitm: true, secureConnections: true),
            peripheral: SecurityConfiguration(ioCapability: .displayOnly, mitm: true, secureConnections: true))
        try pair.central.pair(on: 1, now: pair.now)
        #expect(throws: HostError.self) { try pair.central.pair(on: 1, now: pair.now) }
        let unbonded = #expect(throws: HostError.self) { try pair.central.encrypt(on: 1, now: pair.now) }
        #expect(unbonded?.code == .notBonded)
        let unasked = #expect(throws: HostError.self) {
            try pair.central.answerPairing(.confirm(true), on: 1, now: pair.now)
        }
        #expect(unasked?.code == .notAwaited)
        let nobody = #expect(throws: HostError.self) { try pair.central.startSecurity(on: 9, now: pair.now) }
        #expect(nobody?.code == .notConnected)
    }

    @Test func theCentralDecidesOnASecurityRequest() throws {
        let pair = try pair()
        try pair.peripheral.startSecurity(on: 1, now: pair.now)
        pair.run()
        #expect(pair.drainLog().contains("central securityRequested 1 9"))
        try pair.central.startSecurity(on: 1, now: pair.now)
        pair.run()
        #expect(pair.drainLog().contains("peripheral pairingEnded 1 success"))
    }

    @Test func theFourthBondReplacesTheOldest() throws {
        let pair = try pair()
        pair.peripheral.maximumBonds = 5
        pair.peripheral.setBonds((1...4).map { bond($0) })
        #expect(pair.peripheral.bonds.count == 4)
        pair.peripheral.maximumBonds = 3
        pair.peripheral.setBonds((1...4).map { bond($0) })
        #expect(pair.peripheral.bonds.map(\.peer.value) == [2, 3, 4])
        pair.run()
        _ = pair.drainLog()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        #expect(pair.peripheral.bonds.map(\.peer.value) == [3, 4, 0xF0F0_F0F0_F001])
        #expect(pair.drainLog().contains("peripheral bondRemoved 00:00:00:00:00:02"))
        // Pairing again moves the bond to the end.
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        #expect(pair.peripheral.bonds.map(\.peer.value) == [3, 4, 0xF0F0_F0F0_F001])
    }

    @Test func aBondWithAnIdentityKeyIsNotDeletedWhileAdvertising() throws {
        let pair = try pair()
        pair.peripheral.setBonds((1...3).map { bond($0, irk: Array(repeating: UInt8($0), count: 16)) })
        try pair.peripheral.startAdvertising(AdvertisingParameters(), now: pair.now)
        pair.run()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        #expect(pair.peripheral.bonds.map(\.peer.value) == [1, 2, 3])
        #expect(pair.peripheral.connection(1)?.security.isBonded == true)
        #expect(pair.peripheral.removeBond(of: DeviceAddress(1, .public), now: pair.now) == .busy)
        try pair.peripheral.stopAdvertising(now: pair.now)
        pair.run()
        #expect(pair.peripheral.removeOldestBond(except: DeviceAddress(1, .public), now: pair.now) == .done)
        #expect(pair.peripheral.removeBond(of: DeviceAddress(2, .public), now: pair.now) == .notBonded)
        #expect(pair.peripheral.removeBond(of: DeviceAddress(1, .public), now: pair.now) == .done)
        #expect(pair.peripheral.removeOldestBond(except: DeviceAddress(3, .public), now: pair.now) == .noOtherBond)
        pair.peripheral.removeAllBonds(now: pair.now)
        #expect(pair.peripheral.removeOldestBond(except: DeviceAddress(3, .public), now: pair.now) == .notBonded)
    }

    @Test func deletingTheBondOfAConnectedPeerEndsTheLink() throws {
        let pair = try pair()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        pair.peripheral.removeBond(of: HostPair.centralAddress, now: pair.now)
        pair.run()
        #expect(pair.peripheral.bonds == [])
        #expect(pair.peripheral.connections == [])
        // A central may delete its bond and stay connected.
        try pair.connect()
        pair.central.removeAllBonds(now: pair.now)
        pair.run()
        #expect(pair.central.bonds == [])
        #expect(pair.central.connections.count == 1)
    }

    @Test func aStoredIdentityKeyIsNotReplaced() throws {
        let key = Array(repeating: UInt8(7), count: 16)
        let host = Host(configuration: .nimble)
        host.setIdentityKey(key)
        #expect(host.identityKey == key)
        host.setIdentityKey([1, 2, 3])
        #expect(host.identityKey == nil)
        let pair = HostPair()
        pair.peripheral.setIdentityKey(key)
        try pair.start()
        #expect(pair.peripheral.identityKey == key)
        let draws = { (side: HostPair.Side) in
            pair.commands[side, default: []].filter { $0.bytes.prefix(2) == [0x18, 0x20] }.count
        }
        // NimBLE generates two addresses for its resolving list and a static one.
        #expect(draws(.peripheral) == 3)
        #expect(draws(.central) == 3)
        #expect(pair.central.identityKey?.count == 16)
    }
}
