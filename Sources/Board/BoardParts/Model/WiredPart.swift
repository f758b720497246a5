import YAMLReading

/// A part with its name and wiring: an entry of a suite's `parts`.
public struct WiredPart: Sendable {
    /// Its name.
    public var name: String
    /// Its kind.
    public var kind: PartKind
    /// Its wiring, checked against the kind. A part on an I²C bus has the pins `sda` and `scl` among its pins.
    public var wiring: PartWiring

    /// A part.
    public init(name: String, kind: PartKind, wiring: PartWiring) {
        self.name = name
        self.kind = kind
        self.wiring = wiring
    }

    /// The part on a line, as an entry of `parts`.
    public var text: String {
        var fields = ["part: \(kind.name)"]
        for name in kind.terminals.map(\.name) + [Self.busPins.data, Self.busPins.clock] {
            guard let pins = wiring.pins[name] else { continue }
            fields.append("\(name): \(pins.count == 1 ? "\(pins[0])" : "\(pins)")")
        }
        if let address = wiring.address { fields.append("i2c: 0x\(String(address, radix: 16))") }
        for setting in kind.settings {
            switch wiring.settings[setting.name] {
            case .number(let number)?: fields.append("\(setting.name): \(number.decimal)")
            case .text(let text)? where !text.isEmpty: fields.append("\(setting.name): \(text)")
            case .texts(let texts)?: fields.append("\(setting.name): \(texts)")
            case .text?, nil: break
            }
        }
        return "\(name): {\(fields.joined(separator: ", "))}"
    }

    /// The names of the pins of an I²C bus in ``PartWiring/pins``.
    public static let busPins = (data: "sda", clock: "scl")

    /// The pin of each of the kind's terminals, by number; `nil`: it is not connected.
    public var terminals: [Int?] {
        kind.terminals.flatMap { terminal -> [Int?] in
            let pins = wiring.pins[terminal.name] ?? []
            return terminal.isList ? pins : [pins.first]
        }
    }

    /// The pin, if there is one, that this part and another cannot share: a source of a voltage is alone at its pin, and a
    /// bus has the terminals of no part.
    package func conflictingPin(with other: WiredPart) -> Int? {
        func shared(_ one: WiredPart, _ another: WiredPart) -> Int? {
            let isVoltage = (try? one.kind.make(one.wiring)) is any AnalogPart
            let bus = Set([Self.busPins.data, Self.busPins.clock].flatMap { one.wiring.pins[$0] ?? [] })
            let pins = isVoltage ? another.allPins : Set(another.terminals.compactMap(\.self))
            return (isVoltage ? one.allPins : bus).intersection(pins).min()
        }
        return shared(self, other) ?? shared(other, self)
    }

    /// How the firmware must use a part before its readings say something.
    public enum Need: Sendable {
        /// It addresses the part on a bus.
        case address
        /// It sends a PWM signal to a pin.
        case signal
        /// It drives a pin.
        case level
    }

    /// How the firmware must use the part.
    public var need: Need {
        let part = try? kind.make(wiring)
        if part is any I2CPart { return .address }
        return part is any PWMPart && !(part is any PinPart) ? .signal : .level
    }

    /// All pins to which it is connected.
    public var allPins: Set<Int> { Set(wiring.pins.values.joined()) }
}
