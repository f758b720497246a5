import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// A peer that claims another's identity address, in both roles and in both orders of pairing.
@Suite struct ClaimedIdentityTests {
    private static let staticAddress = DeviceAddress(0xF0F1_F2F3_F4F5, .random)
    private static let privateAddress = DeviceAddress(0x7081_940D_FBAA, .random)
    private static let justWorks = SecurityConfiguration(
        bonding: true, secureConnections: true, conduct: .specification)

    /// The identity that the peer claims: its public address, which is another's.
    private static func owner(_ victim: HostPair.Side) -> DeviceAddress {
        victim == .central ? HostPair.peripheralAddress : HostPair.centralAddress
    }

    /// The bond of the identity's owner.
    private static func ownersBond(_ victim: HostPair.Side, isAuthenticated: Bool = true) -> Bond {
        let key = LongTermKey(value: Array(1...16), isAuthenticated: isAuthenticated, isSecureConnections: true)
        return Bond(peer: owner(victim), peerIRK: Array(repeating: 9, count: 16), peerKey: key, localKey: key)
    }

    /// A host in the role of `victim` with `bonds`, connected to a peer at `address`, whose Identity Address Information
    /// is replaced by one with the owner's address.
    private func pair(
        victim: HostPair.Side, address: DeviceAddress, bonds: [Bond],
        _ configuration: SecurityConfiguration = justWorks
    ) throws -> HostPair {
        let peer = HostConfiguration.central(address == Self.owner(victim) ? .none : .fixed(address))
        let own = HostConfiguration(configuration.conduct)
        let pair = victim == .central ? HostPair(own, peer) : HostPair(peer, own)
        pair.central.security = victim == .central ? configuration : Self.justWorks
        pair.peripheral.security = victim == .peripheral ? configuration : Self.justWorks
        try pair.start()
        pair.host(victim).setBonds(bonds)
        pair.onAir = { side, packet in
            // ACL header, L2CAP header with the Security Manager's channel, opcode.
            guard side != victim, packet.bytes.count == 16, packet.bytes[6...8] == [6, 0, 9] else { return packet }
            var writer = ByteWriter(capacity: 8)
            SMPIdentityAddressInformation(address: Self.owner(victim)).write(to: &writer)
            return HCIPacket(.acl, packet.bytes.prefix(packet.bytes.count - 8) + writer.bytes)
        }
        try connect(pair, victim: victim, address: address)
        return pair
    }

    private func connect(_ pair: HostPair, victim: HostPair.Side, address: DeviceAddress) throws {
        if victim == .central {
            try pair.connect(peripheral: address)
        } else {
            try pair.connect(central: address)
        }
        _ = pair.drainLog()
    }

    private func run(_ pair: HostPair, _ victim: HostPair.Side) throws -> [String] {
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        return pair.drainLog().filter { $0.hasPrefix("\(victim) pairingEnded") }
    }

    @Test(arguments: HostPair.Side.allCases)
    func aPeerWithAnIdentityOfItsOwnHasNoOther(victim: HostPair.Side) throws {
        let bond = Self.ownersBond(victim)
        let pair = try pair(victim: victim, address: Self.staticAddress, bonds: [bond])
        #expect(try run(pair, victim) == ["\(victim) pairingEnded 1 success"])
        let bonds = pair.host(victim).bonds
        #expect(bonds.map(\.peer) == [Self.owner(victim), Self.staticAddress])
        #expect(bonds.first == bond)
        // The claimed identity's key would resolve the peer's private addresses to it.
        #expect(bonds.last?.peerIRK == nil)
        #expect(pair.host(victim).connection(1)?.identity == Self.staticAddress)
        // The bond can be used, and deleted.
        pair.disconnect()
        try connect(pair, victim: victim, address: Self.staticAddress)
        if victim == .central {
            try pair.central.encrypt(on: 1, now: pair.now)
            pair.run()
            #expect(pair.drainLog().contains("central bondRestored 1 F0:F1:F2:F3:F4:F5"))
        }
        #expect(pair.host(victim).removeBond(of: Self.staticAddress, now: pair.now) == .done)
        #expect(pair.host(victim).bonds == [bond])
    }

