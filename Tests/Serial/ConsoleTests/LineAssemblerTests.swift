import Console
import MonotonicTime
import Testing

private func at(_ milliseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: milliseconds * 1_000_000) }

@Suite struct LineAssemblerTests {
    @Test func everyTerminatorEndsOneLine() {
        var assembler = LineAssembler()
        let lines = assembler.append(Array("a\r\nb\nc\rd\n\r\ne".utf8), at: at(1))
        #expect(lines.map(\.text) == ["a", "b", "c", "d", ""])
        #expect(assembler.flush() == ConsoleLine(text: "e", time: at(1), end: .flushed))
        #expect(assembler.flush() == nil)
    }

    @Test func aTerminatorSplitBetweenChunksIsOneAndTheLineHasTheTimeOfItsLastByte() {
        var assembler = LineAssembler()
        #expect(assembler.append(Array("Serv".utf8), at: at(1)).isEmpty)
        #expect(assembler.hasPartialLine)
        #expect(assembler.append(Array("er\r".utf8), at: at(2)) == [ConsoleLine(text: "Server", time: at(2))])
        #expect(assembler.append(Array("\n".utf8), at: at(3)).isEmpty)
        #expect(!assembler.hasPartialLine)
        #expect(assembler.append(Array("\n".utf8), at: at(4)) == [ConsoleLine(text: "", time: at(4))])
    }

    @Test func aLineBeyondTheMaximumIsSplit() {
        var assembler = LineAssembler(maximumLength: 4)
        let lines = assembler.append(Array("abcdefghij\nabcd\n".utf8), at: at(1))
        #expect(lines.map(\.text) == ["abcd", "efgh", "ij", "abcd"])
        #expect(lines.map(\.end) == [.cut, .cut, .terminated, .terminated])
    }

    @Test(
        arguments: [
            ([0x1B, 0x5B, 0x30, 0x3B, 0x33, 0x32, 0x6D, 0x49, 0x1B, 0x5B, 0x30, 0x6D], "I"),
            (Array("\u{1B}]0;title\u{7}x".utf8), "\\x1B]0;title\\x07x"),
            (Array("\u{1B}[2Jx".utf8), "\\x1B[2Jx"),
            (Array("\u{1B}[31".utf8), "\\x1B[31"),
            ([0x41, 0xFF, 0xC3, 0x28, 0x00], "A\\xFF\\xC3(\\x00"),
            ([0xE2, 0x82], "\\xE2\\x82"),
            (Array("Grüße → 9\t🧪".utf8), "Grüße → 9\t🧪"),
            (Array("a\u{202E}b\u{9B}c\u{2028}".utf8), "a\\u{202E}b\\u{9B}c\\u{2028}"),
        ] as [([UInt8], String)])
    func nothingReachesATerminalButText(bytes: [UInt8], text: String) {
        #expect(VisibleText.make(bytes) == text)
    }

    @Test func noBytesGiveAControlCharacter() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let text = VisibleText.make(random.bytes(40))
            #expect(text.unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control })
        }
    }
}
