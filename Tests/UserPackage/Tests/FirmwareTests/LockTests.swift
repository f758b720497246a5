import BenchTesting
import Testing

@Suite(.bench(sketch: "Firmware/ServoLock")) struct LockTests {
    let service = BLEUUID(literal: "3c3996e0-4d2c-11ed-bdc3-0242ac120002")
    let command = BLEUUID(literal: "3c399a64-4d2c-11ed-bdc3-0242ac120002")
    let state = BLEUUID(literal: "3c399c44-4d2c-11ed-bdc3-0242ac120002")

    @Test(arguments: 0..<3) func opensForItsOwner(seed: UInt64) async throws {
        try await withBench(seed: seed) { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.expectError(.attError(0x05)) { try await link.write("1", to: command) }
            let security = try await link.pair(passkey: .console(#"Passkey: (\d{6})"#))
            #expect(security.isEncrypted && security.isAuthenticated && security.isBonded)
            try await bench.board.expectConsole("Client authenticated")
            try await link.subscribe(to: state)
            try await link.write("1", to: command)
            try await link.expectNotification(of: state, Array("1".utf8))
            try await bench.board.expectServo(.sweep(from: 0, to: 90), within: .seconds(2))
        }
    }

    @Test func refusesAWrongPasskey() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.expectError(.pairingFailed(reason: 0x04)) {
                try await link.pair(passkey: .wrongConsole(#"Passkey: (\d{6})"#))
            }
            #expect(try await bench.board.bonds().isEmpty)
        }
    }
}
