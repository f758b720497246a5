import BoardParts
import Testing
import YAMLReading

/// Diagrams of Wokwi.
struct DiagramTests {
    private func read(_ text: String) throws -> PartReader.Parts {
        try PartReader.parts(diagram: text, file: "d.json", reserved: ["pwm"])
    }

    /// A diagram with the board `esp`, of one part or connection per line from line 2 on.
    private func diagram(_ parts: [String], _ connections: [String], board: String = "board-esp32-devkit-c-v4")
        -> String
    {
        let parts = ["{\"type\": \"\(board)\", \"id\": \"esp\", \"attrs\": {}}"] + parts
        return "{\"version\": 1, \"editor\": \"wokwi\", \"parts\": [\n" + parts.joined(separator: ",\n")
            + "],\n\"connections\": [\n" + connections.joined(separator: ",\n") + "],\n\"dependencies\": {}}\n"
    }

    private func part(_ type: String, _ id: String, _ attributes: String = "") -> String {
        "{\"type\": \"\(type)\", \"id\": \"\(id)\", \"top\": -4.5, \"attrs\": {\(attributes)}}"
    }

    /// Connections such as `esp:4 led:A`.
    private func wires(_ wires: String...) -> [String] {
        wires.map { wire in
            let ends = wire.split(separator: " ").map { "\"\($0)\"" }
            return "[\(ends.joined(separator: ", ")), \"green\", [\"v0\", \"*\", \"h-9.6\"]]"
        }
    }

    private func texts(_ parts: [String], _ connections: [String], board: String = "board-esp32-devkit-c-v4") throws
        -> [String]
    {
        let read = try read(diagram(parts, connections, board: board))
        #expect(read.notes.isEmpty, "\(read.notes)")
        return read.entries.map(\.part.text)
    }

