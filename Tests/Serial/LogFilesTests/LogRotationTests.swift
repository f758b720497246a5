import LogFiles
import Testing

@Suite("Rotation of log files")
struct LogRotationTests {
    @Test("puts whole lines into a file, as many as fit")
    func wholeLines() {
        let rotation = LogRotation(maximumSize: 10, kept: 2)
        let bytes = Array("abc\ndef\nghi\n".utf8)
        #expect(rotation.part(of: bytes[...], size: 0).elementsEqual("abc\ndef\n".utf8))
        #expect(rotation.part(of: bytes[...], size: 5).elementsEqual("abc\n".utf8))
        #expect(rotation.part(of: bytes[...], size: 9).isEmpty, "a new file is begun")
        #expect(rotation.part(of: bytes[8...], size: 0).elementsEqual("ghi\n".utf8))
    }

    @Test("puts a line that is longer than a file into a file of its own, and is without limit by default")
    func longLine() {
        let bytes = Array("0123456789\nab\n".utf8)
        #expect(LogRotation(maximumSize: 4, kept: 2).part(of: bytes[...], size: 0).elementsEqual("0123456789\n".utf8))
        #expect(LogRotation(maximumSize: 4, kept: 2).part(of: bytes[...], size: 1).isEmpty)
        #expect(LogRotation(maximumSize: nil, kept: 2).part(of: bytes[...], size: 1 << 40).count == bytes.count)
    }

    @Test("renames the former files that there are, from the last on, or keeps none")
    func steps() {
        func steps(_ kept: Int, _ files: Set<String>) -> [LogRotation.Step] {
            LogRotation(maximumSize: 1, kept: kept).steps("l", exists: files.contains)
        }
        #expect(
            steps(3, ["l.1", "l.2", "l.3"]) == [
                .remove("l.3"), .rename("l.2", to: "l.3"), .rename("l.1", to: "l.2"), .rename("l", to: "l.1"),
            ])
        #expect(steps(3, ["l.1"]) == [.rename("l.1", to: "l.2"), .rename("l", to: "l.1")])
        #expect(steps(3, ["l.2", "l.3"]) == [.rename("l", to: "l.1")])
        #expect(steps(Int.max, []) == [.rename("l", to: "l.1")])
        #expect(steps(0, ["l.1"]) == [.remove("l")])
    }
}
