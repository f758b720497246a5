import Console
import FirmwareBuild
import Foundation
import Testing

/// Programs that panic on a RISC-V machine (`Panic/`): built with Debian's toolchain, run by `qemu-riscv32`, which gives
/// real registers and stacks. The judge is gdb, with the server that ESP-IDF's monitor gives it for the same output.
struct RISCVPanic {
    static let tools = ["riscv64-unknown-elf-gcc", "qemu-riscv32", "gdb-multiarch"].map { "/usr/bin/" + $0 }
    static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Panic").path
    // Not standardized, as that would follow the environment's link.
    static let python = sources + "/../../../../.venv/bin/python"
    static let isInstalled = (tools + [python]).allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// What the program does.
    enum Crash: Int, CaseIterable {
        case recursion, nullFunction, trap, largeFrame, handwritten
    }

    let program: String
    /// What it printed.
    let output: String

    /// Builds the program in `folder`, and runs it.
    init(_ crash: Crash, _ options: [String], in folder: URL) throws {
        program = folder.appending(path: "panic.elf").path
        let machine = options.contains { $0.hasPrefix("-march") } ? [] : ["-march=rv32imc"]
        _ = try Self.run(
            Self.tools[0],
            machine + [
                "-mabi=ilp32", "-fno-builtin", "-nostdlib", "-DCRASH=\(crash.rawValue)", "-Wl,-Ttext=0x42000000",
                "-Wl,-Tdata=0x3fc80000", "-Wl,-Tbss=0x3fc90000", "-o", program,
                // Where the assembler puts call frame information, as the compiler does.
                "-DFRAME_SECTIONS=" + (options.contains("-fasynchronous-unwind-tables") ? ".eh_frame" : ".debug_frame"),
            ] + options + ["panic.c", "crash.c", "frames.S"].map { "\(Self.sources)/\($0)" } + ["-lgcc"])
        output = try Self.run(Self.tools[1], [program])
    }

    /// What the monitor shows below `output`, without the lines below single lines of it.
    func backtrace(of output: String) async throws -> [String] {
        var crashes = CrashLines(symbols: ELFPrograms([try ELFProgram(path: program, home: nil)]))
        var lines: [String] = []
        for line in output.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        where crashes.mayDecode(line) {
            lines += await crashes.lines(below: line)
        }
        return Array(lines.drop { $0 != "--- backtrace:" && !$0.hasPrefix("--- possible") }.dropLast())
    }

    /// The frames in lines of a backtrace: function and place, or `??`.
    static func frames(_ lines: [String]) -> [String] {
        lines.dropFirst().prefix { !$0.hasPrefix("--- the backtrace ends") }.map { line in
            let text = line.split(separator: ": ", maxSplits: 1).last ?? ""
            return text == "not in the program" ? "??" : String(text)
        }
    }

    /// gdb's backtrace of `output`.
    func judge(_ folder: URL) throws -> [String] {
        let file = folder.appending(path: "panic.txt")
        try Data(output.utf8).write(to: file)
        let text = try Self.run(
            Self.tools[2],
            [
                // On a busy machine the server is slow to begin: gdb waits 2 s otherwise.
                "--batch", "-n", program, "-ex", "set remotetimeout 600", "-ex",
                "target remote | '\(Self.python)' -m esp_idf_panic_decoder '\(file.path)'", "-ex", "bt",
            ])
        let pattern = #/#\d+ +(?:0x[0-9a-f]+ in )?([^ ]+) \(.*\)(?: at .*?([^/]+:\d+))?/#
        return text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: pattern) else { return nil }
            return match.2.map { "\(match.1) at \($0)" } ?? String(match.1)
        }
    }

    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program): \(text)")
        return text
    }
}

@Suite(
    "Backtraces of RISC-V panics",
    .enabled(
        if: RISCVPanic.isInstalled,
        "gcc-riscv64-unknown-elf, qemu-user, gdb-multiarch or .venv with esp-idf-panic-decoder is not installed"))
struct RISCVPanicTests {
    private static let builds = [
        ["-g", "-O0"], ["-g", "-O0", "-fomit-frame-pointer"], ["-g", "-O1"], ["-g", "-Os"], ["-g", "-O2"],
        ["-gdwarf-4", "-O2", "-fno-omit-frame-pointer"], ["-g", "-Os", "-msave-restore"],
        ["-g", "-O2", "-march=rv32i"], ["-g", "-O2", "-march=rv32imafc", "-mabi=ilp32f"],
        ["-g", "-O2", "-fasynchronous-unwind-tables"],
    ]

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-panic-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("name the functions and lines that gdb names", arguments: builds, RISCVPanic.Crash.allCases)
    func judged(options: [String], crash: RISCVPanic.Crash) async throws {
        try await withFolder { folder in
            let panic = try RISCVPanic(crash, options, in: folder)
            let lines = try await panic.backtrace(of: panic.output)
            let frames = RISCVPanic.frames(lines)
            let judged = try panic.judge(folder)
            if crash == .trap, options.contains("-msave-restore") {
                // The compiler saves no return address where a function is called that does not return.
                #expect(frames == judged && frames.count == 2, "\(lines)")
                #expect(lines[3].hasSuffix("as the one it called does not return"), "\(lines)")
                #expect(lines.last?.hasPrefix("--- maybe ") == true && lines.last?.contains(": task at ") == true)
            } else if crash == .largeFrame {
                // gdb takes what was not printed for 0.
                #expect(judged.last == "??")
                #expect(frames == Array(judged.dropLast()))
                #expect(lines.last?.hasSuffix("was not printed") == true, "\(lines)")
            } else {
                // gdb names no function that an interrupt called.
                #expect(frames.filter { !$0.hasPrefix("handler at") } == judged, "\(lines)")
                #expect(frames.last?.hasPrefix("task at panic.c:") == true)
                #expect(frames.count == lines.count - 1, "\(lines)")
            }
            #expect(frames.count >= 2)
        }
    }
}
