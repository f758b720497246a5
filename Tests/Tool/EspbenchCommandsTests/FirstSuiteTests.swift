import BenchSuites
import BLECore
import EspbenchCommands
import Foundation
import ProjectCommands
import Testing

@Suite("A first suite")
struct FirstSuiteTests {
    private static func profile() -> SketchProfile {
        var profile = SketchProfile(sketch: "Lamp 2: new")
        profile.advertises = true
        profile.localName = "Lamp"
        profile.advertised = [BLEUUID(0xA000)]
        profile.firstLine = "ready {1} \"x\""
        var state = SketchProfile.Characteristic(uuid: BLEUUID(0xA001), properties: [.read, .write])
        state.reading = .value(Array("on".utf8))
        var level = SketchProfile.Characteristic(uuid: BLEUUID(0x2A19), properties: [.read, .notify])
        level.reading = .value([100])
        level.subscription = .value([])
        level.sendsValues = true
        var secret = SketchProfile.Characteristic(
            uuid: BLEUUID(literal: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"), properties: [.read, .indicate])
        secret.reading = .attError(0x05)
        secret.subscription = .attError(0x0F)
        profile.services = [.init(uuid: BLEUUID(0xA000), characteristics: [state, level, secret])]
        return profile
    }

    @Test("has names, steps and values of what the sketch showed, and comments")
    func text() throws {
        let text = FirstSuite(Self.profile()).text
        #expect(
            text == """
                # The first suite of "Lamp 2: new", written by 'espbench init' from what the sketch showed on the virtual bench.
                # It is yours: rename, add, delete. 'espbench help suites' describes all steps.
                suite: "Lamp 2: new"
                # Names for UUIDs; the steps below use them.
                uuids:
                  battery level: "2A19"
                  output: "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"
                cases:
                  # Every case begins with a freshly flashed and powered board.
                  - name: starts
                    steps:
                      # A line of the console: the whole line, or /…/ for a part of it.
                      - expect: {console: "ready {{1}} \\"x\\"", within: 5 s}
                  - name: advertises
                    steps:
                      # One advertisement has to have all of it.
                      - scan: {advertising: A000, name: Lamp, within: 10 s}
                  - name: has its services
                    steps:
                      - connect: {advertising: A000, name: Lamp, within: 10 s}
                      # Exactly these characteristics with exactly these properties.
                      - discover:
                          A000:
                            A001: [read, write]
                            battery level: [read, notify]
                            output: [read, indicate]
                  - name: gives its values
                    steps:
                      - connect: {advertising: A000, name: Lamp, within: 10 s}
                      - read: {from: A001, text: "on"}
                      - read: {from: battery level, bytes: [0x64]}
                      # It refuses: 'pair' first if it is protected.
                      - read: output
                      - expect: {error: 0x05}
                  - name: accepts subscriptions
                    steps:
                      - connect: {advertising: A000, name: Lamp, within: 10 s}
                      # After a write, expect the answer: - expect: {notification: …, bytes: […], within: 1 s}
                      - subscribe: battery level
                      - expect: {notification: battery level, within: 5 s}
                      # It refuses: 'pair' first if it is protected.
                      - subscribe: {to: output, kind: indications}
                      - expect: {error: 0x0f}

                """)
        let suite = try Suite(yaml: text, file: "lamp.yaml")
        #expect(suite.name == "Lamp 2: new")
        #expect(suite.cases.count == 5)
    }

    @Test(
        "is a suite, whatever the sketch showed",
        arguments: [
            "", "/start/", "{", "'\"\\\t\u{1}", "# no", "- a", "yes", "🙂", "a: b", "[x]", "\u{FFFD}", "{{}", "null",
            "1", "\u{2028}", "\u{FFFF}", "\u{85}",
        ])
    func anyText(text: String) throws {
        var profile = Self.profile()
        profile.firstLine = text
        profile.localName = text
        profile.sketch = text + "x"
        profile.services?[0].characteristics[0].reading = .value(Array(text.utf8))
        _ = try Suite(yaml: FirstSuite(profile).text, file: "s.yaml")
    }

    @Test("leaves out what has a UUID several times")
    func repeated() throws {
        var profile = Self.profile()
        let service = try #require(profile.services?.first)
        var double = service
        double.uuid = BLEUUID(0x1812)
        double.characteristics[1] = double.characteristics[0]
        profile.services = [service, double, service]
        let text = FirstSuite(profile).text
        #expect(text.contains("          A000:\n            A001: [read, write]\n"))
        #expect(text.contains("      # Left out: what has a UUID several times"))
        #expect(!text.contains("human interface device:\n"))
        let suite = try Suite(yaml: text, file: "s.yaml")
        #expect(suite.cases.count == 5)
        profile.services = [double]
        let other = try Suite(yaml: FirstSuite(profile).text, file: "s.yaml")
        #expect(other.cases[2].name.source == "accepts a connection")
    }

    @Test("of a sketch without Bluetooth only shows that it starts")
    func nothing() throws {
        let suite = try Suite(yaml: FirstSuite(SketchProfile(sketch: "Blink")).text, file: "s.yaml")
        #expect(suite.cases.count == 1)
        var silent = Self.profile()
        silent.localName = nil
        silent.advertised = []
        #expect(try Suite(yaml: FirstSuite(silent).text, file: "s.yaml").cases.count == 1)
    }

    @Test(
        "leaves out texts with a time",
        arguments: [
            ("built 12:01:59", true), ("Mar  7 2025", true), ("2025-03-07", true), ("ready after 312 ms", true),
        ]
            + ["ready", "version 1.2.3", "12:01", "May 2025", "3 items", "10 smart"].map { ($0, false) })
    func times(text: String, isTime: Bool) {
        var profile = Self.profile()
        (profile.firstLine, profile.localName) = (text, text)
        profile.services?[0].characteristics[0].reading = .value(Array(text.utf8))
        let cleaned = profile.withoutTimes
        #expect(cleaned.firstLine == (isTime ? nil : text))
        #expect(cleaned.localName == (isTime ? nil : text))
        #expect(cleaned.services?[0].characteristics[0].reading == .value(isTime ? nil : Array(text.utf8)))
    }

    @Test("leaves out what differs from run to run")
    func common() {
        var other = Self.profile()
        other.firstLine = "random 7"
        other.services?[0].characteristics[0].reading = .value([1])
        other.services?[0].characteristics[1].sendsValues = false
        let common = Self.profile().common(with: other)
        #expect(common.firstLine == nil)
        #expect(common.localName == "Lamp")
        #expect(common.services?[0].characteristics[0].reading == .value(nil))
        #expect(common.services?[0].characteristics[1].sendsValues == false)
        #expect(FirstSuite(common).text.contains("- read: A001\n"))
    }
}
