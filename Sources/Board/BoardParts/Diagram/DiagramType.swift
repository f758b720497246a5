import YAMLReading

/// A type of part in diagrams, and the kind of part that it is here.
struct DiagramType: Sendable {
    let names: [String]
    let kind: String
    let pins: [String]
    /// Sets the keys of the entry.
    ///
    /// - Throws: the reason why such a part cannot be simulated.
    let translate: @Sendable (DiagramPart) throws(PartFault) -> Void

    private init(
        _ names: String..., kind: String, pins: [String],
        _ translate: @escaping @Sendable (DiagramPart) throws(PartFault) -> Void
    ) {
        (self.names, self.kind, self.pins, self.translate) = (names, kind, pins, translate)
    }

    static func named(_ name: String) -> DiagramType? { byName[name] }

    private static let byName: [String: DiagramType] = Dictionary(
        uniqueKeysWithValues: all.flatMap { type in type.names.map { ($0, type) } })

    /// Types that connect pins, show a text or measure: nothing can be set or expected of them.
    static let neutral: Set = [
        "wokwi-resistor", "wokwi-junction", "wokwi-vcc", "wokwi-gnd", "wokwi-breadboard", "wokwi-breadboard-half",
        "wokwi-breadboard-mini", "wokwi-text", "wokwi-logic-analyzer",
    ]

    static let strips: Set = ["wokwi-neopixel", "wokwi-led-strip", "wokwi-led-ring", "wokwi-led-matrix"]

