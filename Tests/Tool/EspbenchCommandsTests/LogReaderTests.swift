import BoardCommands
import EspbenchCommands
import Foundation
import Testing

@Suite("A log's reader")
final class LogReaderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "espbench-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var log: String { folder.appending(path: "board.log").path }

    private func append(_ text: String, to path: String? = nil) throws {
        let path = path ?? log
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// As the writer does it.
    private func rotate(keeping count: Int) throws {
        try? FileManager.default.removeItem(atPath: "\(log).\(count)")
        for number in stride(from: count - 1, through: 0, by: -1) {
            let from = number == 0 ? log : "\(log).\(number)"
            if FileManager.default.fileExists(atPath: from) {
                try FileManager.default.moveItem(atPath: from, toPath: "\(log).\(number + 1)")
            }
        }
    }

    private func items(_ reader: LogReader) throws -> [String] {
        var items: [String] = []
        try reader.read { item in
            switch item {
            case .line(let bytes): items.append(String(decoding: bytes, as: UTF8.self))
            case .notice(let text): items.append("! " + text.replacing(folder.path + "/", with: ""))
            }
        }
        return items
    }

    @Test("begins with the oldest former file")
    func former() throws {
        try append("1\n2\n", to: log + ".2")
        try append("3\n", to: log + ".1")
        try append("4\n5")
        let reader = LogReader(log)
        #expect(try items(reader) == ["1", "2", "3", "4"])
        try append("6\n")
        #expect(try items(reader) == ["56"])
    }

    @Test("waits for a log that does not exist yet")
    func later() throws {
        let reader = LogReader(log)
        #expect(try items(reader) == [])
        #expect(!reader.isOpen)
        try append("1\n")
        #expect(try items(reader) == ["1"])
    }

    @Test("loses no line over any number of rotations between two looks", arguments: 1...5)
    func rotations(count: Int) throws {
        try append("first\n")
        let reader = LogReader(log)
        #expect(try items(reader) == ["first"])
        var expected: [String] = []
        for number in 0..<count {
            try append("end of \(number)\n")
            try rotate(keeping: 5)
            try append("begin of \(number + 1)\n")
            expected += ["end of \(number)", "begin of \(number + 1)"]
        }
        #expect(try items(reader) == expected)
        #expect(try items(reader) == [])
    }

    @Test("follows when the new file is not there yet")
    func betweenRenames() throws {
        try append("1\n")
        let reader = LogReader(log)
        #expect(try items(reader) == ["1"])
        try rotate(keeping: 2)
        #expect(try items(reader) == [])
        try append("2\n")
        #expect(try items(reader) == ["2"])
    }

    @Test("says when files were removed before they were read")
    func removed() throws {
        try append("1\n")
        let reader = LogReader(log)
        #expect(try items(reader) == ["1"])
        for number in 2...4 {
            try rotate(keeping: 1)
            try append("\(number)\n")
        }
        #expect(
            try items(reader) == [
                "! board.log was replaced, and its former file removed: lines between them may be missing", "4",
            ])
    }

    @Test("says when the file was cut, and reads it again")
    func cut() throws {
        try append("1\n2\npart")
        let reader = LogReader(log)
        #expect(try items(reader) == ["1", "2"])
        #expect(truncate(log, 0) == 0)
        try append("3\n")
        #expect(try items(reader) == ["! board.log was cut to 2 bytes; it is read from its beginning again", "3"])
    }

    @Test("takes a line without an end when asked, or when it is too long")
    func unfinished() throws {
        try append("1\npart")
        let reader = LogReader(log)
        var lines: [LogReader.Item] = []
        try reader.read { lines.append($0) }
        reader.flush { lines.append($0) }
        #expect(lines == [.line(Array("1".utf8)), .line(Array("part".utf8))])
        try append(String(repeating: "x", count: 1 << 21))
        var lengths: [Int] = []
        try reader.read { if case .line(let line) = $0 { lengths.append(line.count) } }
        #expect(lengths == [1 << 20, 1 << 20])
    }

    @Test("says why a file cannot be read")
    func unreadable() throws {
        let reader = LogReader(folder.path)
        #expect(throws: (any Error).self) { try items(reader) }
    }
}
