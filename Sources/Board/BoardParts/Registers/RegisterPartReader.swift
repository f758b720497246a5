import YAMLReading
internal import Yams

/// Reads a part's file.
struct RegisterPartReader {
    static let keys = [
        "part", "summary", "source", "addresses", "quantities", "settings", "limits", "names", "addressing",
        "increment", "last address", "battery", "acknowledges", "width", "registers", "memory", "code width", "crc8",
        "commands", "replies", "reply", "timers", "drives", "readings",
    ]

    let diagnostics: DiagnosticCollector
    let scalars: ScalarReader
    var part = RegisterPartDescription()
    var kind = PartKind(name: "", summary: "", source: "") { _ throws(PartFault) in throw PartFault("not read") }
    /// The meanings of names in expressions.
    var names: [String: PartExpression] = [:]
    /// The costs of the file's own names.
    var nameSizes: [Int] = []
    var targets: [String: RegisterPartDescription.Target] = [:]
    var timers: [String: Int] = [:]
    var replies: [String: Int] = [:]
    /// The registers whose values are computed.
    var hasValue: Set<Int> = []
    /// The registers that have a width of their own.
    var hasWidth: Set<Int> = []
    /// The bytes of a register without a width of its own; `nil`: the file does not say.
    var defaultWidth: Int?
    /// The places of the registers, and of the addresses of memory.
    var places: [SourcePosition] = []
    private let file: String
    private let lines: [Substring]

    /// - Parameter file: the name of the file in messages.
    init(_ text: String, file: String) {
        self.file = file
        lines = text.lines
        diagnostics = DiagnosticCollector(file: file)
        scalars = ScalarReader(diagnostics: diagnostics)
    }

    /// The kind of part that a file describes.
    static func kind(_ text: String, file: String) throws(DocumentError) -> PartKind {
        var reader = RegisterPartReader(text, file: file)
        switch reader.diagnostics.document(text) {
        case .root(let root):
            var commas = UnquotedCommas(reader.diagnostics)
            reader.read(commas.joined(root))
        case .empty:
            reader.diagnostics.report("expected a part, got an empty file", at: SourcePosition(line: 1, column: 1))
        case .faulty: break
        }
        try reader.diagnostics.finish()
        let part = reader.part
        var kind = reader.kind
        kind.make = { wiring throws(PartFault) in RegisterPart(part, wiring) }
        return kind
    }

    private mutating func read(_ root: Node) {
        guard let fields = Fields(root, of: "a part", known: Self.keys, diagnostics) else { return }
        readHead(fields)
        readQuantities(fields)
        if let node = fields["limits"] {
            kind.limits = list(node, "limits").compactMap { scalars.text($0, "a sentence") }
        }
        readAddressing(fields)
        let registers = entries(fields["registers"], "registers")
        declare(registers)
        collectNames(fields, registers)
        for (index, entry) in registers.enumerated() { readRegister(index, entry.name, entry.value) }
        if let node = fields["memory"] { readMemory(node) }
        checkMap()
        readReplies(fields["replies"])
        readCommands(fields)
        readTimers(fields["timers"])
        if let node = fields["acknowledges"] { part.acknowledges = expression(node, "a condition") }
        readOutputs(fields["drives"])
        readReadings(fields["readings"])
        if registers.isEmpty {
            diagnostics.report("expected registers: what the part stores, with or without addresses", at: root)
        }
    }

    private mutating func readHead(_ fields: Fields) {
        if let node = fields.required("part", of: "a part", diagnostics), let name = scalars.text(node, "a name") {
            if !name.utf8.allSatisfy({ PartExpressionParser.isWord($0) || $0 == UInt8(ascii: "-") }) {
                diagnostics.report("expected a name of letters, digits, '_' and '-', got '\(name)'", at: node)
            } else if let expected = fileName, name != expected {
                diagnostics.report(
                    "expected the name of the file, '\(expected)', by which suites name the part, got '\(name)'",
                    at: node)
            }
            (kind.name, part.name) = (name, name)
        }
        if let node = fields.required("summary", of: "a part", diagnostics) {
            kind.summary = scalars.text(node, "one line about the part") ?? ""
        }
        if let node = fields.required("source", of: "a part", diagnostics) {
            kind.source = scalars.text(node, "the data sheet") ?? ""
        }
        guard let node = fields.required("addresses", of: "a part", diagnostics) else { return }
        for node in oneOrMore(node) {
            guard let address = integer(node, "an I²C address of 7 bits", in: 0x08...0x77) else { continue }
            if kind.addresses.contains(UInt8(address)) {
                diagnostics.report("address \(node.summary) given twice", at: node)
            }
            kind.addresses.append(UInt8(address))
        }
        part.addresses = kind.addresses
    }

