import Foundation
import MonotonicTime
import SerialNetwork
import SerialPort
import Testing
import VirtualBoard

/// esptool over RFC 2217, whose client in pyserial waits 0.05 to 0.15 s at each change of a time-out or line: one connection
/// serves several commands, through the functions that esptool offers to scripts.
@Suite(.enabled(if: Esptool.isInstalled, "needs .venv with esptool: Scripts/test makes it"), .timeLimit(.minutes(10)))
struct EsptoolNetworkTests {
    /// Arguments: the port, a file to write at 0x10000, the file of what is read back.
    private static let session = """
        import sys
        from esptool.cmds import *
        port, content, back = sys.argv[1:]
        esp = detect_chip(port, 115200)
        read_mac(esp)
        attach_flash(esp)
        flash_id(esp)
        esp = run_stub(esp)
        attach_flash(esp)
        print("crystal of the stub:", esp.get_crystal_freq())
        esp.change_baud(921600)
        with open(content, "rb") as file:
            write_flash(esp, [(0x10000, file)], compress=True)
        with open(content, "rb") as file:
            verify_flash(esp, [(0x10000, file)])
        read_flash(esp, 0x10000, 40000, back)
        erase_region(esp, 0x11000, 0x1000)
        reset_chip(esp, "hard-reset")
        """

    @Test func esptoolsCommandsWorkOverRFC2217() async throws {
        let files = EsptoolFiles()
        defer { files.remove() }
        var random = SeededRandom(seed: 17)
        let content = random.bytes(40_000)
        let path = try files.write("content.bin", content)
        let back = try files.write("back.bin", [])
        let script = try files.write("session.py", Array(Self.session.utf8))
        let (outcome, stored, chipEvents) = try await withServedBoard(.rfc2217) { board, address in
            let outcome = try await Esptool.python([script, address.description, path, back])
            return (outcome, try await board.flashBytes(0x10000, content.count), await board.chipEvents)
        }
        #expect(outcome.status == 0, "\(outcome.output)")
        for text in [
            "MAC:                02:eb:01:02:03:04", "Detected flash size: 4MB", "crystal of the stub: 40",
            "Hash of data verified.", "Verification successful", "Flash memory region erased successfully",
        ] {
            #expect(outcome.output.contains(text), "\(text): \(outcome.output)")
        }
        #expect(chipEvents.drop { $0 != .stubRunning }.contains(.started(.powerOn, .flash)), "\(chipEvents)")
        #expect(try Data(contentsOf: URL(filePath: back)) == Data(content))
        let erased = 4096..<8192
        #expect(stored[erased].allSatisfy { $0 == 0xFF })
        #expect(stored[..<4096] == content[..<4096] && stored[8192...] == content[8192...])
    }
}
