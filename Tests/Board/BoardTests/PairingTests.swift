import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// The callbacks and functions of NimBLE-Arduino's API for pairing.
@Suite struct PairingTests {
    private static let paired = LinkSecurity(isEncrypted: true, isAuthenticated: true, isBonded: true, keySize: 16)

    @Test func aWrongPasskeyIsReportedAndTheLinkStays() async throws {
        try await BoardBench.run("Pairing", after: "ready") { bench, board, log in
            let (central, connection) = try await connected(bench, to: board.bluetoothAddress, answers: [1, 4711])
            await #expect { try await central.pair(connection) } throws: {
                ($0 as? CentralError)?.code == .pairingFailed(reason: 0x04)
            }
            #expect(try await central.pair(connection) == Self.paired)
            try await bench.sleep(.milliseconds(100))
            let lines = log.console.split(whereSeparator: \.isNewline).suffix(6)
            #expect(
                Array(lines) == [
                    "ready", "connected bonded 0", "display",
                    "complete encrypted 0 authenticated 0 bonded 0 key 0 bonds 0", "display",
                    "complete encrypted 1 authenticated 1 bonded 1 key 16 bonds 1",
                ])
        }
    }

    @Test func theSketchCanRequestSecurity() async throws {
        try await BoardBench.run("Pairing", after: "ready") { bench, board, log in
            let events = Mutex<[CentralEvent]>([])
            let (central, connection) = try await connected(bench, to: board.bluetoothAddress, answers: [4711]) {
                event in
                events.withLock { $0.append(event) }
            }
            await board.type(Array("s".utf8))
            try await bench.wait(for: "the answer") { log.console.hasSuffix("asked 0\n") }
            try await bench.sleep(.milliseconds(100))
            #expect(events.withLock { $0.contains(.securityRequested(connection)) })
            #expect(try await central.pair(connection) == Self.paired)
        }
    }

    @Test func numericComparisonWorks() async throws {
        try await BoardBench.run("Pairing", after: "ready") { bench, board, log in
            let numbers = Mutex<[UInt32]>([])
            let (central, connection) = try await connected(bench, to: board.bluetoothAddress, answers: []) { event in
                guard case .pairingInput(_, .compareNumbers(let number)) = event else { return }
                numbers.withLock { $0.append(number) }
            }
            await board.type(Array("y".utf8))
            try await bench.sleep(.milliseconds(50))
            #expect(try await central.pair(connection) == Self.paired)
            let number = try #require(numbers.withLock { $0.first })
            let digits = String(number)
            let text = String(repeating: "0", count: 6 - digits.count) + digits
            #expect(log.console.contains("compare \(text)\n"), "\(log.console)")
        }
    }

    @Test func deletingABondDisconnectsAndFailsWhileAdvertising() async throws {
        try await BoardBench.run("Pairing", after: "ready") { bench, board, log in
            let (central, connection) = try await connected(bench, to: board.bluetoothAddress, answers: [4711, 4711])
            _ = try await central.pair(connection)
            try await bench.sleep(.milliseconds(100))
            await board.type(Array("d".utf8))
            try await bench.wait(for: "the deletion") { log.console.contains("deleted 1\n") }
            try await bench.wait(for: "the end") { log.console.contains("disconnected 534\n") }
            #expect(await board.bonds == [])

            for bond in try await central.bonds() { try await central.forget(bond.identity) }
            await board.type(Array("a".utf8))
            let again = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.sleep(.milliseconds(200))
            _ = try await central.pair(again)
            await board.type(Array("a".utf8))
            try await bench.sleep(.milliseconds(50))
            await board.type(Array("d".utf8))
            try await bench.wait(for: "the refusal") { log.console.contains("deleted 0\n") }
            #expect(await board.bonds.count == 1)
        }
    }

    @Test func aPrivateAddressIsResolvedByTheBond() async throws {
        try await BoardBench.run("Pairing", after: "ready") { bench, board, log in
            await board.type(Array("p".utf8))
            try await bench.wait(for: "the address") { log.console.contains("address ") && log.console.hasSuffix("\n") }
            let text = try #require(log.console.split(whereSeparator: \.isNewline).last?.split(separator: " ").last)
            let address = try #require(DeviceAddress(text, .random))
            // Resolvable private: the two top bits are 01.
            #expect(address.value >> 46 == 0b01)
            let (central, connection) = try await connected(bench, to: address, answers: [4711])
            #expect(try await central.pair(connection) == Self.paired)
            #expect(try await central.bonds().map(\.identity) == [board.bluetoothAddress])
        }
    }

    @Test func aStaticRandomAddressIsTheIdentity() async throws { try await pairWithStaticAddress(.builtIn) }

    @Test(.needsNimBLELibrary) func aStaticRandomAddressIsTheIdentityOfTheLibrary() async throws {
        try await pairWithStaticAddress(.library)
    }

    private func pairWithStaticAddress(_ nimble: NimBLEChoice) async throws {
        try await BoardBench.run("Pairing", nimble, after: "ready") { bench, board, log in
            await board.type(Array("r".utf8))
            try await bench.wait(for: "the address") { log.console.contains("address ") && log.console.hasSuffix("\n") }
            let text = try #require(log.console.split(whereSeparator: \.isNewline).last?.split(separator: " ").last)
            let address = try #require(DeviceAddress(text, .random))
            // Static: the two top bits are 11.
            #expect(address.value >> 46 == 0b11)
            let (central, connection) = try await connected(bench, to: address, answers: [4711])
            #expect(try await central.pair(connection) == Self.paired)
            #expect(try await central.bonds().map(\.identity) == [address])
        }
    }

    // MARK: Helpers

    /// A connected central that answers pairings with the passkeys one after the other, and confirms numbers.
    private func connected(
        _ bench: BoardBench, to address: DeviceAddress, answers: [UInt32],
        _ handler: @escaping @Sendable (CentralEvent) -> Void = { _ in }
    ) async throws -> (HCICentral, ConnectionID) {
        let (central, _) = try await bench.central()
        central.answerPairings(with: answers, handler)
        return (central, try await bench.connect(central, to: address))
    }
}
