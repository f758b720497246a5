import BLECore
import BLEHost
import BLEPackets
import ByteCodec
import Testing

/// Resolvable private addresses, generated and resolved by the host.
@Suite struct HostPrivacyTests {
    /// Core 5.4, Vol 3 Part H Appendix D.7: IRK, prand 0x708194 and hash 0x0DFBAA.
    private static let irk: [UInt8] = Array(
        [
            0xEC, 0x02, 0x34, 0xA3, 0x57, 0xC8, 0xAD, 0x05, 0x34, 0x10, 0x10, 0xA6, 0x0A, 0x39, 0x7D, 0x9B,
        ].reversed())
    private static let address = DeviceAddress(0x7081_940D_FBAA, .random)

    private func bonded(_ host: Host) {
        host.setBonds([Bond(peer: DeviceAddress(5, .public), peerIRK: Self.irk)])
    }

    @Test func theSampleAddressOfTheSpecificationIsResolved() {
        let host = Host(configuration: .central(.none))
        #expect(host.identity(of: Self.address) == Self.address)
        bonded(host)
        #expect(host.identity(of: Self.address) == DeviceAddress(5, .public))
        // The second lookup uses the cache; without the bond it is not resolved.
        #expect(host.identity(of: Self.address) == DeviceAddress(5, .public))
        host.setBonds([])
        #expect(host.identity(of: Self.address) == Self.address)
    }

    @Test func otherAddressesAreNotResolved() {
        let host = Host(configuration: .central(.none))
        bonded(host)
        let others = [
            DeviceAddress(Self.address.value, .public), DeviceAddress(Self.address.value ^ 1, .random),
            DeviceAddress(Self.address.value | 0x8000_0000_0000, .random),
        ]
        for other in others { #expect(host.identity(of: other) == other) }
    }

    @Test func aConnectionFromAPrivateAddressUsesItsBond() throws {
        let pair = HostPair()
        pair.peripheral.setBonds([
            Bond(
                peer: DeviceAddress(5, .public), peerIRK: Self.irk,
                peerKey: LongTermKey(
                    value: Array(0..<16), isAuthenticated: true, isSecureConnections: true))
        ])
        try pair.start()
        try pair.connect(central: Self.address)
        let info = try #require(pair.peripheral.connection(1))
        #expect(info.peer == Self.address)
        #expect(info.identity == DeviceAddress(5, .public))
        #expect(pair.peripheral.gattSecurity(of: 1).hasStoredKey)
    }

    @Test func aPairingReportsTheIdentity() throws {
        let pair = HostPair()
        let configuration = SecurityConfiguration(bonding: true, secureConnections: true)
        pair.central.security = configuration
        pair.peripheral.security = configuration
        try pair.start()
        try pair.central.setPrivacy(true, now: pair.now)
        pair.run()
        let commands = pair.commands[.central, default: []].filter { $0.bytes.prefix(2) == [0x05, 0x20] }
        let bytes = try #require(commands.last).bytes
        var reader = ByteReader(bytes.dropFirst(3), subject: "address")
        let address = try DeviceAddress(from: &reader, .random)
        #expect(address.value >> 46 == 0b01)
        try pair.connect(central: address)
        _ = pair.drainLog()
        try pair.central.pair(on: 1, now: pair.now)
        pair.run()
        #expect(pair.drainLog().contains("peripheral identityResolved 1 F0:F0:F0:F0:F0:01"))
        #expect(pair.peripheral.connection(1)?.identity == HostPair.centralAddress)
        pair.disconnect()
        try pair.connect(central: address)
        #expect(pair.peripheral.connection(1)?.identity == HostPair.centralAddress)
    }

    /// Every 15 minutes there is another address; a controller that advertises or scans is stopped for it.
    @Test func privateAddressesChangeAfterTheirLifetime() throws {
        let pair = HostPair()
        try pair.start()
        try pair.central.setPrivacy(true, now: pair.now)
        try pair.central.startScanning(ScanParameters(), now: pair.now)
        pair.run()
        let opcodes = { (pair.commands[.central] ?? []).map { Hexadecimal.string($0.bytes.prefix(2)) } }
        let before = opcodes().count
        pair.advance(by: .seconds(899))
        #expect(opcodes().count == before)
        pair.advance(by: .seconds(1))
        #expect(opcodes().dropFirst(before) == ["0c20", "0520", "0c20", "1820"])
        let addresses = (pair.commands[.central] ?? []).filter { $0.bytes.prefix(2) == [0x05, 0x20] }
        #expect(Set(addresses.map(\.bytes)).count == 2)

        try pair.peripheral.setPrivacy(true, now: pair.now)
        try pair.peripheral.startAdvertising(now: pair.now)
        pair.run()
        let parameters = pair.commands[.peripheral]?.last { $0.bytes.prefix(2) == [0x06, 0x20] }
        #expect(parameters?.bytes[8] == HCIOwnAddressType.random.rawValue)
        let count = pair.commands[.peripheral]?.count ?? 0
        pair.advance(by: .seconds(900))
        let rotation = pair.commands[.peripheral]?.dropFirst(count).map { Hexadecimal.string($0.bytes.prefix(2)) }
        #expect(rotation == ["0a20", "0520", "0a20", "1820"])
    }

    @Test func disablingPrivacyRestoresTheStaticAddress() throws {
        let fixed = DeviceAddress(0xC0FF_EE00_0001, .random)
        let pair = HostPair(.central(.fixed(fixed)))
        #expect(throws: HostError.self) { try pair.central.setPrivacy(true, now: pair.now) }
        try pair.start()
        let before = pair.commands[.central]?.count
        try pair.central.setPrivacy(false, now: pair.now)
        pair.run()
        #expect(pair.commands[.central]?.count == before)
        try pair.central.setPrivacy(true, now: pair.now)
        try pair.central.setPrivacy(false, now: pair.now)
        pair.run()
        #expect(
            pair.commands[.central]?.last.map { Hexadecimal.string($0.bytes) }
                == "05200601 0000eeffc0".filter { $0 != " " })
        #expect(!pair.central.isPrivate)
    }
}
