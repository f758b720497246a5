import ByteCodec
import FirmwareBuild
import BenchExecutor
import Testing
import VirtualBoard

/// A sketch's descriptors as a client reads and writes them.
@Suite struct DescriptorTests {
    /// Requests on an unpaired link, and the responses: ATT PDUs in hexadecimal.
    private static let exchanges: [(request: String, response: String)] = [
        // 2901: READ.
        ("0a1100", "0b612076616c7565"), ("12110001", "0112110003"),
        // 2904: always READ.
        ("0a1200", "0b06000027010000"), ("12120001", "0112120003"),
        // READ and WRITE, at most 8 bytes.
        ("0a1300", "0b6e6f7465"),
        ("121300", "13"), ("0a1300", "0b"),
        ("121300010203040506070809", "011213000d"), ("0a1300", "0b"),
        ("1213000102030405060708", "13"), ("0a1300", "0b0102030405060708"),
        // Read by type; read blob: from 3, at the end, beyond it.
        ("080100ffff02aa", "090a13000102030405060708"),
        ("0c13000300", "0d0405060708"), ("0c13000800", "0d"), ("0c13000900", "010c130007"),
        // A long write: prepared, executed.
        ("161300000001aa", "171300000001aa"), ("161300020003bb", "171300020003bb"),
        // WRITE_NR permits a request, too.
        ("1214000102", "13"), ("0a1400", "010a140002"),
        // READ_ENC, READ_AUTHEN, READ_AUTHOR; WRITE_ENC, WRITE_AUTHEN, WRITE_AUTHOR.
        ("0a1500", "010a150005"), ("0a1600", "010a160005"), ("0a1700", "010a170008"),
        ("12180001", "0112180005"), ("12190001", "0112190005"), ("121a0001", "01121a0008"),
        ("121500", "0112150003"), ("0a1800", "010a180002"),
        // Security properties alone permit nothing.
        ("0a1b00", "010a1b0002"), ("121b0001", "01121b0003"),
    ]

    @Test func descriptorsPermitTheDeclaredAccess() async throws {
        let firmware = try await SketchBuilds.shared.build("Descriptors")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            let central = try await RawCentral(bench)
            try await central.connect(to: board.bluetoothAddress)
            for (request, response) in Self.exchanges {
                #expect(try await answer(to: request, central, bench) == response, "\(request)")
            }
            for length in 0...8 {
                let value = Hexadecimal.string((0..<length).map { UInt8($0) })
                #expect(try await answer(to: "121300" + value, central, bench) == "13")
                #expect(try await answer(to: "0a1300", central, bench) == "0b" + value)
            }
            #expect(log.console.contains("read 0xaa02") && log.console.hasSuffix("written 8\nread 0xaa02\n"))
        }
    }

    /// The ATT PDUs in response to one.
    private func answer(to request: String, _ central: RawCentral, _ bench: BoardBench) async throws -> String {
        central.send(try #require(Hexadecimal.bytes(request)), channel: 4)
        try await bench.sleep(.milliseconds(50))
        return central.drainFrames().filter { $0[0] == "0004" }.map { $0[1] }.joined(separator: " ")
    }
}
