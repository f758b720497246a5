import BLECentral
import BLECentralHCI
import BLECore
import BLEHost
import BLERadio
import Foundation
import BenchExecutor
import Testing

/// Keys in a private file: stored atomically, and never overwritten after damage.
@Suite struct BondFileTests {
    private static let keys = StoredKeys(
        identityKey: Array(0..<16),
        bonds: [
            Bond(
                peer: DeviceAddress(0x240A_C400_0110, .public), peerIRK: Array(repeating: 0xAB, count: 16),
                peerKey: LongTermKey(
                    value: Array(16..<32), isAuthenticated: true, isSecureConnections: true),
                localKey: LongTermKey(
                    value: Array(16..<32), isAuthenticated: true, isSecureConnections: true)),
            Bond(
                peer: DeviceAddress(0xC000_0000_0001, .random), peerCSRK: Array(repeating: 1, count: 16),
                localCSRK: Array(repeating: 2, count: 16),
                peerKey: LongTermKey(
                    value: Array(repeating: 9, count: 16), ediv: 0xBEEF, rand: 0x0123_4567_89AB_CDEF, size: 7,
                    isAuthenticated: false, isSecureConnections: false)),
        ])

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bonds-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func savedKeysAreLoadedAndTheFileIsPrivate() throws {
        try withFolder { folder in
            let path = folder + "/keys"
            let file = BondFile(path: path)
            #expect(try file.load() == StoredKeys())
            try file.save(Self.keys)
            #expect(try BondFile(path: path).load() == Self.keys)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try file.save(StoredKeys(identityKey: Self.keys.identityKey))
            #expect(try file.load().bonds == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["keys"])
        }
    }

    /// The format must stay compatible with files of earlier runs.
    @Test func theFileFormatIsStable() throws {
        try withFolder { folder in
            let path = folder + "/keys"
            try BondFile(path: path).save(Self.keys)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(
                text == """
                    espbench keys 1
                    identity 000102030405060708090a0b0c0d0e0f
                    bond public 24:0A:C4:00:01:10 abababababababababababababababab - - \
                    101112131415161718191a1b1c1d1e1f/0/0/16/as 101112131415161718191a1b1c1d1e1f/0/0/16/as
                    bond random C0:00:00:00:00:01 - 01010101010101010101010101010101 \
                    02020202020202020202020202020202 09090909090909090909090909090909/beef/123456789abcdef/7/ul -
                    check \(text.split(separator: " ").last?.dropLast() ?? "")

                    """)
        }
    }

    @Test func everyChangedByteAndEveryTruncationIsDetected() throws {
        try withFolder { folder in
            let path = folder + "/keys"
            let file = BondFile(path: path)
            try file.save(Self.keys)
            let whole = try Data(contentsOf: URL(filePath: path))
            for place in whole.indices {
                var damaged = whole
                damaged[place] ^= 0x01
                try damaged.write(to: URL(filePath: path))
                let error = #expect(throws: BondStoreError.self) { try file.load() }
                #expect(error?.code == .damaged)
                #expect(error?.detail.hasPrefix("\(path): ") == true)
            }
            for length in 1..<whole.count {
                try whole.prefix(length).write(to: URL(filePath: path))
                #expect(throws: BondStoreError.self) { try file.load() }
            }
            // As a full disk leaves one.
            try Data().write(to: URL(filePath: path))
            #expect(try file.load() == StoredKeys())
        }
    }

    @Test func anUnreadableFileIsNamedAndNotOverwritten() throws {
        try withFolder { folder in
            let path = folder + "/keys"
            try "not keys at all\n".write(toFile: path, atomically: true, encoding: .utf8)
            let world = EndToEndTests.World()
            try world.executor.run {
                let port = await world.radio.attach(address: DeviceAddress(1, .public))
                let central = HCICentral(
                    executor: world.executor, transport: port, bondStore: BondFile(path: path))
                let error = await failure { try await central.powerOn() }
                #expect(error?.code == .storage)
                #expect(
                    error?.detail == "\(path): expected lines of keys and a checksum, got 16 other bytes")
                #expect(await failure { try await central.bonds() }?.code == .storage)
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "not keys at all\n")
        }
    }

    @Test func aMissingFolderIsASystemError() throws {
        try withFolder { folder in
            let path = folder + "/none/keys"
            let error = #expect(throws: BondStoreError.self) { try BondFile(path: path).save(Self.keys) }
            #expect(error?.code == .system(2))
            #expect(
                error?.detail
                    == "\(path): writing a new version of the file of keys failed: No such file or directory")
        }
    }

    /// The next run has the same identity, and the bonds of the last.
    @Test func bondsArePersistent() throws {
        try withFolder { folder in
            let path = folder + "/keys"
            let world = EndToEndTests.World()
            try world.executor.run {
                let peripheral = try await world.peripheral()
                await peripheral.setSecurity(SecurityEndToEndTests.lock)
                let address = DeviceAddress(0xC000_0000_0001, .random)
                for run in 0..<2 {
                    let port = await world.radio.attach(
                        address: DeviceAddress(0x0200_0000_0000 + UInt64(run), .public))
                    let central = HCICentral(
                        executor: world.executor, transport: port, address: address,
                        bondStore: BondFile(path: path))
                    try await central.setSecurity(CentralSecurity(ioCapability: .noInputNoOutput, mitm: false))
                    try await central.powerOn()
                    let connection = try await central.connectAndAccept(
                        to: PeerID(EndToEndTests.World.address), within: .seconds(2))
                    if run == 0 {
                        _ = try await central.pair(connection)
                    } else {
                        let security = try await central.encrypt(connection)
                        #expect(security.isBonded)
                    }
                    try await central.disconnect(connection)
                    if run == 1 {
                        try await central.forget(EndToEndTests.World.address)
                        #expect(try BondFile(path: path).load().bonds == [])
                    }
                }
            }
        }
    }
}
