import Dispatch
import Foundation
import Testing

/// Centrals in processes of their own, which are killed in the middle of a subscription and a read, on controllers that
/// another process serves as H4.
@Suite(.timeLimit(.minutes(10))) struct RestoringProcessTests {
    /// A running `ConformanceProgram`, whose lines are read.
    private final class Program {
        private let process = Process()
        private let output = Pipe()
        private let input = Pipe()
        private var rest = Data()

        init(_ arguments: [String]) throws {
            process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
                .deletingLastPathComponent().appending(path: "ConformanceProgram")
            process.arguments = arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = input
            try process.run()
            // The end of the output is that of the process.
            try? output.fileHandleForWriting.close()
        }

        deinit { if process.isRunning { kill() } }

        /// The next line; `nil` at the end.
        func nextLine() async -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest = rest[(end + 1)...] }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let more = await Self.available(output.fileHandleForReading)
                if more.isEmpty { return nil }
                rest += more
            }
        }

        /// Waits on a thread of its own: not one of Swift's few.
        private static func available(_ file: FileHandle) async -> Data {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "output").async { continuation.resume(returning: file.availableData) }
            }
        }

        /// The lines up to and with `last`, or to the end.
        func lines(to last: String? = nil) async -> [String] {
            var lines: [String] = []
            while let line = await nextLine() {
                lines.append(line)
                if line == last { break }
            }
            return lines
        }

        /// Kills it; it has no chance to write anything.
        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        var status: Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }

        var number: Int32 { process.processIdentifier }
    }

    private static let first = "24:0A:C4:C0:00:01"
    private static let second = "24:0A:C4:C0:00:02"

    @Test func aKilledCentralIsTakenUpByTheNext() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = "\(folder)-one.log"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let server = try Program(["serve"])
        let address = try #require(await server.nextLine()?.split(separator: " ").first?.dropFirst("h4://".count))
        func central(_ name: String = "one") throws -> Program {
            try Program(["restore", "h4:\(address)", folder, name])
        }
        let one = try central()
        #expect(await one.lines(to: "ready") == ["value [0]", "ready"])
        // The identifier is in use; the other one lives on.
        let same = try central()
        #expect(
            await same.lines() == [
                "error: the central \"one\" in \(folder): expected nobody to use it, process \(one.number) has it"
            ])
        #expect(same.status == 1)
        one.kill()
        let two = try central()
        let lines = await two.lines(to: "ready")
        #expect(
            lines.prefix(2) == ["had \(Self.first): subscribed FF00/FF03", "had \(Self.second): unfinished FF00/FF01"])
        // The second peer has hung, for 32 s.
        #expect(
            lines.dropFirst(2) == ["connected \(Self.first)", "value [0]", "failed \(Self.second): timedOut", "ready"])
        two.kill()
        // Both have written the log, whatever ended them; each line has its time.
        let stamp = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} /#
        let logged = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(logged.filter { $0.hasPrefix("--- a restoring central runs from 2") }.count == 2)
        #expect(logged.allSatisfy { $0.hasPrefix("---") || $0.prefixMatch(of: stamp) != nil })
        let texts = logged.filter { !$0.hasPrefix("---") }.map { String($0.dropFirst(24)) }
        for text in [
            "one: restored 0 peripherals", "one: connected to \(Self.first)",
            "one: subscribed to notifications of FF00/FF03 of \(Self.first)", "one: restored 2 peripherals",
            "one: \(Self.first), subscribed FF00/FF03", "one: \(Self.second), a read of FF00/FF01 had not ended",
            "one: took up \(Self.first)",
        ] {
            #expect(texts.contains(text), "\(text)\n\(texts.joined(separator: "\n"))")
        }
        #expect(texts.contains { $0.hasPrefix("one: did not restore \(Self.second): ") })
        let path = folder + "/one.central"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        // A file that is not whole is refused, and left as it is.
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.dropLast(3).write(to: URL(filePath: path))
        let damaged = try central()
        let error = try #require(await damaged.nextLine())
        #expect(error.hasPrefix("error: \(path): line ") && damaged.status == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole.dropLast(3))
        try whole.write(to: URL(filePath: path))
        let three = try central()
        #expect(await three.nextLine() == "had \(Self.second): unfinished FF00/FF01")
        #expect(await three.nextLine() == "had \(Self.first): subscribed FF00/FF03")
    }
}