    /// The name of the file without its folder and ending; `nil`: it is not a name of a file of parts.
    private var fileName: String? {
        let name = file.split(separator: "/").last ?? ""
        return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : nil
    }

    private mutating func readQuantities(_ fields: Fields) {
        for (name, key, value) in entries(fields["quantities"], "quantities") {
            guard checkName(name, key) else { continue }
            // A faulty one is known too, so that its uses do not cause further errors.
            names[name] = .quantity(kind.quantities.count)
            guard
                let fields = Fields(
                    value, of: "quantity '\(name)'", known: ["unit", "range", "initial", "summary", "words"],
                    diagnostics)
            else { continue }
            let summary = fields["summary"].flatMap { scalars.text($0, "one line") } ?? name
            if let words = fields["words"] {
                let words = list(words, "words").compactMap { scalars.text($0, "a word") }
                kind.quantities.append(PartKind.Quantity(name, words: words, summary))
                continue
            }
            let unit = fields["unit"].flatMap { scalars.text($0, "a unit") } ?? ""
            guard let range = fields.required("range", of: "quantity '\(name)'", diagnostics).flatMap(range) else {
                continue
            }
            kind.quantities.append(
                PartKind.Quantity(name, unit, range, initial: initial(fields, range) ?? range.lowerBound, summary))
        }
        part.initials = kind.quantities.map(\.initial)
        for (name, key, value) in entries(fields["settings"], "settings") {
            guard checkName(name, key) else { continue }
            names[name] = .setting(part.settings.count)
            part.settings.append(name)
            guard
                let fields = Fields(
                    value, of: "setting '\(name)'", known: ["range", "initial", "summary"], diagnostics)
            else { continue }
            guard let range = fields.required("range", of: "setting '\(name)'", diagnostics).flatMap(range) else {
                continue
            }
            let summary = fields["summary"].flatMap { scalars.text($0, "one line") } ?? name
            kind.settings.append(
                PartKind.Setting(name, .number(range, initial: initial(fields, range) ?? range.lowerBound), summary))
        }
    }

    private func initial(_ fields: Fields, _ range: ClosedRange<Double>) -> Double? {
        guard let node = fields["initial"] else { return nil }
        guard let number = node.scalar.flatMap({ PartNumber.parse($0.string) }), range.contains(number) else {
            let bounds = [range.lowerBound, range.upperBound].map { bound in
                Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
            }.joined(separator: "...")
            diagnostics.report("expected a number in \(bounds), got \(node.summary)", at: node)
            return nil
        }
        return number
    }

    private mutating func readAddressing(_ fields: Fields) {
        if let node = fields["addressing"] {
            part.addressesRegisters =
                scalars.choice(
                    node, "what an address holds",
                    among: [(word: "bytes", value: false), (word: "registers", value: true)])
                ?? false
        }
        part.advances = !part.addressesRegisters
        if let node = fields["increment"] { part.advances = scalars.bool(node, "increment") ?? part.advances }
        if let node = fields["width"] {
            defaultWidth = integer(node, "a number of bytes", in: RegisterPartDescription.Register.widths) ?? 1
        }
        if let node = fields["last address"] {
            part.lastAddress = integer(node, "an address", in: 0...0xFF) ?? part.lastAddress
        }
        if let node = fields["battery"] { part.hasBattery = scalars.bool(node, "battery") ?? false }
        if let node = fields["code width"] { part.codeWidth = integer(node, "a number of bytes", in: 1...2) ?? 1 }
        if let node = fields["crc8"],
            let fields = Fields(node, of: "crc8", known: ["polynomial", "start"], diagnostics),
            let polynomial = fields.required("polynomial", of: "crc8", diagnostics)
        {
            let start = fields["start"].flatMap { integer($0, "a byte", in: 0...0xFF) } ?? 0
            part.crc8 = (UInt8(integer(polynomial, "a byte", in: 0...0xFF) ?? 0), UInt8(start))
        }
        if fields["commands"] ?? fields["replies"] != nil, part.codeWidth == 0 { part.codeWidth = 1 }
        if part.codeWidth > 0 { names["code"] = .code }
    }

