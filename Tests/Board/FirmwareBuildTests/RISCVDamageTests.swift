import Console
import FirmwareBuild
import Foundation
import Synchronization
import Testing

/// Keeps the dump that it is asked about.
private final class DumpKeeper: AddressResolver {
    let dump = Mutex(CrashDump())
    let knowsCode = true
    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] { addresses.map { _ in [] } }
    func unwind(_ dump: CrashDump) -> UnwoundStack? {
        self.dump.withLock { $0 = dump }
        return nil
    }
}

/// A generator with a seed, for damage that is the same in each run.
private struct Chance: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

@Suite(
    "Panics of RISC-V chips that are damaged, or not explained by their program",
    .enabled(if: RISCVPanic.isInstalled, "the tools of RISCVPanicTests are not installed"))
struct RISCVDamageTests {
    private func withPanic(
        _ crash: RISCVPanic.Crash, _ options: [String] = ["-g", "-O2"], _ body: (RISCVPanic) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-damage-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(try RISCVPanic(crash, options, in: folder))
    }

    private func dump(_ panic: RISCVPanic) async -> CrashDump {
        let keeper = DumpKeeper()
        var lines = CrashLines(symbols: keeper)
        for line in panic.output.split(separator: "\r\n", omittingEmptySubsequences: false) {
            _ = await lines.lines(below: String(line))
        }
        return keeper.dump.withLock { $0 }
    }

    @Test("are read with all registers and the whole stack, which are those of the machine")
    func wholeDump() async throws {
        try await withPanic(.recursion) { panic in
            let dump = await dump(panic)
            #expect(dump.registers.allSatisfy { $0 != nil })
            let pointer = try #require(dump.stackPointer)
            #expect(dump.memory.count == 256)
            #expect((0..<256).allSatisfy { dump.memory[pointer + 4 * $0] != nil })
        }
    }

