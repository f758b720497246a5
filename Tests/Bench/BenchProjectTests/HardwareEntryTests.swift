import YAMLReading
import BLECentral
import BenchModel
import BenchProject
import BenchSuites
import Testing

@Suite("Benches on hardware in espbench.yaml")
struct HardwareEntryTests {
    private static func entry(_ yaml: String) throws -> HardwareEntry? {
        try ProjectFile(yaml: yaml, file: "espbench.yaml").benches["desk"]?.hardware
    }

    @Test("have a board, a central, and policies")
    func complete() throws {
        let entry = try #require(
            try Self.entry(
                """
                benches:
                  desk:
                    kind: hardware
                    board: rfc2217://127.0.0.1:4000
                    central: h4:127.0.0.1:5000
                    target: esp32c3
                    power: {on: "hub on", off: "hub off", within: 5 s}
                    retries: 2
                    time factor: 1.5
                    fresh: reset
                """))
        #expect(entry.name == "desk" && entry.board.text == "rfc2217://127.0.0.1:4000")
        #expect(entry.board.position.line == 4 && entry.board.position.column == 12)
        #expect(entry.centrals == [try CentralAddress("h4:127.0.0.1:5000")])
        #expect(entry.centralPosition.line == 5 && entry.centralPosition.column == 14)
        #expect(entry.target?.text == "esp32c3" && entry.power?.on == "hub on" && entry.power?.off == "hub off")
        #expect(entry.power?.limit == .seconds(5))
        #expect(entry.power?.position.line == 7 && entry.power?.position.column == 12)
        #expect(entry.retries == 2 && entry.timeFactor == 1.5 && !entry.erasesStorage)
    }

    @Test("have several adapters, each once")
    func adapters() throws {
        let yaml = "benches: {desk: {kind: hardware, board: auto, central: [bluez:hci0, bluez:hci1]}}"
        #expect(try Self.entry(yaml)?.centrals == [.bluez(adapter: "hci0"), .bluez(adapter: "hci1")])
    }

    @Test("need only these two, and may be another bench's kind")
    func short() throws {
        let file = try ProjectFile(
            yaml: "benches: {default: desk, desk: {kind: hardware, board: auto, central: bluez, seed: 3}}",
            file: "espbench.yaml")
        let bench = try #require(ProjectFile.bench("default", in: file.benches))
        #expect(bench.kind == "hardware" && bench.seed == 3)
        let entry = try #require(bench.hardware)
        #expect(entry.centrals == [.bluez(adapter: nil)] && entry.target == nil && entry.power == nil)
        #expect(entry.retries == 0 && entry.timeFactor == 1 && entry.erasesStorage)
    }

    @Test(
        "name place, expectation and what came",
        arguments: [
            ("{kind: hardware, central: bluez}", "1:17: a bench of kind 'hardware' lacks the key 'board'"),
            ("{kind: hardware, board: auto}", "1:17: a bench of kind 'hardware' lacks the key 'central'"),
            (
                "{kind: hardware, board: auto, central: usb}",
                "1:56: central: expected bluez, bluez:hciN, h4:HOST:PORT, h4:/dev/TTY[,BAUD] or corebluetooth, got \"usb\""
            ),
            (
                "{kind: hardware, board: auto, central: [bluez:hci0, bluez:hci0]}",
                "1:69: central: expected each address once, got 'bluez:hci0' again"
            ),
            (
                "{kind: hardware, board: auto, central: []}",
                "1:56: expected the addresses of the centrals' stacks, got an empty list"
            ),
            (
                "{kind: hardware, board: auto, central: bluez, retries: many}",
                "1:72: expected 'retries' to be a number of 0 to 10, got 'many'"
            ),
            (
                "{kind: hardware, board: auto, central: bluez, time factor: 0.5}",
                "1:76: expected 'time factor' to be a number of 1 to 100, got '0.5'"
            ),
            (
                "{kind: hardware, board: auto, central: bluez, power: {on: x}}",
                "1:70: 'power' lacks the key 'off'"
            ),
            (
                "{kind: hardware, board: auto, central: bluez, power: {on: x, off: y, within: 5}}",
                "1:94: expected 'within' to be a time such as 30 s, got '5'"
            ),
            (
                "{kind: hardware, board: auto, central: bluez, fresh: never}",
                "1:70: expected 'fresh' to be erase (the NVS is erased before each case) or reset, got 'never'"
            ),
            (
                "{kind: hardware, board: [a], central: bluez}",
                "1:41: expected the address of the board's port, such as /dev/ttyUSB0, got a list"
            ),
        ])
    func faults(bench: String, message: String) {
        let error = #expect(throws: SuiteError.self) { try Self.entry("benches: {desk: \(bench)}") }
        #expect(error?.description == "espbench.yaml:" + message)
    }

    @Test("have keys that other kinds do not have")
    func keys() {
        let error = #expect(throws: SuiteError.self) { try Self.entry("benches: {desk: {kind: virtual, board: auto}}") }
        #expect(error?.description.contains("unknown key 'board' in a bench") == true)
        let mistyped = #expect(throws: SuiteError.self) {
            try Self.entry("benches: {desk: {kind: hardware, board: auto, central: bluez, retrys: 1}}")
        }
        #expect(mistyped?.description.contains("did you mean 'retries'?") == true)
    }
}
