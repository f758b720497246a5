import BLECentral
import BLECentralHCI
import BLECore
import ESPImage
import FirmwareBuild
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// The records that a board's NimBLE host stores for peers that the sketch refuses, and those it deletes when a store
/// is full: the sketch has capacity for 2 bonds, 3 subscriptions and the supported features of 2 clients.
@Suite struct BondStoreTests {
    private static let bonded = LinkSecurity(isEncrypted: true, isAuthenticated: false, isBonded: true, keySize: 16)
    private static let first = AttributeID(rawValue: 0x0011)
    private static let second = AttributeID(rawValue: 0x0014)

    @Test func aBondDeletedInItsCallbackLeavesItsRecords() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let stranger = try await connect(2, bench, board)
            try await stranger.subscribe(Self.first)
            await board.type(Array("r".utf8))
            _ = try? await stranger.pair()
            try await bench.wait(for: "the end") { log.console.contains("disconnected 534\n") }
            #expect(log.console.contains("complete encrypted 1 bonded 1 bonds 1\ndeleted 1\n"), "\(log.console)")
            let orphans = ["subscription c0:00:00:00:00:02 16", "features c0:00:00:00:00:02"]
            #expect(try await list(board, log, bench) == orphans)
            // ble_store_value_csfc and ble_store_value_cccd, and no keys.
            try await board.powerOff()
            let stored = try records(of: bench)
            #expect(stored.keys.sorted() == ["cccd_sec_1", "csfc_sec_1", "local_irk_1"])
            #expect(stored["csfc_sec_1"] == [1, 2, 0, 0, 0, 0, 0xC0, 0])
            #expect(stored["cccd_sec_1"] == [1, 2, 0, 0, 0, 0, 0xC0, 0, 0x10, 0, 1, 0, 0, 0, 0, 0])
            await board.powerOn()
            try await bench.wait(for: "the second start") { log.starts == 2 && log.console.hasSuffix("ready\r\n") }
            #expect(try await list(board, log, bench) == orphans)
        }
    }

    /// One orphan and the owner fill the store of features; the next record deletes the owner's bond.
    @Test func recordsOfRefusedPeersDisplaceTheOwnersBond() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let owner = try await connect(1, bench, board)
            #expect(try await owner.pair() == Self.bonded)
            try await owner.leave(board)
            for number in UInt64(2)...3 {
                let stranger = try await connect(number, bench, board)
                await board.type(Array("r".utf8))
                _ = try? await stranger.pair()
                try await bench.sleep(.seconds(1))
                #expect(await board.bonds == (number == 2 ? [DeviceAddress(0xC000_0000_0001, .random)] : []))
                await board.type(Array("a".utf8))
                try await bench.sleep(.milliseconds(50))
            }
            #expect(
                try await list(board, log, bench) == ["features c0:00:00:00:00:02", "features c0:00:00:00:00:03"])
            // The owner's record was deleted for that of the second stranger.
            #expect(try records(of: bench).keys.sorted() == ["csfc_sec_1", "csfc_sec_2", "local_irk_1"])
            #expect(try records(of: bench)["csfc_sec_1"]?[1] == 3)
            try await owner.connectAgain()
            await #expect { try await owner.encrypt() } throws: {
                ($0 as? CentralError)?.code == .encryptionFailed(status: 0x06)
            }
        }
    }

    @Test func aBondBeyondTheCapacityReplacesTheOldest() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let owners = try await owners(bench, board)
            try await owners[0].connectAgain()
            await board.type(Array("a".utf8))
            let third = try await connect(3, bench, board)
            #expect(try await third.pair() == Self.bonded)
            try await bench.sleep(.seconds(1))
            #expect(log.console.contains("disconnected 534\n"))
            #expect(
                try await list(board, log, bench) == [
                    "bond c0:00:00:00:00:02", "bond c0:00:00:00:00:03", "features c0:00:00:00:00:02",
                    "features c0:00:00:00:00:03",
                ])
        }
    }

    /// NimBLE cannot delete the bond of a peer with an identity key meanwhile: it disconnects that peer, and does not
    /// store the new bond, though both sides report it as bonded.
    @Test func whileAdvertisingTheNewBondIsNotStored() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let owners = try await owners(bench, board)
            try await owners[0].connectAgain()
            await board.type(Array("a".utf8))
            let third = try await connect(3, bench, board)
            try await third.subscribe(Self.first)
            await board.type(Array("a".utf8))
            try await bench.sleep(.milliseconds(100))
            #expect(try await third.pair() == Self.bonded)
            try await bench.sleep(.seconds(1))
            #expect(log.console.contains("complete encrypted 1 bonded 1 bonds 2\n"), "\(log.console)")
            #expect(log.console.contains("disconnected 534\n"))
            let stored = [
                "bond c0:00:00:00:00:01", "bond c0:00:00:00:00:02", "subscription c0:00:00:00:00:03 16",
                "features c0:00:00:00:00:01", "features c0:00:00:00:00:02",
            ]
            #expect(try await list(board, log, bench) == stored)
            // NimBLE removes the record of supported features before it writes the new one: there is none.
            await #expect { try await third.write([1], AttributeID(rawValue: 0x000D)) } throws: {
                ($0 as? CentralError)?.code == .attError(0x05)
            }
            try await third.leave()
            try await third.connectAgain()
            await #expect { try await third.encrypt() } throws: {
                ($0 as? CentralError)?.code == .encryptionFailed(status: 0x06)
            }
            await board.type(Array("a".utf8))
            try await owners[1].connectAgain()
            #expect(try await owners[1].encrypt() == Self.bonded)
        }
    }

    /// A bond without an identity key can always be deleted.
    @Test func whileAdvertisingABondWithoutIdentityKeyIsDeleted() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            await board.type(Array("k".utf8))
            _ = try await owners(bench, board)
            let third = try await connect(3, bench, board)
            await board.type(Array("a".utf8))
            try await bench.sleep(.milliseconds(100))
            #expect(try await third.pair() == Self.bonded)
            try await bench.sleep(.seconds(1))
            #expect(
                await board.bonds == [2, 3].map { DeviceAddress(0xC000_0000_0000 + $0, .random) })
        }
    }

    @Test func aSubscriptionBeyondTheCapacityIsRefusedWhileAdvertising() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let owners = try await owners(bench, board)
            for (owner, configurations) in [(owners[0], [Self.first]), (owners[1], [Self.first, Self.second])] {
                try await owner.connectAgain()
                _ = try await owner.encrypt()
                for configuration in configurations { try await owner.subscribe(configuration) }
                try await owner.leave(board)
            }
            try await owners[0].connectAgain()
            _ = try await owners[0].encrypt()
            await board.type(Array("a".utf8))
            try await bench.sleep(.milliseconds(100))
            await #expect { try await owners[0].subscribe(Self.second) } throws: {
                ($0 as? CentralError)?.code == .attError(0x0F)
            }
            #expect(log.console.contains("advertising 1\nsubscribe 19 1\n"), "\(log.console)")
            // It is in use until the connection ends; the store has nothing to remove.
            await #expect { try await owners[0].write([0, 0], Self.second) } throws: {
                ($0 as? CentralError)?.code == .attError(0x05)
            }
            await board.type(Array("q".utf8))
            try await bench.sleep(.milliseconds(100))
            try await owners[0].subscribe(Self.second)
            #expect(
                try await list(board, log, bench) == [
                    "bond c0:00:00:00:00:01", "subscription c0:00:00:00:00:01 16",
                    "subscription c0:00:00:00:00:01 19", "features c0:00:00:00:00:01",
                ])
        }
    }

    /// NimBLE's storage only handles added and removed records, and finds removed ones by comparison with memory: after
    /// a notification, which changes records in memory, it erases another one.
    @Test func storageKeepsARemovedSubscription() async throws {
        try await BoardBench.run("BondStore", after: "ready") { bench, board, log in
            let stranger = try await connect(2, bench, board)
            await board.type(Array("r".utf8))
            _ = try? await stranger.pair()
            try await bench.wait(for: "the end") { log.console.contains("disconnected 534\n") }
            await board.type(Array("a".utf8))
            try await bench.sleep(.milliseconds(50))
            let owner = try await connect(1, bench, board)
            #expect(try await owner.pair() == Self.bonded)
            try await owner.subscribe(Self.first)
            try await owner.subscribe(Self.second)
            await board.type(Array("n".utf8))
            try await bench.sleep(.milliseconds(200))
            try await owner.write([0, 0], Self.second)
            try await bench.sleep(.milliseconds(200))
            #expect(try await list(board, log, bench).contains("subscription c0:00:00:00:00:01 16"))
            try await owner.leave()
            try await board.powerOff()
            let stored = try records(of: bench)
            #expect(
                stored.keys.sorted() == [
                    "cccd_sec_2", "csfc_sec_1", "csfc_sec_2", "local_irk_1", "our_sec_1", "peer_sec_1",
                ])
            #expect(stored["cccd_sec_2"] == [1, 1, 0, 0, 0, 0, 0xC0, 0, 0x13, 0, 1, 0, 0, 0, 0, 0])
            // The stranger's bond was the first, and has been deleted.
            #expect(stored["our_sec_1"]?[8] == 2)
            await board.powerOn()
            try await bench.wait(for: "the second start") { log.starts == 2 && log.console.hasSuffix("ready\r\n") }
            let former = log.console.count
            try await owner.connectAgain()
            #expect(try await owner.encrypt() == Self.bonded)
            #expect(log.console.dropFirst(former).contains("subscribe 19 1\n"), "\(log.console)")
            #expect(!log.console.dropFirst(former).contains("subscribe 16"))
        }
    }

    // MARK: Helpers

    private func connect(_ number: UInt64, _ bench: BoardBench, _ board: VirtualBoard) async throws -> Client {
        let client = Client(try await bench.central(number).0, bench, board.bluetoothAddress)
        try await client.connectAgain()
        return client
    }

    /// Two bonded, disconnected clients, the older one first; the board advertises.
    private func owners(_ bench: BoardBench, _ board: VirtualBoard) async throws -> [Client] {
        var owners: [Client] = []
        for number in UInt64(1)...2 {
            let owner = try await connect(number, bench, board)
            #expect(try await owner.pair() == Self.bonded)
            try await owner.leave(board)
            owners.append(owner)
        }
        return owners
    }

    /// The sketch's list.
    private func list(_ board: VirtualBoard, _ log: BoardLog, _ bench: BoardBench) async throws -> [String] {
        let former = log.console.count
        await board.type(Array("s".utf8))
        try await bench.wait(for: "the list") { log.console.dropFirst(former).hasSuffix("listed\r\n") }
        return log.console.dropFirst(former).split(whereSeparator: \.isNewline).dropLast().map(String.init)
    }

    /// NimBLE's records in flash.
    private func records(of bench: BoardBench) throws -> [String: [UInt8]] {
        var nvs = try NVSStorage(mounting: try bench.nvs())
        let namespace = try nvs.openNamespace("nimble_bond", readOnly: true)
        let keys = nvs.contents.filter { $0.namespace == "nimble_bond" }.map(\.key)
        return try Dictionary(
            uniqueKeysWithValues: keys.map { ($0, try nvs.value(of: $0, type: .blob, in: namespace).bytes) })
    }
}

