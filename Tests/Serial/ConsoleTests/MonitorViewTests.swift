import Console
import MonotonicTime
import Testing

@Suite("The monitor's view")
struct MonitorViewTests {
    private func view(
        _ kind: MonitorView.Kind = .text, stamps: LineStamps.Kind = .board, filter: String = "", colours: Bool = false
    ) throws -> MonitorView {
        MonitorView(
            kind, stamps: LineStamps(stamps, since: .zero) { $0.nanoseconds }, filter: try LogFilter(filter),
            hasColours: colours)
    }

    private func at(_ milliseconds: Int) -> MonotonicInstant { .zero.advanced(by: .milliseconds(milliseconds)) }

    private func screen(_ pieces: [MonitorView.Piece]) -> String {
        String(decoding: pieces.flatMap(\.screen), as: UTF8.self)
    }

    private func log(_ pieces: [MonitorView.Piece]) -> String {
        String(decoding: pieces.flatMap(\.log), as: UTF8.self)
    }

    @Test("shows whole lines with stamps, and an incomplete one after 250 ms, which its rest continues")
    func partialLines() throws {
        var view = try view()
        #expect(screen(view.receive(Array("one\r\nna".utf8), at: at(5))) == "[    0.005] one\n")
        #expect(screen(view.receive(Array("me".utf8), at: at(100))) == "")
        #expect(screen(view.idle(at: at(350))) == "[    0.100] name")
        #expect(view.idle(at: at(600)).isEmpty)
        #expect(screen(view.receive(Array("? ".utf8), at: at(700))) == "? ")
        let rest = view.receive(Array("bob\n".utf8), at: at(800))
        #expect(screen(rest) == "bob\n")
        #expect(log(rest) == "[    0.800] name? bob\n", "the log has the line as a whole")
        #expect(rest.last?.line?.text == "name? bob")
        #expect(view.finish(at: at(900)).isEmpty)
    }

    @Test("shows a line whose bytes come slowly although there is no pause of 250 ms")
    func slowLine() throws {
        var view = try view(stamps: .none)
        var shown = ""
        for step in 0..<6 { shown += screen(view.receive([UInt8(ascii: ".")], at: at(step * 100))) }
        #expect(shown == "......")
    }

    @Test("does not split a character or a colour sequence of an incomplete line")
    func splitCharacters() throws {
        var view = try view(stamps: .none, colours: true)
        _ = view.receive([0x61, 0xE2, 0x82], at: at(0))
        #expect(screen(view.idle(at: at(300))) == "a")
        #expect(screen(view.receive([0xAC], at: at(310))) == "€")
        #expect(screen(view.receive([0x1B, 0x5B, 0x33], at: at(320))) == "")
        #expect(screen(view.receive(Array("1mred".utf8), at: at(330))) == "\u{1B}[31mred\u{1B}[0m")
    }

    @Test("ends an incomplete line before a note, and shows its rest on a line of its own")
    func notes() throws {
        var view = try view()
        _ = view.receive(Array("name? ".utf8), at: at(0))
        #expect(screen(view.idle(at: at(300))) == "[    0.000] name? ")
        let note = view.note("--- lost", at: at(400))
        #expect(String(decoding: note.screen, as: UTF8.self) == "\n            --- lost\n")
        #expect(String(decoding: note.log, as: UTF8.self) == "            --- lost\n")
        let rest = view.receive(Array("bob\n".utf8), at: at(400))
        #expect(screen(rest) == "[    0.400] bob\n")
        #expect(log(rest) == "[    0.400] name? bob\n")
    }

