import BoardParts
import Testing
import YAMLReading

/// The wiring of parts in YAML.
struct WiringTests {
    @Test func terminalsHavePinsOfTheirOwn() throws {
        let parts = try WiredPart.list(
            yaml: "{a: {part: ads1115, alert: 4}, b: {part: hc-sr04, trigger: 5, echo: 4}, c: {part: ina219, sda: 25}}")
        #expect(parts.map(\.allPins) == [[4, 21, 22], [4, 5], [22, 25]])
    }

    @Test(arguments: [
        (
            "{a: {part: ads1115, alert: 21}}",
            "1:28: 'alert' and 'sda' of one ads1115 are both on pin 21, expected another"
        ),
        ("{a: {part: ads1115, scl: 4, alert: 4}}", "1:36: 'alert' and 'scl' of one ads1115 are both on pin 4"),
        ("{a: {part: ads1115, sda: 22}}", "1:26: 'scl' and 'sda' of one ads1115 are both on pin 22"),
        ("{a: {part: hc-sr04, trigger: 5, echo: 5}}", "1:39: 'echo' and 'trigger' of one hc-sr04 are both on pin 5"),
        (
            "{a: {part: keypad, rows: [4, 5], columns: [13, 13], keys: ['12', '34']}}",
            "1:43: 'columns' has pin 13 twice, expected different ones"
        ),
    ])
    func terminalsOnOnePinAreRefused(_ yaml: String, _ expected: String) {
        let error = #expect(throws: DocumentError.self) { try WiredPart.list(yaml: yaml, file: "s") }
        #expect(error?.diagnostics.count == 1)
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }
}
