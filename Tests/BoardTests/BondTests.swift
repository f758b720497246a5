import BLECentral
import BLECentralHCI
import BLECore
import ESPImage
import FirmwareBuild
import Foundation
import Simulation
import Testing
import VirtualBoard

/// The bonds of a board's NimBLE host in its flash.
@Suite struct BondTests {
    private static let paired = LinkSecurity(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16)
    private static let subscription = AttributeID(rawValue: 0x0013)

    @Test func aBondOutlivesPowerAndStandsInFlashAsNimBLEWritesIt() async throws {
        try await run { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await central.write([1, 0], to: Self.subscription, kind: .withResponse, on: connection)
            try await bench.sleep(.milliseconds(100))
            #expect(await board.bonds() == [Self.identity(1)])
            try await board.powerOff()
            let nvs = try NVSStorage(mounting: try bench.nvs())
            #expect(
                nvs.contents.filter { $0.namespace == "nimble_bond" }.map(\.key).sorted()
                    == ["cccd_sec_1", "csfc_sec_1", "local_irk_1", "our_sec_1", "peer_sec_1"])
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

            await board.powerOn()
            let again = try await connect(central, bench, board)
            #expect(try await central.encrypt(again) == Self.paired)
            #expect(try await central.read(Self.subscription, on: again) == [1, 0])
        }
    }

    @Test func theIdentityKeyStaysTheSame() async throws {
        try await run { bench, board, log in
            try await bench.wait(for: "the start") { log.starts == 1 }
            try await bench.sleep(.milliseconds(200))
            let first = try bytes("local_irk_1", try NVSStorage(mounting: try bench.nvs()))
            await board.reset()
            try await bench.wait(for: "the start") { log.starts == 2 }
            try await bench.sleep(.milliseconds(200))
            #expect(try bytes("local_irk_1", try NVSStorage(mounting: try bench.nvs())) == first)
        }
    }

    @Test func ofFourPeersTheFirstIsForgotten() async throws {
        try await run { bench, board, log in
            for number in UInt64(1)...4 {
                let (central, connection) = try await paired(bench, board, number)
                try await central.disconnect(connection)
            }
            #expect(await board.bonds() == [Self.identity(2), Self.identity(3), Self.identity(4)])
            // In the number that became free, with a higher count: the order outlives the reset.
            await board.reset()
            try await bench.wait(for: "the start") { log.starts == 2 }
            try await bench.sleep(.milliseconds(200))
            #expect(await board.bonds() == [Self.identity(2), Self.identity(3), Self.identity(4)])
            let nvs = try NVSStorage(mounting: try bench.nvs())
            #expect(try bytes("our_sec_1", nvs)[1] == 4)
        }
    }

    @Test func pairingAgainReplacesTheBond() async throws {
        try await run { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await bench.sleep(.milliseconds(100))
            let former = try bytes("our_sec_1", try NVSStorage(mounting: try bench.nvs()))
            try await central.forget(Self.identity(0, isBoard: true))
            try await central.disconnect(connection)
            _ = try await paired(bench, board, central: central)
            try await bench.sleep(.milliseconds(100))
            #expect(await board.bonds() == [Self.identity(1)])
            let latter = try bytes("our_sec_1", try NVSStorage(mounting: try bench.nvs()))
            #expect(former[24..<40] != latter[24..<40])
        }
    }

    @Test func lostBondsAreGoneForTheCentralToo() async throws {
        try await run { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await central.disconnect(connection)
            try await board.loseBonds()
            #expect(await board.bonds() == [])
            let again = try await connect(central, bench, board)
            await #expect(throws: CentralError.self) { try await central.encrypt(again) }
            try await board.powerOff()
            #expect(
                try NVSStorage(mounting: try bench.nvs()).contents.map(\.key).filter { $0.hasSuffix("sec_1") } == [])
        }
    }

    @Test func bondsCanBeLostWithoutPower() async throws {
        try await run { bench, board, log in
            let (central, connection) = try await paired(bench, board)
            try await central.disconnect(connection)
            try await board.powerOff()
            #expect(await board.bonds() == [Self.identity(1)])
            try await board.loseBonds(with: Self.identity(2))
            #expect(await board.bonds() == [Self.identity(1)])
            try await board.loseBonds(with: Self.identity(1))
            #expect(await board.bonds() == [])
            await board.powerOn()
            let again = try await connect(central, bench, board)
            await #expect(throws: CentralError.self) { try await central.encrypt(again) }
        }
    }

    /// The power fails at each operation of the flash that a new bond takes, in the middle of it.
    @Test func aPowerCutLeavesABondOrNone() async throws {
        try await run { bench, board, log in
            let (central, _) = try await bench.central()
            await answer(central, with: 123456)
            var outcomes: [Bool] = []
            while outcomes.count < 60, outcomes.suffix(4) != [true, true, true, true] {
                let cut = outcomes.count
                try await board.eraseNVS()
                for bond in try await central.bonds() { try await central.forget(bond.identity) }
                await board.powerOn()
                try await bench.wait(for: "the start") { log.starts == 2 * cut + (cut == 0 ? 1 : 2) - 1 }
                let connection = try await connect(central, bench, board)
                let before = operations(log)
                _ = try await central.pair(connection)
                while operations(log) <= before + cut {
                    let count = operations(log)
                    try await bench.sleep(.microseconds(100))
                    if operations(log) == count, await board.storageIsIdle { break }
                }
                try await board.powerOff()
                await board.powerOn()
                let again = try await connect(central, bench, board)
                let bonds = await board.bonds()
                outcomes.append(!bonds.isEmpty)
                if bonds.isEmpty {
                    await #expect(throws: CentralError.self, "cut \(cut)") { try await central.encrypt(again) }
                } else {
                    #expect(bonds == [Self.identity(1)])
                    #expect(try await central.encrypt(again) == Self.paired, "cut \(cut)")
                }
                try await board.powerOff()
            }
            #expect(outcomes.first == false && outcomes.last == true, "\(outcomes)")
            // From some operation on the bond is there.
            #expect(outcomes == outcomes.sorted { !$0 && $1 }, "\(outcomes)")
        }
    }
}