    /// Declares what expressions may name before any is read: quantities, settings and registers are known by now.
    private mutating func collectNames(_ fields: Fields, _ registers: [Entry]) {
        for (index, entry) in entries(fields["timers"], "timers").enumerated() { timers[entry.name] = index }
        for (index, entry) in entries(fields["replies"], "replies").enumerated() { replies[entry.name] = index }
        for (name, key, value) in entries(fields["names"], "names") {
            guard checkName(name, key) else { continue }
            guard let term = expression(value, "an expression") else {
                names[name] = .constant(0)
                continue
            }
            let size = term.size(names: nameSizes)
            guard size <= 10_000 else {
                diagnostics.report("name '\(name)' is too long with the names that it uses", at: key)
                continue
            }
            nameSizes.append(size)
            names[name] = .name(part.names.count)
            part.names.append(term)
        }
    }

    private mutating func readOutputs(_ node: Node?) {
        let levels: [(word: String, value: PinDrive)] = [("low", .low), ("high", .high), ("floating", .floating)]
        for (name, key, value) in entries(node, "drives") {
            guard
                let fields = Fields(
                    value, of: "drive of '\(name)'", known: ["level", "when", "otherwise", "summary"], diagnostics),
                let when = fields.required("when", of: "drive of '\(name)'", diagnostics),
                let condition = expression(when, "a condition")
            else { continue }
            if kind.terminals.contains(where: { $0.name == name }) {
                diagnostics.report("terminal '\(name)' given twice", at: key)
            }
            part.outputs.append(
                RegisterPartDescription.Output(
                    name: name, condition: condition,
                    active: fields["level"].flatMap { scalars.choice($0, "a level", among: levels) } ?? .low,
                    inactive: fields["otherwise"].flatMap { scalars.choice($0, "a level", among: levels) } ?? .floating)
            )
            let summary = fields["summary"].flatMap { scalars.text($0, "one line") } ?? "driven by the part"
            kind.terminals.append(PartKind.Terminal(name, isRequired: false, summary))
        }
    }

    private mutating func readReadings(_ node: Node?) {
        for (name, _, value) in entries(node, "readings") {
            guard
                let fields = Fields(
                    value, of: "reading '\(name)'", known: ["value", "words", "unit", "summary"], diagnostics),
                let value = fields.required("value", of: "reading '\(name)'", diagnostics),
                let term = expression(value, "an expression")
            else { continue }
            let words = fields["words"].map { list($0, "words").compactMap { scalars.text($0, "a word") } } ?? []
            let unit = fields["unit"].flatMap { scalars.text($0, "a unit") } ?? ""
            let summary = fields["summary"].flatMap { scalars.text($0, "one line") } ?? name
            part.readings.append(RegisterPartDescription.Reading(value: term, words: words))
            kind.readings.append(
                PartKind.Reading(name, words.isEmpty ? .number(unit: unit) : .words(words), summary))
        }
    }
}

extension RegisterPartReader {
    typealias Entry = (name: String, key: Node, value: Node)