    @Test(arguments: HostPair.Side.allCases)
    func aStrongerBondIsNotReplacedByAClaim(victim: HostPair.Side) throws {
        let bond = Self.ownersBond(victim)
        let pair = try pair(victim: victim, address: Self.privateAddress, bonds: [bond])
        let end = try run(pair, victim)
        #expect(end == ["\(victim) pairingEnded 1 \(SecurityStatus.weakerThanBond(Self.owner(victim)))"])
        #expect(pair.host(victim).bonds == [bond])
        // A peripheral is told in time, and has no bond either; a central sends its keys last.
        if victim == .central { #expect(pair.peripheral.bonds == []) }
        #expect(pair.host(victim).connection(1)?.security.isBonded == false)
    }

    /// The owner's address itself, without its key: whoever sends with it.
    @Test(arguments: HostPair.Side.allCases)
    func aStrongerBondIsNotReplacedForTheOwnersAddress(victim: HostPair.Side) throws {
        for bond in [Self.ownersBond(victim), Self.ownersBond(victim, isAuthenticated: false)] {
            var configuration = Self.justWorks
            if bond.peerKey?.isAuthenticated == false { configuration.keySizes = 7...7 }
            let pair = try pair(victim: victim, address: Self.owner(victim), bonds: [bond], configuration)
            let end = try run(pair, victim)
            #expect(end == ["\(victim) pairingEnded 1 \(SecurityStatus.weakerThanBond(Self.owner(victim)))"])
            #expect(pair.host(victim).bonds == [bond])
        }
    }

    /// The reverse order: first the one that claims, then the owner, with a key as strong.
    @Test(arguments: HostPair.Side.allCases)
    func theOwnerReplacesAClaimant(victim: HostPair.Side) throws {
        let pair = try pair(victim: victim, address: Self.privateAddress, bonds: [])
        #expect(try run(pair, victim) == ["\(victim) pairingEnded 1 success"])
        #expect(pair.host(victim).bonds.map(\.peer) == [Self.owner(victim)])
        let claimed = pair.host(victim).bonds
        let later = try self.pair(victim: victim, address: Self.owner(victim), bonds: claimed)
        #expect(try run(later, victim) == ["\(victim) pairingEnded 1 success"])
        #expect(later.host(victim).bonds.map(\.peer) == [Self.owner(victim)])
        #expect(later.host(victim).bonds != claimed)
    }

    /// Whoever has the key may pair again with less.
    @Test func aBondIsReplacedWhereItsKeyIsInUse() throws {
        let bond = Self.ownersBond(.central)
        let pair = try pair(victim: .central, address: Self.owner(.central), bonds: [bond])
        pair.peripheral.setBonds([Bond(peer: HostPair.centralAddress, localKey: bond.peerKey)])
        try pair.central.encrypt(on: 1, now: pair.now)
        pair.run()
        #expect(try run(pair, .central) == ["central pairingEnded 1 success"])
        #expect(pair.central.bonds.first?.peerKey?.isAuthenticated == false)
    }

    /// NimBLE's `ble_sm_persist_keys` stores the keys under the claimed address, over any bond; `onIdentity` is called
    /// for peers with private addresses only.
    @Test(arguments: [staticAddress, privateAddress])
    func nimbleStoresUnderTheClaimedAddress(address: DeviceAddress) throws {
        var configuration = Self.justWorks
        configuration.conduct = .nimble
        let pair = try pair(victim: .peripheral, address: address, bonds: [Self.ownersBond(.peripheral)], configuration)
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        let log = pair.drainLog()
        #expect(log.contains("peripheral pairingEnded 1 success"))
        #expect(
            log.contains { $0.hasPrefix("peripheral identityResolved") } == (address == Self.privateAddress), "\(log)")
        #expect(pair.peripheral.bonds.map(\.peer) == [Self.owner(.peripheral)])
        #expect(pair.peripheral.bonds.first?.peerKey?.isAuthenticated == false)
    }
}
