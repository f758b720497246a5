import ESPChips
import ESPFlasher
import ESPImage
import Foundation
import MonotonicTime
import SerialNetwork
import SerialPort
import Testing
import VirtualBoard

/// What esptool wrote is what our flasher reads, and the other way round, byte for byte, over a socket.
@Suite(.enabled(if: Esptool.isInstalled, "needs .venv with esptool: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct EsptoolExchangeTests {
    /// Runs `body` with a session over the socket, and closes it.
    private static func session<Value: Sendable>(
        _ address: PortAddress, withStub: Bool,
        _ body: @escaping @Sendable (Flasher, ConnectedBoard) async throws -> Value
    ) async throws -> Value {
        let stub = withStub ? try EsptoolStub.image(for: .esp32) : nil
        let port = try await SocketKind().open(address, .default)
        do {
            let flasher = Flasher(port: port, clock: ContinuousClock())
            let board = try await flasher.open(SessionOptions { (_, _) throws(FlasherError) in stub })
            let value = try await body(flasher, board)
            try await flasher.reset(.soft)
            await port.close()
            return value
        } catch {
            await port.close()
            throw error
        }
    }

    @Test(arguments: [true, false])
    func bothReadWhatTheOtherWrote(withStub: Bool) async throws {
        let count = withStub ? 150_001 : 20_001
        var random = SeededRandom(seed: 8)
        let first = random.bytes(count)
        let second = random.bytes(count / 2) + Array(repeating: 0x20, count: count - count / 2)
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let written = folder.appending(path: "written.bin")
        let read = folder.appending(path: "read.bin")
        try Data(first).write(to: written)
        try await withServedBoard(.socket) { _, address in
            let port = address.description
            let write = try await Esptool.run(
                ["--port", port, "--after", "no-reset", "write-flash", "0x20000", written.path])
            #expect(write.status == 0, "\(write.output)")
            let range: Range<UInt64> = 0x2_0000..<0x2_0000 + UInt64(count)
            let layout = try FlashLayout([.init(name: "data", offset: 0x2_0000, bytes: second)])
            let found = try await Self.session(address, withStub: withStub) { flasher, board in
                let bytes = try await flasher.read(range, of: board)
                let summary = try await flasher.write(layout, to: board)
                #expect(summary.isVerified && summary.restarts == 0)
                return bytes
            }
            #expect(found == first)
            let back = try await Esptool.run(
                ["--port", port, "read-flash", "0x20000", "\(count)", read.path])
            #expect(back.status == 0, "\(back.output)")
        }
        #expect(try Data(contentsOf: read) == Data(second))
    }
}
