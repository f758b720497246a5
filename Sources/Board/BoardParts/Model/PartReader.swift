import ESPChips
public import YAMLReading
package import Yams

/// Finds the kinds of parts that people have described in files, by their names.
///
/// - Returns: `nil` if there is no such file.
/// - Throws: `DocumentError` with the faults of the file.
public typealias PartSource = (_ name: String) throws(DocumentError) -> PartKind?

/// Reads the entry `parts` of a suite: a mapping of names to parts and their wiring.
package struct PartReader {
    /// A part, and the board to which it is wired.
    package struct Entry {
        /// The part.
        package var part: WiredPart
        /// The node with the board's name, if there is one.
        package var board: Node?
        /// The part's node.
        package var node: Node
    }

    private let scalars: ScalarReader
    private let source: PartSource?
    private let pins = ChipPins.esp32

    private var diagnostics: DiagnosticCollector { scalars.diagnostics }

    /// A reader that reports faults to `diagnostics`.
    package init(_ diagnostics: DiagnosticCollector, _ source: PartSource?) {
        scalars = ScalarReader(diagnostics: diagnostics)
        self.source = source
    }

    /// The parts that a node describes.
    package struct Parts {
        /// Those that could be read.
        package var entries: [Entry] = []
        /// The names of the others, whose faults were reported.
        package var faulty: Set<String> = []
        /// True if the names themselves could not be read: then any name may be that of a part.
        package var hasUnknownNames = false
        /// Parts of a diagram that are not simulated, with the reason.
        package var absent: [String: String] = [:]
        /// Remarks on a diagram: what is in it and has no effect.
        package var notes: [DocumentError.Diagnostic] = []
    }

    /// The parts; faulty ones are reported.
    ///
    /// - Parameter reserved: names that parts cannot have.
    package func parts(_ node: Node, reserved: [String]) -> Parts {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            diagnostics.report(
                "expected 'parts' to map names to parts, such as {alarm: {part: led, pin: 26}}, got "
                    + (node.mapping == nil ? node.summary : "none"), at: node)
            return Parts(hasUnknownNames: true)
        }
        var parts = Parts()
        for (key, value) in mapping {
            guard let name = name(key, reserved: reserved) else {
                parts.faulty.insert(key.scalar?.string ?? "")
                continue
            }
            if let entry = entry(name, value) { parts.entries.append(entry) } else { parts.faulty.insert(name) }
        }
        return parts
    }

    /// The parts of a diagram of Wokwi, `diagram.json`. A part of a type that espbench does not know, or whose wiring
    /// it cannot simulate, is among ``Parts/absent``.
    ///
    /// - Parameters:
    ///   - file: its name in messages.
    ///   - reserved: names that parts cannot have.
    /// - Throws: `DocumentError` with all faults.
    package static func parts(
        diagram text: String, file: String, reserved: [String]
    ) throws(DocumentError) -> Parts {
        try Diagram.parts(text, file: file, reserved: reserved)
    }

    private func name(_ key: Node, reserved: [String]) -> String? {
        guard let name = key.scalar?.string, !name.isEmpty, name.first?.isLetter == true,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
        else {
            diagnostics.report(
                "expected a part's name of letters, digits, '_' and '-', got \(key.summary)", at: key)
            return nil
        }
        guard !reserved.contains(name) else {
            diagnostics.report(
                "a part cannot be named '\(name)', which is a key of 'expect': expected another name", at: key)
            return nil
        }
        return name
    }

    private func entry(_ name: String, _ node: Node) -> Entry? {
        guard case .mapping(let mapping) = node else {
            diagnostics.report(
                "expected a part with its wiring, such as {part: led, pin: 26}, got \(node.summary)", at: node)
            return nil
        }
        guard let kindNode = mapping["part"] else {
            diagnostics.report("part '\(name)' lacks the key 'part', its kind", at: node)
            return nil
        }
        guard let kind = kind(kindNode) else { return nil }
        var known = ["part", "board"] + kind.terminals.map(\.name) + kind.settings.map(\.name)
        if !kind.addresses.isEmpty { known += ["i2c", WiredPart.busPins.data, WiredPart.busPins.clock] }
        guard let fields = Fields(node, of: "a \(kind.name)", known: known, diagnostics) else { return nil }
        var wiring = PartWiring()
        for terminal in kind.terminals { wiring.pins[terminal.name] = pins(of: terminal, kind, fields) }
        if !kind.addresses.isEmpty {
            wiring.address = address(kind, fields)
            for (key, usual) in [(WiredPart.busPins.data, pins.i2c.data), (WiredPart.busPins.clock, pins.i2c.clock)] {
                wiring.pins[key] = [fields[key].flatMap { pin($0, "'\(key)'") } ?? usual]
            }
        }
        checkPins(kind, wiring, fields)
        for setting in kind.settings {
            if let value = self.setting(setting, fields[setting.name]) {
                wiring.settings[setting.name] = value
            } else if fields[setting.name] == nil {
                diagnostics.report("a \(kind.name) needs '\(setting.name)': \(setting.summary)", at: node)
            }
        }
        return made(name, kind, wiring, node).map { Entry(part: $0, board: fields["board"], node: node) }
    }

    /// The part, with the words that its quantities have by its settings; `nil`: its kind refuses the wiring.
    private func made(_ name: String, _ kind: PartKind, _ wiring: PartWiring, _ node: Node) -> WiredPart? {
        var kind = kind
        do throws(PartFault) {
            let part = try kind.make(wiring)
            if let fault = fault(of: part, kind, wiring) { throw PartFault(fault) }
            for index in kind.quantities.indices {
                guard let words = part.words(ofQuantity: index) else { continue }
                kind.quantities[index].words = words
                kind.quantities[index].range = 0...Double(max(words.count - 1, 0))
            }
        } catch {
            diagnostics.report("part '\(name)': \(error)", at: node)
            return nil
        }
        return WiredPart(name: name, kind: kind, wiring: wiring)
    }

    /// The reason why a pin cannot do what the part needs of it; `nil`: it can.
    private func fault(of part: any Part, _ kind: PartKind, _ wiring: PartWiring) -> String? {
        for pin in kind.terminals.flatMap({ wiring.pins[$0.name] ?? [] }) {
            if part is any PWMPart, pins.inputOnly.contains(pin) {
                return "pin \(pin) can only be an input, and a \(kind.name) needs an output"
            }
            if part is any AnalogPart, !pins.adc1.contains(pin), !pins.adc2.contains(pin) {
                return "pin \(pin) has no analog-to-digital converter: \((pins.adc1 + pins.adc2).sorted()) have one"
            }
        }
        return nil
    }

    private func kind(_ node: Node) -> PartKind? {
        guard let name = scalars.text(node, "a kind of part") else { return nil }
        if let kind = PartCatalogue.kind(named: name) { return kind }
        do throws(DocumentError) {
            if let kind = try source?(name) { return kind }
        } catch {
            for fault in error.diagnostics { diagnostics.report("\(fault)", at: node) }
            return nil
        }
        let known = PartCatalogue.builtIn.map(\.name)
        diagnostics.report(
            "unknown part '\(name)'\(Suggestion.text(for: name, in: known)), expected a file parts/\(name).yaml, or one of: \(known.list)",
            at: node)
        return nil
    }

    private func pins(of terminal: PartKind.Terminal, _ kind: PartKind, _ fields: Fields) -> [Int]? {
        guard let node = fields[terminal.name] else {
            if terminal.isRequired {
                diagnostics.report("a \(kind.name) needs '\(terminal.name)': \(terminal.summary)", at: fields.node)
            }
            return nil
        }
        guard terminal.isList else { return pin(node, "'\(terminal.name)'").map { [$0] } }
        guard case .sequence(let sequence) = node, !sequence.isEmpty else {
            diagnostics.report(
                "expected '\(terminal.name)' to be a list of pins such as [25, 26], got \(node.summary)", at: node)
            return nil
        }
        let pins = sequence.compactMap { pin($0, "a pin of '\(terminal.name)'") }
        return pins.count == sequence.count ? pins : nil
    }

    /// Reports two terminals of a part on one pin, those of its bus included.
    private func checkPins(_ kind: PartKind, _ wiring: PartWiring, _ fields: Fields) {
        var owners: [Int: String] = [:]
        let names = [WiredPart.busPins.data, WiredPart.busPins.clock] + kind.terminals.map(\.name)
        for name in names {
            for pin in wiring.pins[name] ?? [] {
                if let owner = owners[pin] {
                    let place = fields[name] ?? fields[owner] ?? fields.node
                    diagnostics.report(
                        owner == name
                            ? "'\(name)' has pin \(pin) twice, expected different ones"
                            : "'\(name)' and '\(owner)' of one \(kind.name) are both on pin \(pin), "
                                + "expected another pin for one of them", at: place)
                }
                owners[pin] = name
            }
        }
    }

    private func pin(_ node: Node, _ what: String) -> Int? {
        guard let pin = node.scalar.flatMap({ Int($0.string) }) else {
            diagnostics.report("expected a pin for \(what), got \(node.summary)", at: node)
            return nil
        }
        if let fault = pins.fault(of: pin) { diagnostics.report("nothing can be wired there: \(fault)", at: node) }
        return pin
    }

    private func address(_ kind: PartKind, _ fields: Fields) -> UInt8? {
        guard let node = fields["i2c"] else { return kind.addresses.first }
        let text = node.scalar?.string ?? ""
        let address = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
        guard let address, kind.addresses.contains(address) else {
            let known = kind.addresses.map { "0x" + String($0, radix: 16) }.list
            diagnostics.report("a \(kind.name) has one of the addresses \(known), got \(node.summary)", at: node)
            return nil
        }
        return address
    }

    private func setting(_ setting: PartKind.Setting, _ node: Node?) -> PartWiring.Value? {
        switch setting.form {
        case .number(let range, let initial):
            guard let node else { return initial.map(PartWiring.Value.number) }
            guard let number = node.scalar.flatMap({ Double($0.string) }), range.contains(number) else {
                diagnostics.report(
                    "expected '\(setting.name)' to be a number of \(range.lowerBound.decimal)...\(range.upperBound.decimal), got \(node.summary)",
                    at: node)
                return .number(initial ?? range.lowerBound)
            }
            return .number(number)
        case .word(let words):
            guard let node else { return words.first.map(PartWiring.Value.text) }
            return scalars.choice(node, "'\(setting.name)'", among: words.map { ($0, $0) }).map(PartWiring.Value.text)
        case .text(let initial):
            guard let node else { return initial.map(PartWiring.Value.text) }
            return scalars.text(node, "'\(setting.name)'").map(PartWiring.Value.text)
        case .texts:
            guard let node else { return nil }
            guard case .sequence(let sequence) = node else {
                diagnostics.report("expected '\(setting.name)' to be a list, got \(node.summary)", at: node)
                return nil
            }
            return .texts(sequence.compactMap { scalars.text($0, "an item of '\(setting.name)'") })
        }
    }
}

extension WiredPart {
    /// The quantities that begin otherwise than those of its kind, as `set` writes them.
    public var firstValues: [String] {
        zip(kind.quantities, PartCatalogue.kind(named: kind.name)?.quantities ?? []).compactMap { own, usual in
            guard own.initial != usual.initial else { return nil }
            let word = own.words.indices.first { Double($0) == own.initial }.map { own.words[$0] }
            return "\(name).\(own.name): \(word ?? own.initial.decimal)"
        }
    }

    /// The parts of an entry `parts` in YAML, all on one board.
    ///
    /// - Throws: `DocumentError` with all faults.
    public static func list(yaml: String, file: String = "parts") throws(DocumentError) -> [WiredPart] {
        let diagnostics = DiagnosticCollector(file: file)
        var entries: [PartReader.Entry] = []
        if case .root(let root) = diagnostics.document(yaml) {
            entries = PartReader(diagnostics, nil).parts(root, reserved: []).entries
        }
        for entry in entries { if let board = entry.board { diagnostics.report("there is one board", at: board) } }
        try diagnostics.finish()
        return entries.map(\.part)
    }
}
