import ByteCodec
import Console
import ESPChips
import FirmwareBuild
import Foundation
import Testing

/// Core dumps that esp-coredump made, and read back.
@Suite("Core dumps")
struct CoreDumpTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let python = folder.appending(path: "../../../.venv/bin/python").standardized.path

    /// The lines that a board prints.
    private static func console(_ words: String...) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: python)
        process.arguments = [folder.appending(path: "CoreDump/make.py").path] + words
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func collected(_ lines: [String]) throws -> [String] {
        var collector = CoreDumpCollector()
        let steps = (["I (1) app: before"] + lines).map { collector.receive($0) }
        #expect(steps.first == .other && steps.dropFirst().dropLast().allSatisfy { $0 == .part })
        guard case .end(let dump)? = steps.last else { throw CocoaError(.fileReadCorruptFile) }
        #expect(collector.receive("after") == .other)
        return dump
    }

    /// Knows each address as a line of its own.
    private struct Program: AddressResolver {
        func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] {
            addresses.map { [CodeFrame(address: $0.value, function: $0.isReturn ? "caller" : "here")] }
        }
        func mismatch(digest: String) -> String? { nil }
    }

    @Test(
        "of Xtensa have their tasks with the calls of the windowed stack, the crashed one first",
        arguments: ["crc", "sha"])
    func xtensa(checksum: String) async throws {
        let dump = try CoreDump(base64: Self.collected(Self.console("xtensa", checksum)))
        #expect(dump.chip?.name == "ESP32")
        #expect(dump.reason == "assert failed: it")
        #expect(dump.tasks.map(\.title) == ["loopTask (0x3ffb9000), crashed", "idle (0x3ffb8000)"])
        #expect(
            dump.tasks.map { $0.addresses.map(\.value) } == [
                [0x400D_1010, 0x400D_1810, 0x400D_2010], [0x400D_1000, 0x400D_1800, 0x400D_2000],
            ])
        #expect(
            await CrashLines(symbols: nil).lines(of: dump.tasks, digest: nil).prefix(3) == [
                "--- loopTask (0x3ffb9000), crashed:", "--- 0x400d1010", "--- 0x400d1810",
            ])
        #expect(
            await CrashLines(symbols: Program()).lines(of: dump.tasks, digest: nil).prefix(3) == [
                "--- loopTask (0x3ffb9000), crashed:", "--- 0x400d1010: here", "--- 0x400d1810: caller",
            ])
    }

    @Test("of RISC-V have their tasks with registers and stack, for a program to unwind")
    func riscv() throws {
        let dump = try CoreDump(base64: Self.collected(Self.console("riscv", "crc")))
        #expect(dump.chip?.name == "ESP32-C3")
        let task = try #require(dump.tasks.first)
        #expect(task.title == "loopTask (0x3ffb9000), crashed")
        #expect(task.addresses.map(\.value) == [0x4200_0020, 0x4200_0050])
        #expect(task.state?.programCounter == 0x4200_0020 && task.state?.stackPointer == 0x3FFB_9100)
        // The segment begins 16 bytes below the stack pointer.
        #expect(task.state?.memory.count == (0x30 + 16 + 0x40) / 4)
    }

    @Test("that are damaged say so, and never trap")
    func damaged() throws {
        let lines = try Self.collected(Self.console("xtensa", "sha"))
        func fault(_ lines: [String]) -> String {
            do throws(CoreDump.Fault) {
                _ = try CoreDump(base64: lines)
                return "none"
            } catch {
                return error.description
            }
        }
        #expect(fault(lines) == "none")
        var lost = lines
        lost.remove(at: 3)
        #expect(fault(lost).hasPrefix("expected "))
        var changed = lines
        changed[4] = String(changed[4].reversed())
        #expect(fault(changed) == "its checksum is wrong: lines were lost or damaged")
        #expect(fault(["A"]).hasPrefix("expected a line in Base64"))
        for count in 0..<20 { #expect(fault(Array(lines.prefix(count))) != "none") }
        let binary = Data([24, 0, 0, 0, 2, 0, 0, 0] + Array(repeating: 0, count: 16)).base64EncodedString()
        #expect(fault([binary]).contains("CONFIG_ESP_COREDUMP_DATA_FORMAT_ELF"))
        // A right checksum over a wrong file.
        for size in [0, 4, 40, 52, 200] {
            for byte in [UInt8(0), 0xFF] {
                var content: [UInt8] = [UInt8(28 + size), 0, 0, 0, 0, 1, 0, 0] + Array(repeating: 0, count: 12)
                content[0] = UInt8(24 + size)
                content += [0x7F, 0x45, 0x4C, 0x46].prefix(size) + Array(repeating: byte, count: max(0, size - 4))
                #expect(
                    fault([Data(content + CRC32.of(content[...]).littleEndianBytes).base64EncodedString()]) != "none"
                        || size >= 52 && byte == 0)
            }
        }
    }

    /// A core dump of the ESP32 with this ELF file.
    private static func dump(_ elf: [UInt8]) -> String {
        let length = UInt32(24 + elf.count)
        let content = [length, 0x100, 0, 0, 0].flatMap { $0.littleEndianBytes } + elf
        return Data(content + CRC32.of(content[...]).littleEndianBytes).base64EncodedString()
    }

    @Test("with more segments or notes than any chip has are refused")
    func tooMany() {
        /// An ELF file with `count` headers of segments of 0 bytes in length, which are all the first one.
        func elf(_ count: UInt16, notes: Int) -> [UInt8] {
            let start: [UInt8] = [0x7F, 0x45, 0x4C, 0x46] + Array(repeating: 0, count: 14) + [94, 0]
            let table =
                [UInt8](repeating: 0, count: 8) + UInt32(52).littleEndianBytes
                + Array(repeating: 0, count: 10) + [0, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
            let header = start + table + Array(repeating: 0, count: 52 - start.count - table.count)
            let segment = [4, 72, 0, 0, UInt32(12 * notes)].flatMap { $0.littleEndianBytes }
            return header + segment + Array(repeating: 0, count: 12 * notes)
        }
        func fault(_ elf: [UInt8]) -> String {
            do throws(CoreDump.Fault) {
                _ = try CoreDump(base64: [Self.dump(elf)])
                return "none"
            } catch {
                return error.description
            }
        }
        #expect(fault(elf(1, notes: 10)) == "none")
        #expect(fault(elf(3000, notes: 1)).contains("number of segments"), "\(fault(elf(3000, notes: 1)))")
        #expect(fault(elf(1, notes: 3000)).contains("number of notes"), "\(fault(elf(1, notes: 3000)))")
        #expect(fault(elf(2000, notes: 2)).contains("number of notes"))
    }

    @Test("are given up at other output, and at the size of no chip's memory")
    func abandoned() {
        var collector = CoreDumpCollector()
        #expect(collector.receive("================= CORE DUMP START =================") == .part)
        #expect(collector.receive("AAAA") == .part)
        #expect(
            collector.receive("Rebooting...")
                == .abandoned(
                    "expected Base64 in the core dump, got 'Rebooting...'; 1 line not displayed, --log and --json have all"
                ))
        #expect(collector.receive("AAAA") == .other)
        _ = collector.receive("================= CORE DUMP START =================")
        let line = String(repeating: "A", count: 1 << 20)
        #expect((0..<4).allSatisfy { _ in collector.receive(line) == .part })
        #expect(
            collector.receive(line)
                == .abandoned(
                    "expected a core dump of at most 4 MB, got more; 4 lines not displayed, --log and --json have all"))
    }

    @Test("that have no end let ordinary lines pass, also words of Base64's letters, and empty ones")
    func unfinished() {
        for word in ["ERROR", "OK", ""] {
            var collector = CoreDumpCollector()
            #expect(collector.receive("================= CORE DUMP START =================") == .part)
            #expect(collector.receive(word) == .abandoned("expected Base64 in the core dump, got '\(word)'"))
            #expect(collector.receive(word) == .other && collector.finish() == nil)
        }
        var collector = CoreDumpCollector()
        _ = collector.receive("================= CORE DUMP START =================")
        _ = collector.receive("AAAA")
        #expect(collector.finish() == "the core dump has no end; 1 line not displayed, --log and --json have all")
        #expect(collector.receive("AAAA") == .other)
    }

    @Test("have at most 128 tasks that are read, and notes of any length")
    func hostile() throws {
        /// An ELF file of RISC-V with `count` headers of one note of registers, of `size` bytes.
        let (count, size) = (2000, 400_000)
        let note = [0, UInt32(size), 1].flatMap { $0.littleEndianBytes } + [UInt8](repeating: 1, count: size)
        var elf: [UInt8] = [0x7F, 0x45, 0x4C, 0x46] + [UInt8](repeating: 0, count: 14) + [243, 0]
        elf += [UInt8](repeating: 0, count: 8) + UInt32(52).littleEndianBytes
        elf += [UInt8](repeating: 0, count: 10) + [0, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
        elf += [UInt8](repeating: 0, count: 52 - elf.count)
        elf += [4, 72, 0, 0, UInt32(note.count)].flatMap { $0.littleEndianBytes } + note
        let dump = try CoreDump(base64: [Self.dump(elf)])
        #expect(dump.taskCount == 2000 && dump.tasks.count == 128)
    }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