    private static let all: [DiagramType] = [
        // Lights
        DiagramType("wokwi-led", kind: "led", pins: ["A", "C"]) { part throws(PartFault) in
            switch (part.lead("A"), part.lead("C")) {
            case (.board, .rail(.ground)): try part.wire("A", to: "pin")
            case (.rail(.supply), .board):
                try part.wire("C", to: "pin")
                part.set("active", "low")
            case (.rail(.ground), .board): throw PartFault("it is the wrong way round: its anode A is at ground")
            case (.board, .rail(.supply)): throw PartFault("it is the wrong way round: its cathode C is at the supply")
            case (.board, .board), (.board, .several), (.several, .board):
                throw PartFault("it is between two pins of the board")
            case (.board, .open): throw PartFault("its cathode C leads neither to ground nor to a pin")
            case (_, .board): throw PartFault("its anode A leads neither to the supply nor to a pin")
            default: _ = try part.boardPin("A")
            }
        },
        DiagramType("wokwi-rgb-led", kind: "rgb-led", pins: ["R", "G", "B", "COM"]) { part throws(PartFault) in
            let common = part.attribute("common")?.text ?? "anode"
            part.set("common", common, at: part.attribute("common")?.node)
            guard part.lead("COM") == .rail(common == "anode" ? .supply : .ground) else {
                throw PartFault(
                    "its common \(common) COM is not wired to \(common == "anode" ? "the supply" : "ground")")
            }
            try part.wire([("R", "red"), ("G", "green"), ("B", "blue")])
        },
        strip("wokwi-neopixel", pins: ["VDD", "VSS", "DIN", "DOUT"]),
        strip("wokwi-led-strip", pins: ["VDD", "DIN", "VSS", "VDD.2", "DOUT", "VSS.2"]),
        strip("wokwi-led-ring", pins: ["GND", "VCC", "DIN", "DOUT"]),
        strip("wokwi-led-matrix", pins: ["DIN", "VDD", "VSS", "DOUT"]),
        DiagramType("board-ssd1306", kind: "ssd1306", pins: ["GND", "VCC", "SCL", "SDA"]) { part throws(PartFault) in
            try bus(part)
        },
        DiagramType(
            "wokwi-ssd1306", kind: "ssd1306", pins: ["DATA", "CLK", "DC", "RST", "CS", "3V3", "VIN", "GND"]
        ) { part throws(PartFault) in
            try bus(part, data: "DATA", clock: "CLK")
        },
        DiagramType("wokwi-lcd1602", "wokwi-lcd2004", kind: "lcd1602", pins: displayPins) { part throws(PartFault) in
            part.kind = String(part.component.type.dropFirst("wokwi-".count))
            guard part.attribute("pins")?.text != "i2c" else { return try bus(part) }
            part.kind += "-parallel"
            for pin in ["RW", "D0", "D1", "D2", "D3"] where part.lead(pin) != .open {
                if pin != "RW" || part.lead(pin) != .rail(.ground) {
                    throw PartFault("its pin \(pin) is in use, and only RS, E and D4 to D7 are simulated")
                }
            }
            try part.wire([("RS", "rs"), ("E", "e"), ("D4", "d4"), ("D5", "d5"), ("D6", "d6"), ("D7", "d7")])
        },
        // Contacts
        DiagramType(
            "wokwi-pushbutton", "wokwi-pushbutton-6mm", kind: "button", pins: ["1.l", "1.r", "2.l", "2.r"]
        ) { part throws(PartFault) in
            contact(part, try part.contact("1", "2"))
        },
        DiagramType("wokwi-slide-switch", kind: "switch", pins: ["1", "2", "3"]) { part throws(PartFault) in
            // The handle connects 2 with 1 on the left, with 3 on the right; `closed` is the side with a rail, or 3.
            let isRight = part.attribute("value")?.text == "1"
            guard case .board = part.lead("2"), case .rail(let left) = part.lead("1"),
                case .rail(let right) = part.lead("3"), left != right
            else {
                let isLeftOpen = part.lead("1") == .open
                guard isLeftOpen || part.lead("3") == .open else {
                    throw PartFault("it is not between a pin of the board at 2 and ground and the supply at 1 and 3")
                }
                contact(part, try part.contact("2", isLeftOpen ? "3" : "1"))
                part.start("contact", at: isRight == isLeftOpen ? 1 : 0)
                return
            }
            try part.wire("2", to: "pin")
            contact(part, (right, left))
            part.start("contact", at: isRight ? 1 : 0)
        },
        DiagramType(
            "wokwi-membrane-keypad", kind: "keypad", pins: ["R1", "R2", "R3", "R4", "C1", "C2", "C3", "C4"]
        ) { part throws(PartFault) in
            let columns = part.attribute("columns")?.text == "3" ? 3 : 4
            func pins(_ letter: String, _ count: Int) throws(PartFault) -> [String] {
                var pins: [String] = []
                for number in 1...count { pins.append(try part.boardPin("\(letter)\(number)")) }
                return pins
            }
            let usual = ["123A", "456B", "789C", "*0#D"].map { $0.prefix(columns).map(String.init) }
            let keys = part.list("keys") ?? usual.flatMap(\.self)
            guard keys.count == 4 * columns, keys.allSatisfy({ $0.count == 1 }) else {
                throw PartFault("expected 'keys' of \(4 * columns) single characters, got: \(keys.list)")
            }
            part.set("rows", try pins("R", 4))
            part.set("columns", try pins("C", columns))
            part.set("keys", (0..<4).map { keys[$0 * columns..<($0 + 1) * columns].joined() })
        },
        DiagramType("wokwi-ky-040", kind: "encoder", pins: ["CLK", "DT", "SW", "VCC", "GND"]) {
            part throws(PartFault) in
            try part.wire([("CLK", "a"), ("DT", "b")])
            try part.wireIfConnected("SW", to: "button")
            part.set("resistor", "external")
        },
        // Voltages
        DiagramType(
            "wokwi-potentiometer", "wokwi-slide-potentiometer", kind: "potentiometer", pins: ["GND", "SIG", "VCC"]
        ) { part throws(PartFault) in
            try part.checkSupply()
            try part.wire("SIG", to: "pin")
            part.quantity("position", from: "value", 0, scale: 100.0 / 1023)
        },
        DiagramType("wokwi-ntc-temperature-sensor", kind: "ntc", pins: ["VCC", "OUT", "GND"]) {
            part throws(PartFault) in
            try part.checkSupply()
            try part.wire("OUT", to: "pin")
            part.setting("beta", from: "beta", 3950)
            part.quantity("temperature", from: "temperature", 24)
        },
        DiagramType(
            "wokwi-photoresistor-sensor", kind: "photoresistor", pins: ["VCC", "GND", "DO", "AO"]
        ) { part throws(PartFault) in
            try part.checkSupply()
            try part.wire("AO", to: "pin")
            if case .board(let pin) = part.lead("DO") {
                throw PartFault("its digital output DO at pin \(pin) is not simulated")
            }
            part.set("side", "low")
            part.set("dark", "1000000000")
            part.setting("r10", from: "rl10", 50, scale: 1000)
            part.setting("gamma", from: "gamma", 0.7)
            part.quantity("illuminance", from: "lux", 500)
            _ = part.attribute("threshold")
        },
        // Sensors
        DiagramType("wokwi-dht22", kind: "dht22", pins: ["VCC", "SDA", "NC", "GND"]) { part throws(PartFault) in
            try part.wire("SDA", to: "pin")
            part.quantity("temperature", from: "temperature", 24)
            part.quantity("humidity", from: "humidity", 40)
        },
        DiagramType(
            "wokwi-ds18b20", "board-ds18b20", kind: "ds18b20", pins: ["VCC", "DQ", "GND"]
        ) { part throws(PartFault) in
            try part.wire("DQ", to: "pin")
            part.quantity("temperature", from: "temperature", 22)
            let family = part.attribute("familyCode")?.text ?? "28"
            guard family == "28" else { throw PartFault("it is of the family \(family), and only 28 is simulated") }
            let digits = (part.attribute("deviceID")?.text ?? "010203040506").compactMap(\.hexDigitValue).map {
                UInt8($0)
            }
            guard digits.count == 12 else { throw PartFault("expected 'deviceID' of 12 hexadecimal digits") }
            let serial = stride(from: 0, to: 12, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            let rom = OneWireROM(family: 0x28, serial: serial).bytes
            part.set("rom", rom.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined())
        },
        DiagramType("wokwi-hc-sr04", kind: "hc-sr04", pins: ["VCC", "TRIG", "ECHO", "GND"]) { part throws(PartFault) in
            try part.wire([("TRIG", "trigger"), ("ECHO", "echo")])
            part.quantity("distance", from: "distance", 400)
        },
        DiagramType(
            "wokwi-mpu6050", kind: "mpu6050", pins: ["VCC", "GND", "SCL", "SDA", "XDA", "XCL", "AD0", "INT"]
        ) { part throws(PartFault) in
            try bus(part)
            if part.lead("AD0") == .rail(.supply) { part.set("i2c", "0x69") }
            try part.wireIfConnected("INT", to: "int")
            for axis in ["X", "Y", "Z"] {
                part.quantity("accel_\(axis.lowercased())", from: "accel\(axis)", axis == "Z" ? 1 : 0)
                part.quantity("gyro_\(axis.lowercased())", from: "rotation\(axis)", 0)
            }
            part.quantity("temperature", from: "temperature", 24)
        },
        DiagramType(
            "board-bme280", "wokwi-bme280", kind: "bme280", pins: ["VCC", "GND", "SCL", "SDA", "CSB", "SDO"]
        ) { part throws(PartFault) in
            try bus(part)
            if part.lead("SDO") == .rail(.supply) { part.set("i2c", "0x77") }
        },
        // Actuators
        DiagramType("wokwi-servo", kind: "servo", pins: ["PWM", "V+", "GND"]) { part throws(PartFault) in
            try part.wire("PWM", to: "pin")
        },
        DiagramType("wokwi-buzzer", kind: "buzzer", pins: ["1", "2"]) { part throws(PartFault) in
            _ = try part.contact("1", "2")
        },
        DiagramType(
            "wokwi-relay-module", kind: "relay", pins: ["VCC", "GND", "IN", "NC", "COM", "NO"]
        ) { part throws(PartFault) in
            try part.wire("IN", to: "pin")
            let transistor = part.attribute("transistor")?.text ?? "npn"
            guard ["npn", "pnp"].contains(transistor) else {
                throw PartFault("expected 'transistor' to be npn or pnp, got '\(transistor)'")
            }
            part.set("active", transistor == "npn" ? "high" : "low")
        },
    ]

    private static let displayPins =
        ["VSS", "VDD", "V0", "RS", "RW", "E", "A", "K", "GND", "VCC", "SDA", "SCL"] + (0...7).map { "D\($0)" }

    /// Wires the I²C bus, and takes the address.
    private static func bus(
        _ part: DiagramPart, data: String = "SDA", clock: String = "SCL"
    ) throws(PartFault) {
        try part.wire([(data, "sda"), (clock, "scl")])
        if let (text, node) = part.attribute("i2cAddress") { part.set("i2c", text, at: node) }
    }

    /// Sets the keys of a contact. Wokwi lets it bounce for about a millisecond, unless `bounce` is 0.
    private static func contact(
        _ part: DiagramPart, _ contact: (closed: DiagramNets.Rail, pull: DiagramNets.Rail?)
    ) {
        part.set("active", contact.closed == .ground ? "low" : "high")
        if let pull = contact.pull, pull != contact.closed { part.set("resistor", "external") }
        if part.attribute("bounce")?.text != "0" { part.set("bounce", "1") }
    }

    /// Lights with controllers: the first of a chain has those of all.
    private static func strip(_ name: String, pins: [String]) -> DiagramType {
        DiagramType(name, kind: "ws2812", pins: pins) { part throws(PartFault) in
            let (diagram, nets) = (part.diagram, part.diagram.nets)
            if let former = diagram.strips.outputs[nets.net(of: .part(part.component.id, "DIN"))] {
                throw PartFault("its lights are among the colours of the first part of the chain, after '\(former.id)'")
            }
            try part.wire("DIN", to: "pin")
            var (count, seen): (Double, Set<String>) = (0, [])
            var next: DiagramPart? = part
            while let strip = next, seen.insert(strip.component.id).inserted {
                switch strip.component.type {
                case "wokwi-led-strip": count += strip.number("pixels", 8).value
                case "wokwi-led-ring": count += strip.number("pixels", 16).value
                case "wokwi-led-matrix": count += strip.number("rows", 8).value * strip.number("cols", 8).value
                default: count += 1
                }
                let output = nets.net(of: .part(strip.component.id, "DOUT"))
                next = diagram.strips.inputs[output].map { strip.beside($0) }
            }
            part.set("count", "\(count)")
        }
    }
}