    @Test func ledsAreLitByTheLevelThatTheirOtherEndAsksFor() throws {
        let parts = [
            part("wokwi-led", "a", "\"color\": \"red\""), part("wokwi-led", "b"), part("wokwi-resistor", "r1"),
            part("wokwi-resistor", "r2", "\"value\": \"220\""),
        ]
        let all = wires("esp:4 r1:1", "r1:2 a:A", "a:C esp:GND.1", "esp:3V3 b:A", "b:C r2:1", "r2:2 esp:5")
        #expect(
            try texts(parts, all) == ["a: {part: led, pin: 4, active: high}", "b: {part: led, pin: 5, active: low}"])
        let behind = wires("esp:4 a:A", "a:C r1:1", "r1:2 r2:2", "r2:1 esp:GND.2")
        #expect(
            try read(diagram(Array(parts.prefix(1)) + parts.suffix(2), behind)).entries.map(\.part.text) == [
                "a: {part: led, pin: 4, active: high}"
            ])
    }

    @Test func buttonsHaveTheLevelAndTheResistorOfTheirWiring() throws {
        let parts = [
            part("wokwi-pushbutton", "a"), part("wokwi-pushbutton-6mm", "b", "\"bounce\": \"0\", \"key\": \"q\""),
            part("wokwi-resistor", "r1", "\"value\": \"10000\""), part("wokwi-vcc", "vcc"), part("wokwi-gnd", "gnd"),
        ]
        let all = wires(
            "esp:D18 a:1.l", "a:2.r esp:GND.1", "$serialMonitor:TX esp:RX0", "b:2.l esp:D19", "b:1.r vcc:VCC",
            "r1:1 b:2.r",
            "r1:2 gnd:GND")
        #expect(
            try texts(parts, all, board: "wokwi-esp32-devkit-v1") == [
                "a: {part: button, pin: 18, active: low, resistor: none, bounce: 1}",
                "b: {part: button, pin: 19, active: high, resistor: external, bounce: 0}",
            ])
    }

    /// Columns of a breadboard have five holes, on each side of its middle; the rails are long.
    @Test func breadboardsConnectTheirColumnsAndRails() throws {
        let parts = [
            part("wokwi-breadboard-half", "bb"), part("wokwi-led", "a"), part("wokwi-led", "b"),
            part("wokwi-servo", "c"),
        ]
        let all = wires(
            "esp:4 bb:7t.a", "a:A bb:7t.e", "a:C bb:tn.3", "bb:tn.25 esp:GND.1", "b:A bb:7b.f", "b:C bb:tn.1",
            "esp:5 bb:7b.j",
            "c:PWM bb:9t.b", "esp:12 bb:8t.a", "esp:13 bb:9t.a")
        #expect(
            try texts(parts, all) == [
                "a: {part: led, pin: 4, active: high}", "b: {part: led, pin: 5, active: high}",
                "c: {part: servo, pin: 13, min: 544, max: 2400, range: 180, speed: 600, start: 0}",
            ])
    }

    @Test func sensorsBeginWithTheValuesOfTheirAttributes() throws {
        let parts = [
            part("wokwi-dht22", "a", "\"temperature\": \"-4.5\", \"humidity\": \"\""),
            part("wokwi-potentiometer", "b", "\"value\": \"1023\""),
            part("wokwi-ntc-temperature-sensor", "c", "\"beta\": \"3380\""),
            part("wokwi-photoresistor-sensor", "d", "\"lux\": \"100\", \"rl10\": \"40\""), part("wokwi-hc-sr04", "e"),
            part("wokwi-mpu6050", "f", "\"accelX\": \"0.5\", \"rotationZ\": \"-90\""),
            part("board-ds18b20", "g", "\"deviceID\": \"ff641e0f7706\""),
        ]
        let all = wires(
            "esp:4 a:SDA", "b:SIG esp:34", "c:OUT esp:35", "d:AO esp:VP", "e:TRIG esp:16", "e:ECHO esp:17",
            "f:SDA esp:21",
            "f:SCL esp:22", "f:AD0 esp:3V3", "f:INT esp:19", "g:DQ esp:18")
        let entries = try read(diagram(parts, all)).entries
        func initial(_ index: Int) -> [Double] { entries[index].part.kind.quantities.map(\.initial) }
        #expect(initial(0) == [-4.5, 40] && initial(1) == [100] && initial(2) == [24] && initial(3) == [100])
        #expect(initial(4) == [400] && initial(5) == [0.5, 0, 1, 0, 0, -90, 24] && initial(6) == [22])
        #expect(
            entries.dropFirst(2).map(\.part.text) == [
                "c: {part: ntc, pin: 35, nominal: 10000, beta: 3380, series: 10000, side: low, supply: 3.3}",
                "d: {part: photoresistor, pin: 36, r10: 40000, gamma: 0.7, dark: 1000000000, series: 10000, side: low, supply: 3.3}",
                "e: {part: hc-sr04, trigger: 16, echo: 17}", "f: {part: mpu6050, int: 19, sda: 21, scl: 22, i2c: 0x69}",
                "g: {part: ds18b20, pin: 18, rom: 28FF641E0F770631}",
            ])
    }

    @Test func displaysLightsAndContactsAreTranslated() throws {
        let parts = [
            part("wokwi-lcd1602", "a", "\"pins\": \"i2c\", \"i2cAddress\": \"0x3F\""), part("wokwi-lcd2004", "b"),
            part("wokwi-ssd1306", "c", "\"i2cAddress\": \"0x3d\""),
            part("wokwi-rgb-led", "d", "\"common\": \"cathode\""),
            part("wokwi-relay-module", "e", "\"transistor\": \"pnp\""), part("wokwi-buzzer", "f"),
            part("wokwi-ky-040", "g"), part("wokwi-led-ring", "h", "\"pixels\": \"12\""),
        ]
        let all = wires(
            "a:SDA esp:21", "a:SCL esp:22", "b:RS esp:13", "b:E esp:12", "b:D4 esp:14", "b:D5 esp:27", "b:D6 esp:26",
            "b:D7 esp:25", "b:RW esp:GND.1", "c:DATA esp:21", "c:CLK esp:22", "d:R esp:16", "d:G esp:17", "d:B esp:18",
            "d:COM esp:GND.2", "e:IN esp:19", "f:1 esp:GND.3", "f:2 esp:23", "g:CLK esp:32", "g:DT esp:33",
            "h:DIN esp:4")
        #expect(
            try texts(parts, all) == [
                "a: {part: lcd1602, sda: 21, scl: 22, i2c: 0x3f}",
                "b: {part: lcd2004-parallel, rs: 13, e: 12, d4: 14, d5: 27, d6: 26, d7: 25}",
                "c: {part: ssd1306, sda: 21, scl: 22, i2c: 0x3d, height: 64}",
                "d: {part: rgb-led, red: 16, green: 17, blue: 18, common: cathode}",
                "e: {part: relay, pin: 19, active: low}", "f: {part: buzzer, pin: 23, type: passive, frequency: 2300}",
                "g: {part: encoder, a: 32, b: 33, edges: 4, step: 5, resistor: external}",
                "h: {part: ws2812, pin: 4, count: 12, order: GRB, reset: 50}",
            ])
    }

    @Test func aKeypadHasItsKeys() throws {
        let pins = [13, 12, 14, 27, 26, 25, 33]
        let names = ["R1", "R2", "R3", "R4", "C1", "C2", "C3"]
        let keys =
            "\"columns\": \"3\", \"keys\": [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"*\",\"0\",\"é\"]"
        let connections = zip(names, pins).flatMap { wires("k:\($0) esp:\($1)") }
        #expect(
            try texts([part("wokwi-membrane-keypad", "k", keys)], connections) == [
                "k: {part: keypad, rows: [13, 12, 14, 27], columns: [26, 25, 33], keys: [\"123\", \"456\", \"789\", \"*0é\"]}"
            ])
    }

    /// The handle connects 2 with 1 on the left, and with 3 on the right.
    @Test(arguments: [
        (["1 GND.1", "3 3V3"], "", "active: high, resistor: external", 0.0),
        (["1 3V3", "3 GND.1"], "1", "active: low, resistor: external", 1.0),
        (["3 GND.1"], "", "active: low, resistor: none", 0.0), (["1 GND.1"], "", "active: low, resistor: none", 1.0),
    ])
    func aSlideSwitchIsBetweenAPinAndRails(_ ends: [String], _ value: String, _ text: String, _ initial: Double) throws
    {
        let parts = [part("wokwi-slide-switch", "s", "\"value\": \"\(value)\", \"bounce\": \"0\"")]
        let all =
            ends.map { $0.split(separator: " ") }.flatMap { wires("s:\($0[0]) esp:\($0[1])") } + wires("s:2 esp:4")
        let entry = try #require(try read(diagram(parts, all)).entries.first)
        #expect(entry.part.text == "s: {part: switch, pin: 4, \(text), bounce: 0}")
        #expect(entry.part.kind.quantities[0].initial == initial)
    }

    @Test func chainsOfLightsAreOneStripAndMayBeLoops() throws {
        let parts = [
            part("wokwi-neopixel", "a"), part("wokwi-led-strip", "b", "\"pixels\": \"5\""),
            part("wokwi-led-matrix", "c", "\"rows\": \"2\", \"cols\": \"3\""), part("wokwi-neopixel", "x"),
            part("wokwi-neopixel", "y"),
        ]
        let all = wires("a:DIN esp:4", "a:DOUT b:DIN", "c:DIN b:DOUT", "x:DOUT y:DIN", "y:DOUT x:DIN")
        let read = try read(diagram(parts, all))
        #expect(read.entries.map(\.part.text) == ["a: {part: ws2812, pin: 4, count: 12, order: GRB, reset: 50}"])
        #expect(read.absent.keys.sorted() == ["b", "c", "x", "y"])
        #expect(read.absent["c"]?.contains("after 'b'") == true)
    }

    private static let absent: [(part: String, wires: String, reason: String)] = [
        ("wokwi-pir-motion-sensor", "p:OUT esp:4", "espbench knows no part like wokwi-pir-motion-sensor"),
        ("wokwi-led", "p:A esp:4", "its cathode C leads neither to ground nor to a pin"),
        ("wokwi-led", "p:A esp:GND.1;p:C esp:4", "it is the wrong way round"),
        ("wokwi-led", "p:A esp:4;p:C esp:5", "it is between two pins of the board"),
        ("wokwi-led", "p:C esp:GND.1", "its pin A is not wired to a pin of the board"),
        ("wokwi-led", "p:A esp:4;esp:4 esp:5;p:C esp:GND.1", "its pin A is wired to several pins of the board: 4, 5"),
        ("wokwi-servo", "p:PWM esp:GND.1", "its pin PWM is wired to ground"),
        ("wokwi-pushbutton", "p:1.l esp:4;p:1.r esp:GND.1", "it is not between a pin of the board and ground"),
        ("wokwi-pushbutton", "p:1.l esp:4;p:2.r esp:5", "it is not between a pin of the board and ground"),
        ("wokwi-rgb-led", "p:COM esp:GND.1;p:R esp:4", "its common anode COM is not wired to the supply"),
        ("wokwi-buzzer", "p:2 esp:4", "it is not between a pin of the board and ground"),
        ("wokwi-photoresistor-sensor", "p:AO esp:34;p:DO esp:4", "its digital output DO at pin 4 is not simulated"),
        ("wokwi-lcd1602", "p:RS esp:4;p:D0 esp:5", "its pin D0 is in use"),
        ("wokwi-membrane-keypad", "p:R1 esp:4", "its pin R2 is not wired to a pin of the board"),
    ]

    @Test(arguments: absent)
    func whatCannotBeSimulatedIsNamed(_ type: String, _ connections: String, _ reason: String) throws {
        let all = connections.split(separator: ";").flatMap { wires(String($0)) }
        let read = try read(diagram([part(type, "p")], all))
        #expect(read.entries.isEmpty)
        #expect(read.absent["p"]?.hasPrefix("\(type) of d.json, line 3: \(reason)") == true, "\(read.absent)")
        let note = try #require(read.notes.first { $0.position.line == 3 })
        #expect("\(note)".hasPrefix("d.json:3:1: 'p' is not simulated: \(reason)"), "\(note)")
    }

    @Test func whatHasNoEffectIsNamed() throws {
        let parts = [part("wokwi-led", "p", "\"colour\": \"red\"")]
        let read = try read(
            diagram(
                parts, wires("p:A esp:D4", "p:A esp:4", "p:C esp:GND.1", "p:K esp:5", "esp:12 esp:3V3", "esp:13 esp:14")
            ))
        #expect(read.entries.count == 1)
        #expect(
            read.notes.map { "\($0)" } == [
                "d.json:2:1: pin 12 of the board is wired to the supply: this level is not simulated",
                "d.json:2:1: pins 13, 14 of the board are wired together, which is not simulated",
                "d.json:3:67: the attribute 'colour' of 'p' is unknown, and has no effect",
                "d.json:5:9: 'esp' has no pin 'D4': this connection has no effect",
                "d.json:8:2: 'p' has no pin 'K': this connection has no effect",
            ])
    }

    @Test func aResistorThatPullsAPinWithoutAPartIsNamed() throws {
        let parts = [part("wokwi-resistor", "r1"), part("wokwi-resistor", "r2"), part("wokwi-dht22", "d")]
        let read = try read(
            diagram(parts, wires("r1:1 esp:13", "r1:2 esp:GND.1", "d:SDA esp:4", "r2:1 esp:4", "r2:2 esp:3V3")))
        #expect(
            read.notes.map { "\($0)" } == [
                "d.json:2:1: a resistor pulls pin 13 of the board to ground, which is not simulated without a part there"
            ])
    }

    private static let board = "{\"type\": \"board-esp32-devkit-c-v4\", \"id\": \"esp\"}"
    private static let led = "{\"type\": \"wokwi-led\", \"id\": \"a\"}"

    private static let faults: [(text: String, message: String)] = [
        ("", "d.json:1:1: expected a diagram, got an empty file"),
        (
            "[]",
            "d.json:1:1: expected a diagram of Wokwi, with a list 'parts' and a list 'connections', got an empty list"
        ),
        ("{\"parts\": 3}", "d.json:1:1: expected a diagram of Wokwi"),
        (
            "{\"version\": 1, \"parts\": [{\"type\": \"wokwi-led\", \"i",
            "d.json:1:48: the quote that begins here is not closed"
        ),
        (
            "{\"version\": 1, \"parts\": [{\"type\": \"wokwi-led\"",
            "d.json:2:1: the '{' of line 1, column 26, is not closed"
        ),
        (
            "{\"version\": 2, \"parts\": [\(board)], \"connections\": []}",
            "d.json:1:13: expected a diagram of version 1, got '2'"
        ),
        ("{\"parts\": [\(board)]}", "d.json:1:12: the diagram lacks 'connections'"),
        ("{\"parts\": [\(board)], \"connections\": {}}", "expected 'connections' to be a list, got a mapping"),
        (
            "{\"parts\": [\(led)], \"connections\": []}",
            "the diagram has no board that is simulated, expected one of: board-esp32"
        ),
        (
            "{\"parts\": [{\"type\": \"wokwi-arduino-uno\", \"id\": \"uno\"}], \"connections\": []}",
            "wokwi-esp32-devkit-v1, board-esp32-devkit-v1; unknown types: wokwi-arduino-uno"
        ),
        (
            "{\"parts\": [\(board), \(board)], \"connections\": []}",
            "two parts have the id 'esp', expected another one than in line 1"
        ),
        (
            "{\"parts\": [\(board), {\"type\": \"wokwi-esp32-devkit-v1\", \"id\": \"b\"}], \"connections\": []}",
            "expected one board, got 'esp' and 'b'"
        ),
        ("{\"parts\": [\(board), 3], \"connections\": []}", "expected a part with 'type' and 'id', got '3'"),
        (
            "{\"parts\": [\(board), {\"type\": \"wokwi-led\"}], \"connections\": []}",
            "expected a part with 'type' and 'id'"
        ),
        (
            "{\"parts\": [\(board), {\"type\": \"wokwi-led\", \"id\": \"a\", \"attrs\": []}], \"connections\": []}",
            "expected 'attrs' to map attributes to values, got an empty list"
        ),
        (
            "{\"parts\": [\(board)], \"connections\": [3]}",
            "expected a connection such as [\"esp:4\", \"led1:A\", \"green\", []], got '3'"
        ),
        ("{\"parts\": [\(board)], \"connections\": [[\"esp:4\"]]}", "expected a connection such as"),
        (
            "{\"parts\": [\(board)], \"connections\": [[\"esp:4\", \"a\"]]}",
            "expected a part and its pin, such as led1:A, got 'a'"
        ),
        (
            "{\"parts\": [\(board), \(led)], \"connections\": [[\"esp:4\", \"b:A\"]]}",
            "a connection to the unknown part 'b'"
        ),
        (
            "{\"parts\": [\(board)], \"connections\": [[\"esp:3V3\", \"esp:GND.1\"]]}",
            "this connection joins the supply and ground"
        ),
    ]

    @Test(arguments: faults)
    func faultsHaveTheirPlace(_ text: String, _ message: String) {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("d.json:") == true)
    }

    @Test(arguments: [
        ("wokwi-dht22", "\"temperature\": \"hot\"", "p:SDA esp:4", "expected a number for 'temperature', got 'hot'"),
        (
            "wokwi-dht22", "\"temperature\": \"1e999\"", "p:SDA esp:4",
            "expected a number for 'temperature', got '1e999'"
        ),
        ("wokwi-dht22", "\"temperature\": \"99\"", "p:SDA esp:4", "expected 'temperature' of 'p' of -40...80, got 99"),
        ("wokwi-dht22", "\"temperature\": []", "p:SDA esp:4", "expected a text for 'temperature', got an empty list"),
        (
            "board-ssd1306", "\"i2cAddress\": \"0x27\"", "p:SDA esp:21;p:SCL esp:22",
            "a ssd1306 has one of the addresses 0x3c, 0x3d"
        ),
        ("wokwi-led-strip", "\"pixels\": \"1e9\"", "p:DIN esp:4", "expected 'count' to be a number of 1...4096"),
        ("wokwi-servo", "", "p:PWM esp:34", "pin 34 can only be an input, and a servo needs an output"),
        ("wokwi-potentiometer", "", "p:SIG esp:5", "pin 5 has no analog-to-digital converter"),
        ("wokwi-led", "", "p:A esp:CMD;p:C esp:GND.1", "nothing can be wired there: pin 11 is connected to the flash"),
    ])
    func valuesOutOfRangeAreRefused(_ type: String, _ attributes: String, _ connections: String, _ message: String) {
        let all = connections.split(separator: ";").flatMap { wires(String($0)) }
        let error = #expect(throws: DocumentError.self) { try read(diagram([part(type, "p", attributes)], all)) }
        #expect(
            error?.description.hasPrefix("d.json:3:") == true && error?.description.contains(message) == true,
            "\(error?.description ?? "")")
    }

    @Test func namesThatStepsCannotUseAreRefused() {
        for (id, message) in [("pwm", "a part cannot be named 'pwm'"), ("my led", "expected a part's name of letters")]
        {
            let error = #expect(throws: DocumentError.self) {
                try read(
                    diagram(
                        [part("wokwi-servo", id)],
                        wires("esp:4 \(id):PWM").map { $0.replacing("my\", \"", with: "my ") }))
            }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test func largeFilesAreReadOrRefused() throws {
        let many = Array(repeating: "[\"a:A\", \"a:A\"]", count: 50_000) + wires("a:A esp:4", "esp:GND.1 a:C")
        #expect(try read(diagram([part("wokwi-led", "a")], many)).entries.count == 1)
        let error = #expect(throws: DocumentError.self) { try read(diagram([part("wokwi-led", "a")], many + many)) }
        #expect(error?.description.contains("expected a diagram of at most 1 MB, got 1") == true)
    }
}