    @Test("keeps the board's colours on a terminal, colours logs by level, and removes colours elsewhere")
    func colours() throws {
        let bytes = Array("\u{1B}[0;33mW (1) a: b\u{1B}[0m\nE (2) a: c\nplain\n\u{1B}[1mbold\n".utf8)
        var coloured = try view(stamps: .none, colours: true)
        #expect(
            screen(coloured.receive(bytes, at: .zero))
                == "\u{1B}[0;33mW (1) a: b\u{1B}[0m\n\u{1B}[31mE (2) a: c\u{1B}[0m\nplain\n\u{1B}[1mbold\u{1B}[0m\n")
        var plain = try view(stamps: .none)
        let pieces = plain.receive(bytes, at: .zero)
        #expect(screen(pieces) == "W (1) a: b\nE (2) a: c\nplain\nbold\n")
        #expect(log(pieces) == screen(pieces))
    }

    @Test("lets no control character of the board through but those of colours")
    func controls() throws {
        var view = try view(stamps: .none, colours: true)
        let shown = screen(view.receive([0x1B, 0x5B, 0x32, 0x4A, 0x07, 0x0A], at: .zero))
        #expect(shown == "\\x1B[2J\\x07\n")
    }

    @Test("hides what the filter hides, logs it, and never hides a crash")
    func filter() throws {
        var view = try view(stamps: .none, filter: "wifi:W *:N")
        let text = """
            I (1) wifi: a
            W (2) wifi: b
            plain
            Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.
            Backtrace: 0x400d1234:0x3ffb0000
            Rebooting...
            plain

            """
        let pieces = view.receive(Array(text.utf8), at: .zero)
        #expect(
            screen(pieces) == """
                W (2) wifi: b
                Guru Meditation Error: Core  0 panic'ed (LoadProhibited). Exception was unhandled.
                Backtrace: 0x400d1234:0x3ffb0000
                Rebooting...

                """)
        #expect(log(pieces) == text)
    }

    @Test("shows and logs raw bytes unchanged, and still finds the lines in them")
    func raw() throws {
        var view = try view(.raw)
        let bytes: [UInt8] = [0x00, 0x1B, 0x5B, 0x32, 0x4A, 0xFF, 0x0D, 0x0A, 0x61]
        let pieces = view.receive(bytes, at: .zero)
        #expect(pieces.flatMap(\.screen) == bytes)
        #expect(pieces.flatMap(\.log) == bytes)
        #expect(pieces.compactMap(\.line?.text) == ["\\x00\\x1B[2J\\xFF"])
    }

    @Test("dumps bytes in lines of 16, the rest when nothing follows, with one offset throughout")
    func hex() throws {
        var view = try view(.hex, stamps: .none)
        let first = screen(view.receive(Array(0..<20), at: .zero))
        #expect(first == "00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  |................|\n")
        #expect(
            screen(view.idle(at: at(300)))
                == "00000010  10 11 12 13                                       |....|\n")
        #expect(
            screen(view.receive(Array("0123456789abcdef".utf8), at: at(301)))
                == "00000014  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|\n")
    }

    @Test("stamps lines with the board's time from its start, the host's, or the time since the line before")
    func stamps() throws {
        let text = Array("a\n".utf8)
        let start = Array("ets Jun  8 2016 00:22:57\n".utf8)
        var board = try view(stamps: .board)
        #expect(screen(board.receive(start, at: at(18))).hasPrefix("[    0.018]"), "the first start is the monitor's")
        #expect(screen(board.receive(start, at: at(5000))).hasPrefix("[    0.000]"))
        #expect(screen(board.receive(text, at: at(6234))) == "[    1.234] a\n")
        var host = try view(stamps: .host)
        #expect(screen(host.receive(text, at: at(3_723_004))) == "[01:02:03.004] a\n")
        var delta = try view(stamps: .delta)
        #expect(screen(delta.receive(text, at: at(250))) == "[+   0.250] a\n")
        #expect(screen(delta.receive(text, at: at(1250))) == "[+   1.000] a\n")
    }

    @Test("gives the same output and lines however the bytes are cut into pieces")
    func pieces() throws {
        let bytes = Array("I (1) a: b\r\n\u{1B}[31mE (2) c: d\u{1B}[0m\nx\r\r\n€ end\n".utf8)
        var whole = try view(stamps: .none, colours: true)
        let expected = screen(whole.receive(bytes, at: .zero))
        for size in 1..<bytes.count {
            var view = try view(stamps: .none, colours: true)
            var shown = ""
            for start in stride(from: 0, to: bytes.count, by: size) {
                shown += screen(view.receive(Array(bytes[start..<min(start + size, bytes.count)]), at: .zero))
            }
            #expect(shown == expected, "pieces of \(size) bytes")
        }
    }

    @Test("gives each line of the log its date and time, in each view", arguments: MonitorView.Kind.allCases)
    func logStamps(kind: MonitorView.Kind) throws {
        var view = MonitorView(
            kind, stamps: LineStamps(.none, since: .zero), filter: try LogFilter("*:N"), hasColours: false,
            logStamp: { "day \($0.nanoseconds / 1_000_000)" })
        var logged = log(view.receive(Array("one\r\n\u{1B}[31mtw".utf8), at: at(5)))
        logged += log(view.receive(Array("o\n".utf8), at: at(7))) + log([view.note("--- lost", at: at(9))])
        logged += log(view.receive(Array("end".utf8), at: at(11))) + log(view.finish(at: at(12)))
        #expect(logged == "day 5 one\nday 7 two\nday 9 --- lost\nday 11 end\n")
    }

    @Test("keeps the bytes of a line beside its text, in which an escape may be text or a byte")
    func lineBytes() throws {
        var view = try view()
        let lines = view.receive(Array(#"a\x01"#.utf8) + [0x0A, 0x61, 0x01, 0x0A], at: at(1)).compactMap(\.line)
        #expect(lines.map(\.text) == [#"a\x01"#, #"a\x01"#])
        #expect(lines.map(\.bytes) == [Array(#"a\x01"#.utf8), [0x61, 0x01]])
    }

    @Test("recognises output at a wrong rate as garbage, once, and never text")
    func garbage() {
        var state: UInt32 = 1
        let noise = (0..<1000).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        var detector = GarbageDetector()
        #expect(stride(from: 0, to: 1000, by: 50).count { detector.receive(Array(noise[$0..<$0 + 50])) } == 1)
        let texts = [
            "I (10) wifi: hello\r\n\u{1B}[0;33mW (12) app: warn\u{1B}[0m\r\n", "温度 ℃ 21,5 – größer\n",
            "\t0x3ffb: 0xa5\n",
        ]
        for text in texts {
            var detector = GarbageDetector()
            // In pieces that cut characters.
            let bytes = Array(String(repeating: text, count: 200).utf8)
            #expect(
                !stride(from: 0, to: bytes.count - 7, by: 7).contains { detector.receive(Array(bytes[$0..<$0 + 7])) })
        }
    }
}
