import EspbenchCommands
import Foundation
import Testing

private let tools = ["/usr/bin/riscv64-unknown-elf-gcc", "/usr/bin/qemu-riscv32"]

/// `espbench monitor --elf` of a RISC-V program that panics (`Tests/Board/FirmwareBuildTests/Panic`): what the board prints
/// comes through a pseudo-terminal from `qemu-riscv32`.
@Suite(
    "espbench monitor, below a panic of a RISC-V chip", .ownThreads,
    .enabled(
        if: tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) },
        "gcc-riscv64-unknown-elf or qemu-user is not installed"))
struct MonitorPanicTests {
    private static func run(_ program: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return data
    }

    @Test("shows the calls that led to it, on the screen and in the log")
    func backtrace() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Board/FirmwareBuildTests/Panic").path
        try withTemporaryFolder { folder in
            let program = folder.appending(path: "panic.elf").path
            _ = try Self.run(
                tools[0],
                [
                    "-march=rv32imc", "-mabi=ilp32", "-g", "-Os", "-fno-builtin", "-nostdlib", "-DCRASH=0",
                    "-DFRAME_SECTIONS=.debug_frame", "-Wl,-Ttext=0x42000000", "-Wl,-Tdata=0x3fc80000",
                    "-Wl,-Tbss=0x3fc90000", "-o", program, "\(sources)/panic.c", "\(sources)/crash.c",
                    "\(sources)/frames.S", "-lgcc",
                ])
            let console = try Self.run(tools[1], [program])
            let board = try PseudoTerminal()
            defer { board.closeBoth() }
            let tool = EspbenchProcess(
                [
                    "monitor", "--port", board.path, "--elf", program, "--log", "board.log", "--timestamps", "none",
                    "--until", "^Rebooting",
                ], folder: folder, input: FileHandle.nullDevice)
            try tool.process.run()
            _ = tool.waitForNote("shows the keys\n")
            board.type(Array(console))
            let lines = tool.waitForOutput("\u{0}").split(separator: "\n", omittingEmptySubsequences: false)
            tool.process.waitUntilExit()
            #expect(tool.process.terminationStatus == 0)

            // Below the last row of the stack.
            let row = try #require(lines.lastIndex { $0.contains(": 0xa5a5a5a5 0x") })
            let expected = [
                "(inlined): store at crash.c:9", "leaf at crash.c:13", "busy at crash.c:20", "recursive at crash.c:26",
                "recursive at crash.c:27", "recursive at crash.c:27", "recursive at crash.c:27",
                "variable at crash.c:34",
                "app_main at crash.c:", "task at panic.c:",
            ]
            let shown = lines[(row + 1)...].drop { $0 != "--- backtrace:" }.dropFirst()
            #expect(shown.count > expected.count, "\(lines)")
            for (line, text) in zip(shown, expected) {
                #expect(line.hasPrefix("--- ") && line.contains(text), "\(line)")
            }
            #expect(!lines.contains { $0.contains("maybe") || $0.contains("the backtrace ends") })
            let digest = "--- the board runs another program than \(program): the places above may be wrong"
            #expect(shown.dropFirst(expected.count).contains { $0 == digest })
            let log = try String(contentsOf: folder.appending(path: "board.log"), encoding: .utf8)
            for line in shown.prefix(expected.count) { #expect(log.contains(" \(line)\n")) }
        }
    }
}
