import Console
import FirmwareBuild
import Foundation
import Testing

@Suite(
    "Backtraces of RISC-V code at every instruction",
    .enabled(if: RISCVPanic.isInstalled, "the tools of RISCVPanicTests are not installed"))
struct RISCVStepTests {
    /// A moment of a program: what a panic would print, and gdb's backtrace.
    private struct Step {
        var dump = CrashDump()
        var judged: [Substring] = []
    }

    /// The steps from `app_main` on until the program crashes: gdb drives the machine.
    private func steps(_ panic: RISCVPanic, _ folder: URL) throws -> [Step] {
        let socket = folder.appending(path: "gdb").path
        let machine = Process()
        machine.executableURL = URL(filePath: RISCVPanic.tools[1])
        machine.arguments = ["-g", socket, panic.program]
        machine.standardOutput = FileHandle.nullDevice
        try machine.run()
        defer {
            if machine.isRunning { machine.terminate() }
            machine.waitUntilExit()
        }
        while machine.isRunning, !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        let text = try RISCVPanic.run(
            RISCVPanic.tools[2],
            [
                "--batch", "-n", "-ex", "set remotetimeout 600", "-ex", "target remote \(socket)", "-x",
                "\(RISCVPanic.sources)/steps.py",
                panic.program,
            ])
        var steps: [Step] = []
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: line.hasPrefix("backtrace") ? "\t" : " ")
            let numbers = fields.dropFirst().compactMap { UInt32($0) }
            switch fields.first {
            case "registers":
                try #require(numbers.count == 32)
                var step = Step()
                step.dump.programCounter = numbers[0]
                for (index, value) in numbers.enumerated().dropFirst() { step.dump.registers[index] = value }
                steps.append(step)
            case "stack":
                let pointer = try #require(steps.last?.dump.stackPointer)
                for (index, value) in numbers.enumerated() {
                    steps[steps.count - 1].dump.memory[pointer + 4 * UInt32(index)] = value
                }
            case "backtrace": steps[steps.count - 1].judged = Array(fields.dropFirst())
            default: break
            }
        }
        return steps
    }

    @Test(
        "are those of gdb, in prologues and epilogues, too",
        arguments: [
            ["-g", "-O0"], ["-g", "-Os"], ["-g", "-O2", "-fasynchronous-unwind-tables"],
            ["-g", "-Os", "-msave-restore"],
        ], [RISCVPanic.Crash.recursion, .handwritten])
    func everyInstruction(options: [String], crash: RISCVPanic.Crash) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-steps-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let panic = try RISCVPanic(crash, options, in: folder)
        let program = try ELFProgram(path: panic.program, home: nil)
        var compared = 0
        for step in try steps(panic, folder) {
            let unwound = try #require(program.unwind(step.dump))
            let frames = await program.frames(at: unwound.addresses)
            let innermost = frames.first ?? []
            let callers = frames.dropFirst().flatMap(\.self).map(\.text)
            // Within libgcc's functions that save registers (-msave-restore), their callers' information is not exact: gdb
            // goes to an address without a name.
            let judged = step.judged.prefix { $0 != "None at ??:0" }
            let judgedCallers = judged.suffix(callers.count)
            let place =
                "0x\(String(step.dump.programCounter ?? 0, radix: 16)): \(innermost.map(\.text)), \(callers), \(unwound.end)"
            #expect(callers.elementsEqual(judgedCallers) { $0 == $1 }, "\(place) != \(judged)")
            // Of the innermost address the tools choose different lines, where it has several; and where a step ends at the
            // begin of an inlined function gdb does not show it yet.
            let names = judged.dropLast(callers.count).compactMap { $0.split(separator: " ").first }
            #expect(
                !names.isEmpty
                    && innermost.compactMap(\.function).suffix(names.count).elementsEqual(names) { $0 == $1 },
                "\(place) != \(judged)")
            if judged.count == step.judged.count { #expect(unwound.end == .outermost, "\(place)") }
            compared += 1
        }
        #expect(compared > 30)
    }
}