    /// The entries of a mapping in the order of the file.
    func entries(_ node: Node?, _ what: String) -> [Entry] {
        guard let node else { return [] }
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected \(what) by name, got \(node.summary)", at: node)
            return []
        }
        return mapping.map { ($0.key.scalar?.string ?? "", $0.key, $0.value) }
    }

    func list(_ node: Node, _ what: String) -> [Node] {
        if case .sequence(let sequence) = node { return Array(sequence) }
        diagnostics.report("expected a list of \(what), got \(node.summary)", at: node)
        return []
    }

    /// The nodes of a list, or the one that stands for a list of one.
    func oneOrMore(_ node: Node) -> [Node] {
        if case .sequence(let sequence) = node { Array(sequence) } else { [node] }
    }

    func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>, remedy: String = "") -> Int? {
        if let number = node.scalar.flatMap({ PartNumber.parse($0.string) }), let whole = Int(exactly: number),
            range.contains(whole)
        {
            return whole
        }
        let hexadecimal = range.upperBound > 16
        let bounds = [range.lowerBound, range.upperBound].map {
            hexadecimal ? "0x" + String($0, radix: 16, uppercase: true) : "\($0)"
        }
        diagnostics.report(
            "expected \(what), \(bounds[0])...\(bounds[1]), got \(node.summary)\(remedy)", at: node)
        return nil
    }

    /// A whole number, or two with `...` between them.
    func integers(_ node: Node, inAnyOrder: Bool = false) -> ClosedRange<Int>? {
        let ends = (node.scalar?.string ?? "").split(separator: "...", omittingEmptySubsequences: false).map {
            PartNumber.parse(String($0)).flatMap { Int(exactly: $0) }
        }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
        guard inAnyOrder || first <= last else { return nil }
        return min(first, last)...max(first, last)
    }

    /// Two numbers with `...` between them.
    func range(_ node: Node) -> ClosedRange<Double>? {
        let text = node.scalar?.string ?? ""
        let parts = text.split(separator: "...", omittingEmptySubsequences: false).map { PartNumber.parse(String($0)) }
        guard parts.count == 2, let low = parts[0], let high = parts[1] else {
            diagnostics.report("expected a range such as -40...125, got \(node.summary)", at: node)
            return nil
        }
        if low <= high { return low...high }
        let ends = text.split(separator: "...").map { $0.filter { $0 != " " } }
        diagnostics.report(
            "expected a range with its lower end first, \(ends[1])...\(ends[0]), got \(node.summary)", at: node)
        return nil
    }

    /// Reports a name that expressions cannot use, or know already.
    func checkName(_ name: String, _ key: Node) -> Bool {
        guard !name.isEmpty, name.utf8.allSatisfy(PartExpressionParser.isWord),
            name.utf8.first.map({ $0 > 57 }) == true,
            !["and", "or", "not", "code", "written"].contains(name)
        else {
            diagnostics.report(
                "expected a name of letters, digits and '_' for expressions, got \(key.summary)", at: key)
            return false
        }
        if names[name] == nil { return true }
        diagnostics.report("name '\(name)' given twice", at: key)
        return false
    }

    private func character(at position: SourcePosition) -> Character? {
        guard lines.indices.contains(position.line - 1) else { return nil }
        return lines[position.line - 1].unicodeScalars.dropFirst(position.column - 1).first.map { Character($0) }
    }

    /// An expression; `more` are names that only it may use.
    func expression(
        _ node: Node, _ what: String, more: [String: PartExpression] = [:], text: String? = nil
    ) -> PartExpression? {
        if case .scalar(let scalar) = node, let tag = scalar.ownTag {
            diagnostics.report(
                "a text that begins with '!' needs quotes, and 'not' needs none: expected \(what), got "
                    + "'\([tag, scalar.string].filter { !$0.isEmpty }.joined(separator: " "))'", at: node)
            return nil
        }
        // YAML takes the first word for an anchor.
        let isAnchored = character(at: node.position) == "&"
        let remedy = isAnchored ? " (a text that begins with '&' needs quotes)" : ""
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty || !isAnchored else {
            diagnostics.report("expected \(what), got \(node.summary)\(remedy)\(node.quotingRemedy)", at: node)
            return nil
        }
        guard let source = text ?? scalars.text(node, what) else { return nil }
        do throws(PartExpressionError) {
            let term = try PartExpressionParser.expression(source, names: names.merging(more) { $1 })
            guard term.size(names: nameSizes) <= 10_000 else {
                throw PartExpressionError(message: "the expression is too long with the names that it uses")
            }
            return term
        } catch {
            // Of a text over several lines only the beginning is known.
            let offset = source.contains("\n") ? 0 : source.utf8.prefix(error.offset).count
            let scalarCount = String(decoding: source.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
            diagnostics.report(error.message + remedy, at: node.textPosition.advanced(by: scalarCount))
            return nil
        }
    }
}
