import Console
import Testing

@Suite("The monitor's keys")
struct MonitorKeysTests {
    private let menu: UInt8 = 0x14

    @Test("sends what is typed, with the line ending for Enter", arguments: LineEnding.allCases)
    func typing(ending: LineEnding) {
        var keys = MonitorKeys(lineEnding: ending)
        #expect(keys.receive(Array("a\nb".utf8)) == [.send([0x61] + ending.bytes + [0x62])])
        #expect([LineEnding.lf, .cr, .crlf].map(\.bytes) == [[0x0A], [0x0D], [0x0D, 0x0A]])
    }

    @Test("leaves at Ctrl-] after sending what was typed before it, and ignores what follows")
    func leave() {
        var keys = MonitorKeys(lineEnding: .lf)
        #expect(keys.receive([0x78, 0x1D, 0x79]) == [.send([0x78]), .leave])
    }

    @Test(
        "does commands behind the menu key, also with Ctrl held",
        arguments: [
            ("h", 0x08, MonitorKeys.Action.help), ("r", 0x12, .reset), ("b", 0x02, .bootloader), ("p", 0x10, .pause),
            ("l", 0x0C, .log), ("v", 0x16, .view), ("f", 0x06, .prompt), ("e", 0x05, .lineEnding(.cr)),
            ("q", 0x18, .leave), ("c", 0x03, .send([0x03])),
        ] as [(String, UInt8, MonitorKeys.Action)])
    func commands(letter: String, control: UInt8, action: MonitorKeys.Action) {
        var keys = MonitorKeys(lineEnding: .lf)
        #expect(keys.receive([menu] + Array(letter.utf8)) == [action])
        var held = MonitorKeys(lineEnding: .lf)
        #expect(held.receive([menu]).isEmpty)
        #expect(held.receive([control]) == [action])
    }

    @Test("sends the menu key and Ctrl-] themselves, and reports a key without a command")
    func escapes() {
        var keys = MonitorKeys(lineEnding: .lf)
        #expect(
            keys.receive([menu, menu, menu, 0x1D, menu, 0x7A, 0x61]) == [
                .send([menu]), .send([0x1D]), .unknown(0x7A), .send([0x61]),
            ])
    }

    @Test("changes the line ending in turn")
    func lineEndings() {
        var keys = MonitorKeys(lineEnding: .lf)
        let endings = (0..<3).flatMap { _ in keys.receive([menu, UInt8(ascii: "e")]) }
        #expect(endings == [.lineEnding(.cr), .lineEnding(.crlf), .lineEnding(.lf)])
    }

    @Test("edits a filter in a prompt, and sends none of it")
    func prompt() {
        var keys = MonitorKeys(lineEnding: .lf)
        let actions = keys.receive([menu] + Array("fwx".utf8) + [0x7F] + Array(":E\nz".utf8))
        #expect(
            actions == [
                .prompt, .echo("w"), .echo("x"), .echo("\u{8} \u{8}"), .echo(":"), .echo("E"), .filter("w:E"),
                .send([0x7A]),
            ])
        #expect(
            keys.receive([menu] + Array("fw".utf8) + [0x1B, 0x61]) == [
                .prompt, .echo("w"), .cancel, .send([0x61]),
            ])
    }
}
