import BLECore
import BLEDescriptions
import BLESimulation
import Foundation
import MonotonicTime
import Testing
import YAMLReading

@Suite("Reading of descriptions") struct ReadingTests {
    @Test func examplesOfTheDocumentation() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Bluetooth/BLEDescriptions/README.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 2)
        for block in blocks { _ = try PeripheralDescription(yaml: block, file: "README.md") }
        // Every key that there is, is documented.
        for key in Self.keys { #expect(text.contains("`\(key)`"), "\(key)") }
        let greenhouse = try PeripheralDescription(yaml: blocks[0], file: "README.md")
        let data = try greenhouse.service(named: "climate").characteristic(named: "data")
        #expect(data.uuid == BLEUUID("7E570002-0001-4000-8000-00805F9B34FB"))
        #expect(try data.decode([0x0A, 0x09, 45]).text == "temperature 23.14 °C, relative 45 %")
        let probe = try PeripheralDescription(yaml: blocks[1], file: "README.md").services[0].characteristics[0]
        #expect(
            try probe.decode([2, 0x10, 0x27, 30]).text
                == "flags 2, fahrenheit 0, has_battery 1, resistance 10000 Ω, temperature 25.00 °C, battery 3.000 V, history (none)"
        )
        #expect(try probe.decode([3, 0x10, 0x27, 0xB8, 0x0B])["battery"]?.number == 3)
        #expect(try probe.decode([0, 0x10, 0x27, 1, 0, 2, 0])["history"] == .list([.integer(1), .integer(2)]))
    }

    private static let keys = [
        "name", "title", "advertised as", "advertises", "base", "byte order", "uuid", "characteristics", "optional",
        "properties", "optional properties", "security", "descriptors", "label", "notifies", "switch", "period",
        "calibration", "values", "sets", "type", "at", "length", "order", "bits", "scale", "offset", "value", "if",
        "repeat",
        "unit", "names", "range", "decimals", "simulated",
    ]

    @Test(arguments: [
        ("type: u9", "sample.yaml:9:15: expected a type, one of: u8,"),
        ("typ: u8", "sample.yaml:9:9: unknown key 'typ' in a characteristic (did you mean 'type'?)"),
        ("type: u8\nscale: 0", "sample.yaml:10:16: expected 'scale' not to be 0"),
        ("type: u8\nvalue: raw * rwa", "sample.yaml:10:22: unknown name 'rwa' (did you mean 'raw'?)"),
        ("type: u8\nvalue: |\n  x = raw\n  x +", "sample.yaml:12:14: expected a number, a name or '(', got the end"),
        ("type: u8\nvalue: |\n  x = x + 1\n  x", "sample.yaml:11:15: unknown name 'x'"),
        ("type: utf8\nscale: 2", "sample.yaml:10:16: 'scale' is for numbers"),
        ("type: u8\nrange: [3, 1]", "sample.yaml:10:16: expected 'range'"),
        ("type: u8\nnames: {0: off, 256: on}", "sample.yaml:10:25: expected a number from 0 to 255, got 256"),
        ("type: i8\nnames: {-129: off}", "sample.yaml:10:17: expected a number from -128 to 127, got -129"),
        (
            "type: u8\nsimulated: 300",
            "sample.yaml:10:20: expected numbers from 0 to 255, which can be encoded, got 300"
        ),
        (
            "type: u8\nscale: 0.5\nsimulated: {ramp: [0, 200], every: 1 s}",
            "sample.yaml:11:20: expected numbers from 0 to 127.5, which can be encoded, got 200"
        ),
        (
            "type: u8\nrange: [0, 100]\nsimulated: {steps: [7, 101], every: 1 s}",
            "sample.yaml:11:20: expected numbers from 0 to 100, as 'range' says, got 101"
        ),
        ("type: u8\nbits: {a: 70}", "sample.yaml:10:19: expected bits such as 3 or 1-2, of 0 to 63, got '70'"),
        ("type: u8\nnotifies: 10 s", "sample.yaml:10:19: expected 'notifies' to be period, change or a time"),
        ("type: u8\nsimulated: {sine: [1, 2]}", "sample.yaml:10:20: 'simulated' lacks the key 'every'"),
        ("type: u8\nlength: 3", "sample.yaml:10:17: 'length' is for utf8, utf16 and bytes"),
        ("values:\n  a: {type: bytes}\n  b: {type: u8}", "sample.yaml:11:11: 'b' needs 'at', the value before it goes"),
        ("values:\n  a-b: {type: u8}", "sample.yaml:10:11: expected a name of letters, digits and '_' for a value"),
        ("switch: {off: 0}", "'switch' lacks the key 'on'"), ("period: 0 ms", "expected a unit of the period"),
        ("sets: {x: 1}", "expected a value of the service"),
    ])
    func mistakes(_ lines: String, _ message: String) {
        let faults = Sample.faults(Sample.yaml(lines))
        #expect(faults.contains { $0.contains(message) }, "\(faults)")
    }

    @Test func everythingThatIsWrongIsToldAtOnce() {
        let faults = Sample.faults(Sample.yaml("type: u9\nunit: [a]\nat: x"))
        #expect(faults.count == 3)
        #expect(
            Sample.faults("") == [
                "sample.yaml:1:1: expected a description with the keys 'name' and 'services', the file is empty"
            ])
        #expect(Sample.faults("[1]").count == 1)
        #expect(
            Sample.faults(Sample.yaml("type: u8", top: "title: x")).contains { $0.contains("lacks the key 'name'") })
        let twice = Sample.yaml("values:\n  a: {type: u8}\n  a: {type: u8}")
        #expect(Sample.faults(twice).contains { $0.contains("twice: a") })
    }

    /// Every text is read, or refused with a place in it.
    @Test func cutAtEachByte() {
        for text in [
            PeripheralDescription.cataloguedText("sensortag"), PeripheralDescription.cataloguedText("heart-rate"),
        ] {
            let bytes = Array((text ?? "").utf8)
            #expect(bytes.count > 500)
            for count in stride(from: 0, to: bytes.count, by: bytes.count > 3000 ? 7 : 1) {
                Self.check(String(decoding: bytes[..<count], as: UTF8.self))
            }
        }
    }

    @Test func changedAtRandom() {
        var random = SeededRandom(seed: 12)
        let text = PeripheralDescription.cataloguedText("heart-rate") ?? ""
        let characters = Array("{}[]:-,|>&*!%'\"#\n \t0x9az+/?()")
        for _ in 0..<1500 {
            var changed = Array(text)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: changed.remove(at: place)
                case 1: changed.insert(characters.randomElement(using: &random) ?? " ", at: place)
                default: changed[place] = characters.randomElement(using: &random) ?? " "
                }
            }
            Self.check(String(changed))
        }
    }

    private static func check(_ yaml: String) {
        do throws(DocumentError) {
            let description = try PeripheralDescription(yaml: yaml, file: "x")
            // What is read works, whatever it is.
            for characteristic in description.services.flatMap(\.characteristics) {
                for count in [0, 1, 2, 4, 8, 20] {
                    _ = try? characteristic.decode([UInt8](repeating: 0xA5, count: count))
                }
                _ = try? characteristic.encode([:])
            }
        } catch {
            let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            for fault in error.diagnostics {
                #expect(!fault.message.isEmpty && fault.position.line >= 1 && fault.position.line <= lines + 1)
            }
            #expect(!error.diagnostics.isEmpty)
        }
    }

    @Test func formulasOfEveryLengthAndDepth() {
        let deep = String(repeating: "(", count: 1000) + "1" + String(repeating: ")", count: 1000)
        #expect(
            Sample.faults(Sample.yaml("type: u8\nvalue: \(deep)")).contains { $0.contains("nested more than 64 deep") })
        let long = "raw" + String(repeating: " + 1", count: 1000)
        #expect(Sample.faults(Sample.yaml("type: u8\nvalue: \(long)")).contains { $0.contains("at most 2048 bytes") })
        let chain = Sample.characteristic("type: u8\nvalue: raw" + String(repeating: "+1", count: 1000))
        #expect((try? chain.decode([1]))?["data"] == .integer(1001))
        // What does not fit is an error, no trap.
        let power = Sample.characteristic("type: u64\nvalue: raw * raw * raw")
        #expect(throws: DescriptionError.self) { try power.decode([UInt8](repeating: 0xFF, count: 8)) }
        let zero = Sample.characteristic("type: u8\nvalue: 1 / raw")
        #expect((try? zero.decode([0])) == nil)
        let shift = Sample.characteristic("type: u8\nvalue: 1 << raw")
        #expect(throws: DescriptionError.self) { try shift.decode([64]) }
    }

    @Test func wavesOnTheCommandLine() throws {
        let tag = PeripheralDescription.sensorTag
        #expect(try tag.wave("40.2", of: "humidity.relative", file: "-") == .constant(.real(40.2)))
        #expect(try tag.wave("on", of: "humidity.configuration", file: "-") == .constant(.text("on")))
        #expect(
            try tag.wave("{sine: [20, 30], every: 60 s}", of: "humidity.relative", file: "-")
                == .sine(20...30, period: .seconds(60)))
        #expect(throws: DescriptionError.self) { try tag.wave("1", of: "humidity.relativ", file: "-") }
        #expect(throws: DocumentError.self) { try tag.wave("{sine: 3}", of: "humidity.relative", file: "-") }
    }
}
