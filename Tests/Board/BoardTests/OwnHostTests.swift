import BLECentral
import BLECentralHCI
import BLECore
import BenchExecutor
import FirmwareBuild
import MonotonicTime
import Testing
import VirtualBoard

/// A sketch that brings its own Bluetooth host: the board is its controller, and nothing else.
@Suite struct OwnHostTests {
    @Test func itsPacketsGoToTheControllerAndBack() async throws {
        let firmware = try await SketchBuilds.shared.build("OwnHost")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the commands' answers") { log.console.hasSuffix("040e04010a2000\r\n") }
            let address = board.bluetoothAddress
            let bytes = (0..<6).map { hex(UInt8(truncatingIfNeeded: address.value >> (8 * UInt64($0)))) }.joined()
            let lines = [
                "open 0 \(hex(UInt8(address.value >> 40)))", "040e0401030c00", "040e0401010c00",
                "040e0a01091000\(bytes)", "040e0401082000", "040e04010a2000",
            ]
            #expect(log.console.hasSuffix(lines.joined(separator: "\r\n") + "\r\n"), "\(log.console)")
            #expect(log.events.contains(.bluetoothHost("TinyHost 1")))

            // LE Connection Complete, with the role of the peripheral; the board's own host does not answer.
            let (central, _) = try await bench.central()
            _ = try? await central.connect(to: PeerID(address), within: .seconds(2))
            try await bench.sleep(.seconds(1))
            #expect(log.console.contains("\r\n043e130100"), "\(log.console)")

            // Another host finds the controller reset: the link has ended, without a word to it.
            await board.type(Array("o".utf8))
            try await bench.sleep(.seconds(1))
            #expect(log.console.hasSuffix("\(lines[0])\r\n\(lines[3])\r\n"), "\(log.console)")

            // A host for the ESP32-S3 finds its controller, with extended advertising of 1,650 bytes; then one for the ESP32:
            // an unknown command.
            for (key, answer) in [("5", "040e06013a20007206"), ("4", "040f0401013a20")] {
                await board.type(Array(key.utf8))
                try await bench.sleep(.seconds(1))
                #expect(log.console.hasSuffix("\(lines[0])\r\n\(answer)\r\n"), "\(log.console)")
            }

            // It does not know that it may be asked to delete bonds.
            await #expect(throws: BondsNotForgotten.self) { try await board.forgetBonds(with: nil) }
            try await board.powerOff()
        }
    }

    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