    @Test("show possible callers, marked as such, where the program has no call frame information")
    func noInformation() async throws {
        try await withPanic(.recursion) { panic in
            let judged = RISCVPanic.frames(try await panic.backtrace(of: panic.output))
            _ = try RISCVPanic.run(
                "/usr/bin/riscv64-unknown-elf-objcopy", ["-R", ".debug_frame", "-R", ".eh_frame", panic.program])
            let lines = try await panic.backtrace(of: panic.output)
            #expect(RISCVPanic.frames(lines) == Array(judged.prefix(2)))
            #expect(
                lines[3].hasPrefix("--- the backtrace ends here: the program has no call frame information for 0x42"))
            #expect(lines[4] == "--- possible callers, by words of the stack that are behind a call:")
            let candidates = lines.dropFirst(5)
            #expect(candidates.allSatisfy { $0.hasPrefix("--- maybe ") })
            // RA is the innermost; each of the true callers is among them.
            #expect(candidates.first?.contains(": busy at ") == true)
            for frame in judged.dropFirst(2) {
                #expect(candidates.contains { $0.hasSuffix(": " + frame) }, "\(frame)")
            }
        }
    }

    @Test("end where a line of the stack was lost, and go on as possible callers above it")
    func lostLine() async throws {
        try await withPanic(.recursion) { panic in
            let whole = RISCVPanic.frames(try await panic.backtrace(of: panic.output))
            var rows = panic.output.components(separatedBy: "\r\n")
            let stack = try #require(rows.firstIndex(of: "Stack memory:"))
            // The row with the return address of a call of recursive().
            let target = try #require(rows.indices.dropFirst(stack + 3).first { rows[$0].contains(" 0x4200") })
            rows.remove(at: target)
            let lines = try await panic.backtrace(of: rows.joined(separator: "\r\n"))
            let frames = RISCVPanic.frames(lines)
            #expect(frames.count > 2 && frames.count < whole.count && whole.starts(with: frames))
            #expect(lines[frames.count + 1].hasSuffix("was not printed"), "\(lines)")
            #expect(lines.last?.hasPrefix("--- maybe 0x") == true && lines.last?.contains(": task at ") == true)
        }
    }

    @Test("say that a return address is none, when the stack was overwritten")
    func overwritten() async throws {
        try await withPanic(.recursion) { panic in
            let dump = await dump(panic)
            let program = try ELFProgram(path: panic.program, home: nil)
            let whole = try #require(program.unwind(dump))
            #expect(whole.end == .outermost)
            // A frame's return address, replaced in the stack by others.
            let victim = UInt32(truncatingIfNeeded: whole.addresses[4].value)
            let places = dump.memory.filter { $0.value == victim }.map(\.key)
            #expect(!places.isEmpty)
            func end(_ value: UInt32) throws -> UnwoundStack.End {
                var damaged = dump
                for place in places { damaged.memory[place] = value }
                return try #require(program.unwind(damaged)).end
            }
            #expect(try end(0x4141_4141) == .outsideProgram(0x4141_4141))
            #expect(try end(0x4200_0002) == .noCall(0x4200_0002))
            #expect(try end(0) == .returnsToZero)
            #expect(try end(victim) == .outermost)
        }
    }

    @Test("never make a backtrace endless: frames are limited, and each is above the former")
    func endless() async throws {
        try await withPanic(.recursion, ["-g", "-O0"]) { panic in
            let program = try ELFProgram(path: panic.program, home: nil)
            let true_ = await dump(panic)
            let whole = try #require(program.unwind(true_))
            // Frame pointers of recursive() that point to themselves, downwards, or ever further up.
            let counter = whole.addresses[4]
            var dump = true_
            dump.programCounter = UInt32(truncatingIfNeeded: counter.value)
            for (step, expected) in [(UInt32(0), 2), (0xFFFF_FFC0, 2), (64, 64)] {
                dump.memory = [:]
                dump.registers[2] = 0x3FC9_0000
                dump.registers[8] = 0x3FC9_0040
                var place: UInt32 = 0x3FC9_0040
                for _ in 0..<200 {
                    dump.memory[place &- 4] = UInt32(truncatingIfNeeded: counter.value)
                    dump.memory[place &- 8] = place &+ step
                    place = place &+ step
                }
                let unwound = try #require(program.unwind(dump))
                #expect(unwound.addresses.count == expected, "step \(Int32(bitPattern: step)): \(unwound)")
                if step == 64 { #expect(unwound.end == .tooMany) }
            }
        }
    }

    @Test("with any damage end with a reason, and at most 64 frames", arguments: [["-g", "-O2"], ["-g", "-O0"]])
    func anyDump(options: [String]) async throws {
        try await withPanic(.recursion, options) { panic in
            let program = try ELFProgram(path: panic.program, home: nil)
            let original = await dump(panic)
            let values = Array(original.memory.values) + original.registers.compactMap(\.self)
            var chance = Chance(state: 9)
            var ends: Set<String> = []
            for _ in 0..<3000 {
                var dump = original
                for _ in 0..<Int.random(in: 1...20, using: &chance) {
                    let value: UInt32? =
                        switch Int.random(in: 0..<6, using: &chance) {
                        case 0: nil
                        case 1: UInt32.random(in: 0 ... .max, using: &chance)
                        case 2: 0x4200_0000 + UInt32.random(in: 0..<0x2000, using: &chance)
                        case 3: 0x3FC9_3000 + UInt32.random(in: 0..<0x1000, using: &chance) & ~3
                        default: values.randomElement(using: &chance)
                        }
                    if Bool.random(using: &chance),
                        let place = original.memory.keys.sorted().prefix(80).randomElement(using: &chance)
                    {
                        dump.memory[place] = value
                    } else if Bool.random(using: &chance) {
                        dump.registers[Int.random(in: 1..<32, using: &chance)] = value
                    } else if Int.random(in: 0..<4, using: &chance) == 0 {
                        dump.programCounter = value
                    }
                }
                guard let unwound = program.unwind(dump) else {
                    #expect(dump.programCounter == nil || dump.stackPointer == nil)
                    continue
                }
                #expect((1...64).contains(unwound.addresses.count))
                #expect(unwound.addresses.dropFirst().allSatisfy { program.isReturnAddress($0.value) })
                ends.insert(String(describing: unwound.end).prefix { $0.isLetter }.description)
            }
            #expect(
                ends.isSuperset(of: ["outermost", "outsideProgram", "notDumped", "noCall", "noRegister"]), "\(ends)")
        }
    }

    @Test("are not trapped by damaged call frame information", arguments: [RISCVPanic.Crash.recursion, .handwritten])
    func anyInformation(crash: RISCVPanic.Crash) async throws {
        for options in [["-g", "-O1"], ["-g", "-O1", "-fasynchronous-unwind-tables"]] {
            try await withPanic(crash, options) { panic in
                let dump = await dump(panic)
                let file = try Data(contentsOf: URL(filePath: panic.program))
                let name = options.count > 2 ? ".eh_frame" : ".debug_frame"
                let headers = try RISCVPanic.run("/usr/bin/riscv64-unknown-elf-readelf", ["-SW", panic.program])
                let row = try #require(headers.split(separator: "\n").first { $0.contains(" \(name) ") })
                let fields = row.split(separator: " ").drop { $0 != name }.dropFirst().prefix(4).map {
                    Int($0, radix: 16)
                }
                let (offset, size) = (try #require(fields[fields.startIndex + 2]), try #require(fields.last ?? nil))
                var chance = Chance(state: 4)
                var counts: Set<Int> = []
                for _ in 0..<400 {
                    var bytes = file
                    for _ in 0..<Int.random(in: 1...3, using: &chance) {
                        let values: [UInt8] = [
                            0, 1, 0x0F, 0x16, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &chance),
                        ]
                        bytes[offset + Int.random(in: 0..<size, using: &chance)] =
                            values.randomElement(using: &chance) ?? 0
                    }
                    try bytes.write(to: URL(filePath: panic.program))
                    let program = try ELFProgram(path: panic.program, home: nil)
                    let unwound = try #require(program.unwind(dump))
                    counts.insert(unwound.addresses.count)
                }
                #expect(counts.count > 2 && counts.allSatisfy { $0 <= 64 }, "\(counts)")
            }
        }
    }
}
