import Console
import FirmwareBuild
import Foundation
import Testing

@Suite("Places of code addresses")
struct Addr2lineTests {
    @Test("are those that addr2line prints for people, with inlined functions")
    func judge() async throws {
        let firmware = try await SketchBuilds.shared.build("Pairing")
        let resolver = Addr2line(program: firmware.compiled.symbols)
        let addresses = stride(from: Addr2line.virtualBase + 0x1000, to: Addr2line.virtualBase + 0x12000, by: 97)
            .map(\.self)
        let expected = try Self.judge(firmware.compiled.symbols, addresses.map { $0 - resolver.base })
        let frames = await resolver.frames(at: addresses.map { CodeAddress($0) })
        #expect(frames.count == addresses.count && expected.count == addresses.count)
        #expect(frames.count { !$0.isEmpty } > 100 && frames.count { $0.count > 1 } > 10)
        for (frames, expected) in zip(frames, expected) {
            let shown = frames.map { frame in
                "\(frame.function ?? "??") at \(frame.file ?? "??"):\(frame.line.map(String.init) ?? "?")"
            }
            #expect(shown == expected, "\(shown)")
            #expect(frames.dropLast().allSatisfy(\.isInlined) && frames.last?.isInlined != true)
        }
    }

    @Test("of a return address are those of the call before it")
    func call() async throws {
        let firmware = try await SketchBuilds.shared.build("Pairing")
        let resolver = Addr2line(program: firmware.compiled.symbols)
        for offset in stride(from: UInt64(0x4000), to: 0x4100, by: 1) {
            let address = Addr2line.virtualBase + offset
            let places = await resolver.frames(at: [CodeAddress(address), CodeAddress(address + 1, isReturn: true)])
            // addr2line may name a part of a function, split off by the compiler, differently the second time.
            #expect(places[0].map(\.line) == places[1].map(\.line))
            #expect(places[0].map(\.file) == places[1].map(\.file))
        }
    }

    @Test("are not known outside the program, nor without one")
    func unknown() async {
        let resolver = Addr2line(program: "/nowhere.elf")
        #expect(await resolver.frames(at: [CodeAddress(0x400D_2000), CodeAddress(0x1234)]) == [[], []])
        #expect(await resolver.frames(at: []) == [])
    }

    /// What addr2line prints with -p: a line for each frame, ` (inlined by) ` before the outer ones. No frames where it
    /// knows no function.
    private static func judge(_ program: String, _ offsets: [UInt64]) throws -> [[String]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["addr2line", "-e", program, "-a", "-p", "-f", "-C", "-i"] + offsets.map { "0x" + String($0, radix: 16) }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        var records: [[String]] = []
        for line in output.split(separator: "\n") {
            var text = line.replacing(#/ \(discriminator \d+\)$/#, with: "")
            if text.hasPrefix("0x") {
                records.append([])
                text = text.replacing(#/^0x[0-9a-f]+: /#, with: "")
            } else {
                text = text.replacing(#/^ \(inlined by\) /#, with: "")
            }
            records[records.count - 1].append(String(text.replacing(#/:0$/#, with: ":?")))
        }
        return records.map { $0.contains { !$0.hasPrefix("??") } ? $0 : [] }
    }
}
