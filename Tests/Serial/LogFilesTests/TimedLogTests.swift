import Foundation
import LogFiles
import Testing

@Suite("The log of what runs long")
struct TimedLogTests {
    private func inFolder(_ body: (_ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "a.log").path)
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("has the time of day in each line, is appended to, and shows control characters")
    func lines() throws {
        try inFolder { path in
            for number in 1...2 {
                let log = try TimedLog(path, of: "test \(number)", wallTime: { 1_700_000_000_123_456 })
                log.write("a\nb\u{1B}[2J\n")
                #expect(log.fault == nil)
            }
            let found = try lines(path)
            #expect(found.count == 6)
            #expect(found[0].hasPrefix("--- test 1 runs from 2023-11-1") && found[0].hasSuffix(":20.123 on"))
            #expect(found[3].hasPrefix("--- test 2 runs from "))
            #expect(found[1].dropFirst(20) == "123 a" && found[1].hasPrefix("2023-11-1"))
            #expect(found[2].dropFirst(24).hasPrefix("b") && !found[2].contains("\u{1B}"))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("is bounded: former files are kept as many as are asked for, and no line is lost between two")
    func bounded() throws {
        try inFolder { path in
            let rotation = LogRotation(maximumSize: 1000, kept: 2)
            let log = try TimedLog(path, rotation, of: "test", wallTime: { 0 })
            for number in 0..<1000 { log.write("line \(number)") }
            var numbers: [Int] = []
            for file in ["\(path).2", "\(path).1", path] {
                let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)
                #expect(size.intValue <= 1000)
                let found = try lines(file)
                #expect(found.first?.hasPrefix("--- test runs from ") == true)
                numbers += found.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            }
            #expect(numbers == Array((numbers.first ?? 0)...999) && numbers.count > 50)
            #expect(!FileManager.default.fileExists(atPath: "\(path).3"))
        }
    }

    @Test("has one writer, and tells what cannot be written")
    func faults() throws {
        try inFolder { path in
            let log = try TimedLog(path, of: "test", wallTime: { 0 })
            let busy = #expect(throws: LogFile.Fault.self) { try TimedLog(path, of: "test", wallTime: { 0 }) }
            #expect(busy == .busy(path: path))
            withExtendedLifetime(log) {}
            let nowhere = #expect(throws: LogFile.Fault.self) {
                try TimedLog(path + "/nowhere/a.log", of: "test", wallTime: { 0 })
            }
            #expect(nowhere?.description == "log \(path)/nowhere/a.log: writing failed: Not a directory")
        }
    }

    @Test("is a file: a pipe, a device and a folder are refused, and nothing waits for a reader")
    func noFile() throws {
        try inFolder { path in
            try #require(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            for place in [path, "/dev/full", "/"] {
                let fault = #expect(throws: LogFile.Fault.self) { try TimedLog(place, of: "test", wallTime: { 0 }) }
                #expect(fault?.description == "log \(place): expected a file, got a folder, a pipe or a device")
            }
            close(reader)
        }
    }
}