/// A central and its connection to the board.
private final class Client: Sendable {
    private let central: HCICentral
    private let bench: BoardBench
    private let peer: DeviceAddress
    private let connection = Mutex<ConnectionID?>(nil)

    init(_ central: HCICentral, _ bench: BoardBench, _ peer: DeviceAddress) {
        self.central = central
        self.bench = bench
        self.peer = peer
    }

    private var current: ConnectionID {
        get throws { try #require(connection.withLock { $0 }) }
    }

    func connectAgain() async throws {
        let made = try await bench.connect(central, to: peer)
        connection.withLock { $0 = made }
    }

    func pair() async throws -> LinkSecurity {
        let security = try await central.pair(try current)
        // Wait until it is in flash.
        try await bench.sleep(.milliseconds(200))
        return security
    }

    func encrypt() async throws -> LinkSecurity {
        let security = try await central.encrypt(try current)
        try await bench.sleep(.milliseconds(200))
        return security
    }

    // Not inlined: that crashes the optimizer of Swift 6.3.1 (CoroSplit).
    @inline(never)
    func write(_ value: [UInt8], _ attribute: AttributeID) async throws {
        try await central.write(value, to: attribute, kind: .withResponse, on: try current)
    }

    func subscribe(_ configuration: AttributeID) async throws {
        try await write([1, 0], configuration)
    }

    /// Disconnects; `board` then advertises.
    func leave(_ board: VirtualBoard? = nil) async throws {
        try await central.disconnect(try current)
        try await bench.sleep(.seconds(1))
        await board?.type(Array("a".utf8))
        try await bench.sleep(.milliseconds(50))
    }
}
