import BLECentral
import BLECentralHCI
import BLECore
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// The bonds of a board's NimBLE host in its flash.
@Suite struct BondTests {
    private static let paired = LinkSecurity(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16)
    private static let subscription = AttributeID(rawValue: 0x0013)

    @Test func aBondIsStoredInNimBLEsFormatAndSurvivesAPowerLoss() async throws {
        try await aBondIsStored(.builtIn)
    }

    @Test(.needsNimBLELibrary) func theLibraryStoresItInThatFormat() async throws {
        try await aBondIsStored(.library)
    }

    private func aBondIsStored(_ nimble: NimBLEChoice) async throws {
        try await BoardBench.run("TraceLock", nimble) { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await central.write([1, 0], to: Self.subscription, kind: .withResponse, on: connection)
            try await bench.sleep(.milliseconds(100))
            #expect(await board.bonds == [Self.identity(1)])
            try await board.powerOff()
            let nvs = try NVSStorage(mounting: try bench.nvs())
            #expect(
                nvs.contents.filter { $0.namespace == "nimble_bond" }.map(\.key).sorted()
                    == ["cccd_sec_1", "csfc_sec_1", "local_irk_1", "our_sec_1", "peer_sec_1"]
                    // The address that the peer had when it paired, which only the library keeps.
                    + (nimble == .library ? ["rpa_rec_1"] : []))
            let own = try bytes("our_sec_1", nvs)
            let peer = try bytes("peer_sec_1", nvs)
            // ble_store_value_sec: address, count, key size, LTK and its flag, the peer's IRK, authenticated and SC.
            #expect(own.count == 88 && peer.count == 88)
            #expect(Array(own[0..<7]) == [1, 1, 0, 0, 0, 0, 0xC0] && own[0..<7] == peer[0..<7])
            #expect(own[8] == 1 && own[10] == 16 && own[40] == 1 && own[80] == 3)
            #expect(own[24..<40] == peer[24..<40])
            #expect(peer[57] == 1 && peer[80] == 3)
            // ble_store_value_cccd: address, handle of the value, flags.
            #expect(Array(try bytes("cccd_sec_1", nvs)[7..<11]) == [0, 0x12, 0, 1])
            #expect(try bytes("local_irk_1", nvs).count == 23)

            // The central detects it.
            try await bench.sleep(.seconds(3))
            await board.powerOn()
            let again = try await bench.connect(central, to: board)
            #expect(try await central.encrypt(again) == Self.paired)
            #expect(try await central.read(Self.subscription, on: again) == [1, 0])
        }
    }

    @Test func theIdentityKeyIsPersistent() async throws {
        try await BoardBench.run("TraceLock") { bench, board, log in
            try await bench.wait(for: "the start") { log.starts == 1 }
            try await bench.sleep(.milliseconds(200))
            let first = try bytes("local_irk_1", try NVSStorage(mounting: try bench.nvs()))
            await board.reset()
            try await bench.wait(for: "the start") { log.starts == 2 }
            try await bench.sleep(.milliseconds(200))
            #expect(try bytes("local_irk_1", try NVSStorage(mounting: try bench.nvs())) == first)
        }
    }

    @Test func theFourthBondReplacesTheFirst() async throws {
        try await BoardBench.run("TraceLock") { bench, board, log in
            for number in UInt64(1)...4 {
                let (central, connection) = try await paired(bench, board, number)
                try await central.disconnect(connection)
            }
            #expect(await board.bonds == [Self.identity(2), Self.identity(3), Self.identity(4)])
            // In the freed number, with a higher count: the order is kept over the reset.
            await board.reset()
            try await bench.wait(for: "the start") { log.starts == 2 }
            try await bench.sleep(.milliseconds(200))
            #expect(await board.bonds == [Self.identity(2), Self.identity(3), Self.identity(4)])
            let nvs = try NVSStorage(mounting: try bench.nvs())
            #expect(try bytes("our_sec_1", nvs)[1] == 4)
        }
    }

    @Test func pairingAgainReplacesTheBond() async throws {
        try await BoardBench.run("TraceLock") { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            let former = try bytes("our_sec_1", try NVSStorage(mounting: try bench.nvs()))
            for bond in try await central.bonds() { try await central.forget(bond.identity) }
            try await central.disconnect(connection)
            _ = try await paired(bench, board, central: central)
            #expect(await board.bonds == [Self.identity(1)])
            let latter = try bytes("our_sec_1", try NVSStorage(mounting: try bench.nvs()))
            #expect(former[24..<40] != latter[24..<40])
        }
    }

    @Test func aCentralDetectsADeletedBond() async throws {
        try await aCentralDetectsADeletedBond(.builtIn)
    }

    @Test(.needsNimBLELibrary) func theLibraryForgetsADeletedBond() async throws {
        try await aCentralDetectsADeletedBond(.library)
    }

    /// Of two peers one is deleted while it is connected: its link goes on, and cannot be encrypted the next time.
    private func aCentralDetectsADeletedBond(_ nimble: NimBLEChoice) async throws {
        try await BoardBench.run("TraceLock", nimble) { bench, board, log in
            let (other, otherConnection) = try await paired(bench, board, 2)
            try await other.disconnect(otherConnection)
            let (central, connection) = try await paired(bench, board)
            try await board.forgetBonds(with: Self.identity(1))
            #expect(await board.bonds == [Self.identity(2)])
            #expect(try await central.read(Self.subscription, on: connection) == [0, 0])
            try await central.disconnect(connection)
            try await board.forgetBonds(with: nil)
            #expect(await board.bonds == [])
            let again = try await bench.connect(central, to: board)
            await #expect(throws: CentralError.self) { try await central.encrypt(again) }
            try await board.powerOff()
            #expect(
                try NVSStorage(mounting: try bench.nvs()).contents.map(\.key).filter { $0.hasSuffix("sec_1") } == [])
        }
    }

    @Test func bondsCanBeDeletedWithoutPower() async throws {
        try await BoardBench.run("TraceLock") { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await central.disconnect(connection)
            try await board.powerOff()
            #expect(await board.bonds == [Self.identity(1)])
            try await board.forgetBonds(with: Self.identity(2))
            #expect(await board.bonds == [Self.identity(1)])
            try await board.forgetBonds(with: Self.identity(1))
            #expect(await board.bonds == [])
            await board.powerOn()
            let again = try await bench.connect(central, to: board)
            await #expect(throws: CentralError.self) { try await central.encrypt(again) }
        }
    }

    /// A power loss in each flash operation of a new bond.
    @Test func aPowerLossLeavesTheBondOrNone() async throws {
        try await BoardBench.run("TraceLock") { bench, board, log in
            let (central, _) = try await bench.central()
            central.answerPairings(with: [123456])
            var outcomes: [Bool] = []
            while outcomes.suffix(3) != [true, true, true], outcomes.count < 60 {
                let cut = outcomes.count
                try await board.powerOff()
                try await bench.sleep(.seconds(3))
                try await board.eraseNVS()
                for bond in try await central.bonds() { try await central.forget(bond.identity) }
                await board.powerOn()
                let connection = try await bench.connect(central, to: board)
                let failure = PowerFailure(after: .microseconds(200 + 400 * cut))
                await board.setObserver { failure.notice($0, of: board, log) }
                // The central may have the keys, or may have lost the link before.
                _ = try? await central.pair(connection)
                try await bench.wait(for: "the cut") { failure.hasCome }
                try await bench.sleep(.seconds(3))
                await board.setObserver { log.append($0) }
                await board.powerOn()
                let again = try await bench.connect(central, to: board)
                let bonds = await board.bonds
                outcomes.append(!bonds.isEmpty)
                let peer = try await central.bonds().first
                if bonds.isEmpty || peer == nil {
                    await #expect(throws: CentralError.self, "cut \(cut)") { try await central.encrypt(again) }
                } else {
                    #expect(bonds == [Self.identity(1)])
                    #expect(try await central.encrypt(again) == Self.paired, "cut \(cut)")
                }
            }
            // From some operation on the bond exists.
            #expect(outcomes.first == false && outcomes.last == true, "\(outcomes)")
            #expect(outcomes == outcomes.sorted { !$0 && $1 }, "\(outcomes)")
        }
    }

    // MARK: Helpers

    private static func identity(_ number: UInt64) -> DeviceAddress {
        DeviceAddress(0xC000_0000_0000 + number, .random)
    }

    /// A central with a bond, and its connection.
    private func paired(
        _ bench: BoardBench, _ board: VirtualBoard, _ number: UInt64 = 1, central known: HCICentral? = nil
    ) async throws -> (HCICentral, ConnectionID) {
        let central = if let known { known } else { try await bench.central(number).0 }
        central.answerPairings(with: [123456])
        let connection = try await bench.connect(central, to: board)
        #expect(try await central.pair(connection) == Self.paired)
        // Wait until it is in flash.
        try await bench.sleep(.milliseconds(100))
        return (central, connection)
    }

    private func bytes(_ key: String, _ nvs: NVSStorage<MemoryFlash>) throws -> [UInt8] {
        var nvs = nvs
        let namespace = try nvs.openNamespace("nimble_bond", readOnly: true)
        return try nvs.value(of: key, type: .blob, in: namespace).bytes
    }
}

/// A power loss some time after a change of the storage.
final class PowerFailure: Sendable {
    private let delay: Duration
    private let state = Mutex((isPlanned: false, hasCome: false))

    init(after delay: Duration) {
        self.delay = delay
    }

    var hasCome: Bool { state.withLock { $0.hasCome } }

    func notice(_ event: VirtualBoardEvent, of board: VirtualBoard, _ log: BoardLog) {
        log.append(event)
        guard case .storage = event else { return }
        let isFirst = state.withLock { state in
            defer { state.isPlanned = true }
            return !state.isPlanned
        }
        guard isFirst else { return }
        let executor = board.executor
        executor.schedule(at: executor.now.advanced(by: delay)) {
            board.assumeIsolated { board in
                do throws(FlashError) { try board.powerOff() } catch { Issue.record(error) }
            }
            self.state.withLock { $0.hasCome = true }
        }
    }
}
