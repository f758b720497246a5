import YAMLReading
internal import Yams

extension RegisterPartReader {
    private static let registerKeys = [
        "address", "width", "order", "signed", "access", "reset", "writable", "clear only", "value", "bits", "on write",
        "on read",
    ]

    /// Declares registers and their bits, so that expressions above and below them can name them.
    mutating func declare(_ registers: [Entry]) {
        for (name, key, value) in registers {
            let index = part.registers.count
            part.registers.append(RegisterPartDescription.Register(name: name, width: defaultWidth ?? 1))
            places.append(key.position)
            guard checkName(name, key) else { continue }
            // A faulty one is known too, so that its uses do not cause further errors.
            names[name] = .register(index)
            targets[name] = RegisterPartDescription.Target(register: index)
            guard let fields = Fields(value, of: "register '\(name)'", known: Self.registerKeys, diagnostics) else {
                continue
            }
            if fields["value"] != nil { hasValue.insert(index) }
            if let node = fields["width"] {
                hasWidth.insert(index)
                part.registers[index].width =
                    integer(node, "a number of bytes", in: RegisterPartDescription.Register.widths) ?? 1
            }
            declareBits(entries(fields["bits"], "bits of '\(name)'"), of: index)
        }
    }

    private mutating func declareBits(_ entries: [Entry], of index: Int) {
        let name = part.registers[index].name
        var former: [(name: String, place: ClosedRange<Int>)] = []
        for (bits, key, value) in entries {
            guard !bits.isEmpty, bits.utf8.allSatisfy(PartExpressionParser.isWord) else {
                diagnostics.report("expected a name of letters, digits and '_', got \(key.summary)", at: key)
                continue
            }
            // Faulty bits are known too.
            let place = bitRange(value, of: index)
            let (shift, mask) = (place?.lowerBound ?? 0, (1 << UInt64(place?.count ?? 1)) - 1 as UInt64)
            names["\(name).\(bits)"] = .bits(register: index, shift: shift, mask: mask)
            targets["\(name).\(bits)"] = RegisterPartDescription.Target(register: index, bits: (shift, mask))
            guard let place else { continue }
            if let other = former.first(where: { $0.place.crosses(place) }) {
                diagnostics.report(
                    "bits \(value.summary) of '\(bits)' and those of '\(other.name)' overlap in part: expected "
                        + "different bits, or one name for bits within those of the other", at: value)
            }
            former.append((bits, place))
        }
    }

    /// A bit, or a range of them in either order, as data sheets write both.
    private func bitRange(_ node: Node, of index: Int) -> ClosedRange<Int>? {
        let last = part.registers[index].width * 8 - 1
        let range = integers(node, inAnyOrder: true)
        if let range, range.lowerBound >= 0, range.upperBound <= last { return range }
        let remedy = range.map { widthRemedy(index, needed: $0.upperBound / 8 + 1) } ?? ""
        diagnostics.report(
            "expected a bit or a range such as 3...0 within 0...\(last), got \(node.summary)\(remedy)", at: node)
        return nil
    }

    /// The remedy for something that needs more bytes than the register has.
    private func widthRemedy(_ index: Int, needed: Int) -> String {
        let register = part.registers[index]
        guard needed > register.width, RegisterPartDescription.Register.widths.contains(needed) else { return "" }
        return hasWidth.contains(index)
            ? " (the 'width' of '\(register.name)' is \(register.width))"
            : " ('\(register.name)' has \(register.width == 1 ? "1 byte" : "\(register.width) bytes"), "
                + "as it has no 'width' of its own: 'width: \(needed)' gives it \(needed))"
    }

    /// A number that fits into a register.
    private func stored(_ node: Node, _ what: String, in index: Int) -> UInt64? {
        let mask = Int(part.registers[index].mask)
        let number = node.scalar.flatMap { PartNumber.parse($0.string) }.flatMap { Int(exactly: $0) } ?? 0
        let needed = number > 0 ? (Int.bitWidth - number.leadingZeroBitCount + 7) / 8 : 0
        return integer(node, what, in: 0...mask, remedy: widthRemedy(index, needed: needed)).map { UInt64($0) }
    }

    mutating func readRegister(_ index: Int, _ name: String, _ node: Node) {
        // Faults of keys were reported when it was declared.
        guard let fields = Fields(node, of: "register '\(name)'", known: Self.registerKeys, diagnostics) else { return }
        var register = part.registers[index]
        if let node = fields["address"] { register.address = integer(node, "an address", in: 0...0xFF) }
        if let node = fields["order"] {
            register.isLowFirst =
                scalars.choice(
                    node, "the byte that comes first", among: [(word: "high first", value: false), ("low first", true)])
                ?? false
        }
        if let node = fields["signed"] { register.isSigned = scalars.bool(node, "signed") ?? false }
        if let node = fields["access"] {
            let access = scalars.choice(
                node, "an access",
                among: [
                    (word: "read", value: (true, false)), ("write", (false, true)), ("read and write", (true, true)),
                ])
            (register.isReadable, register.isWritable) = access ?? (true, true)
        } else if fields["value"] != nil {
            register.isWritable = false
        }
        if let node = fields["reset"] {
            register.reset = stored(node, "a number of \(register.width * 8) bits", in: index) ?? 0
        }
        if let node = fields["writable"] { register.writable = stored(node, "a mask", in: index) ?? register.mask }
        if let node = fields["clear only"] { register.clearOnly = stored(node, "a mask", in: index) ?? 0 }
        if let node = fields["value"] {
            // A computed register may use only computed ones above it: no circles.
            let hidden = part.registers.indices.filter { $0 >= index && hasValue.contains($0) }
            register.value = expression(node, "an expression")
            if let value = register.value,
                let used = hidden.first(where: { value.uses(register: $0, names: part.names) })
            {
                diagnostics.report(
                    "register '\(name)' uses '\(part.registers[used].name)', whose value is computed: expected a "
                        + "register above it", at: node)
            }
            if fields["reset"] != nil {
                diagnostics.report("register '\(name)' has both 'reset' and 'value', expected one of them", at: node)
            }
        }
        let written: [String: PartExpression] = ["written": .written]
        if let node = fields["on write"] { register.onWrite = steps(node, more: written) }
        if let node = fields["on read"] { register.onRead = steps(node) }
        if register.address != nil, part.codeWidth > 0 {
            diagnostics.report("register '\(name)' has an address, but the part has commands: expected none", at: node)
        }
        part.registers[index] = register
    }

    /// Addresses without a meaning of their own that keep what is written: bytes, or whole registers.
    mutating func readMemory(_ node: Node) {
        if part.addressesRegisters, defaultWidth == nil {
            diagnostics.report(
                "'memory' of whole registers needs the number of their bytes: expected 'width: 2' at the top of the "
                    + "file, or 'width: 1'", at: node)
        }
        for node in list(node, "addresses and ranges of them") {
            guard let range = integers(node), range.lowerBound >= 0, range.upperBound <= 0xFF else {
                diagnostics.report("expected an address or a range such as 0x10...0x1F, got \(node.summary)", at: node)
                continue
            }
            for address in range {
                part.registers.append(
                    RegisterPartDescription.Register(
                        name: "memory", address: address, width: part.addressesRegisters ? defaultWidth ?? 1 : 1))
                places.append(node.position)
            }
        }
    }

    /// Reports addresses that two registers share.
    func checkMap() {
        var owners: [Int: Int] = [:]
        for (index, register) in part.registers.enumerated() {
            guard let first = register.address else { continue }
            let count = part.addressesRegisters ? 1 : register.width
            for address in first..<first + count {
                let text = "0x" + String(address, radix: 16, uppercase: true)
                if address > 0xFF {
                    diagnostics.report("register '\(register.name)' ends at \(text), after 0xFF", at: places[index])
                } else if let owner = owners[address] {
                    let other = part.registers[owner]
                    // The register of which it is not the first byte.
                    let wider = address != other.address ? other : address != first ? register : nil
                    let remedy =
                        wider.map {
                            " ('\($0.name)' has \($0.width) bytes: "
                                + "'addressing: registers' gives each register one address)"
                        } ?? ""
                    diagnostics.report(
                        "address \(text) of '\(register.name)' belongs to '\(other.name)' of line "
                            + "\(places[owner].line) already\(remedy)", at: places[index])
                    break
                }
                owners[address] = index
            }
        }
    }

    mutating func readReplies(_ node: Node?) {
        for (name, _, value) in entries(node, "replies") {
            var reply = RegisterPartDescription.Reply(name: name)
            if let fields = Fields(
                value, of: "reply '\(name)'", known: ["bytes", "when", "holds clock", "then"], diagnostics)
            {
                if let node = fields["when"] { reply.condition = expression(node, "a condition") }
                if let node = fields["holds clock"] { reply.holdsClock = expression(node, "a condition") }
                if let node = fields["then"] { reply.steps = steps(node) }
                if let node = fields.required("bytes", of: "reply '\(name)'", diagnostics) {
                    reply.items = list(node, "registers and crc8").compactMap(replyItem)
                }
            }
            part.replies.append(reply)
        }
    }

    private func replyItem(_ node: Node) -> RegisterPartDescription.Reply.Item? {
        guard let text = scalars.text(node, "a register or crc8") else { return nil }
        if let target = targets[text], target.bits == nil { return .register(target.register) }
        if text == "crc8" {
            if let sum = part.crc8 { return .crc8(polynomial: sum.polynomial, start: sum.start) }
            diagnostics.report(
                "the part has no key 'crc8', expected one such as crc8: {polynomial: 0x31, start: 0xFF}", at: node)
            return nil
        }
        diagnostics.report(
            "expected a register or crc8, got \(node.summary)"
                + Suggestion.text(for: text, in: part.registers.map(\.name) + ["crc8"]), at: node)
        return nil
    }

    mutating func readCommands(_ fields: Fields) {
        part.firstReply = fields["reply"].flatMap { named($0, "a reply", in: replies) }
        let greatest = (1 << (part.codeWidth * 8)) - 1
        for (name, _, value) in entries(fields["commands"], "commands") {
            guard
                let fields = Fields(
                    value, of: "command '\(name)'", known: ["code", "argument", "reply", "do"], diagnostics),
                let codes = fields.required("code", of: "command '\(name)'", diagnostics)
            else { continue }
            var command = RegisterPartDescription.Command(name: name, codes: [])
            for node in oneOrMore(codes) {
                guard let range = integers(node), range.lowerBound >= 0, range.upperBound <= greatest else {
                    let width = part.codeWidth == 1 ? "1 byte" : "\(part.codeWidth) bytes"
                    diagnostics.report(
                        "expected a code of \(width) or a range of them, got \(node.summary)", at: node)
                    continue
                }
                if let other = part.commands.first(where: { $0.codes.contains { $0.overlaps(range) } }) {
                    diagnostics.report("code \(node.summary) of '\(name)' belongs to '\(other.name)' already", at: node)
                }
                command.codes.append(range)
            }
            if let node = fields["argument"] { command.argument = integer(node, "a number of bytes", in: 1...6) ?? 0 }
            if let node = fields["reply"] { command.reply = named(node, "a reply", in: replies) }
            if let node = fields["do"] { command.steps = steps(node, more: ["written": .written]) }
            part.commands.append(command)
        }
    }

    mutating func readTimers(_ node: Node?) {
        for (name, key, value) in entries(node, "timers") {
            var timer = RegisterPartDescription.Timer(name: name, time: .constant(0))
            if let fields = Fields(
                value, of: "timer '\(name)'",
                known: ["time", "repeats", "runs", "counts all", "wakes", "at start", "at end"], diagnostics)
            {
                if let node = fields.required("time", of: "timer '\(name)'", diagnostics) { timer.time = time(node) }
                if let node = fields["repeats"] { timer.repeats = expression(node, "a condition") }
                if let node = fields["runs"] {
                    timer.runs =
                        scalars.choice(
                            node, "its start",
                            among: [
                                (word: "always", value: .reset), ("with power", .withPower),
                                ("when started", .whenStarted),
                            ])
                        ?? .whenStarted
                }
                if let node = fields["counts all"] { timer.countsAll = scalars.bool(node, "counts all") ?? false }
                if let node = fields["wakes"] { timer.wakes = expression(node, "a condition") }
                if let node = fields["at start"] { timer.atStart = steps(node) }
                if let node = fields["at end"] { timer.atEnd = steps(node) }
            }
            if part.timers.contains(where: { $0.name == name }) {
                diagnostics.report("timer '\(name)' given twice", at: key)
            }
            part.timers.append(timer)
        }
    }

    /// An expression with a unit behind it, in nanoseconds.
    private func time(_ node: Node) -> PartExpression {
        guard let text = scalars.text(node, "a time such as 15 ms") else { return .constant(0) }
        let units: [(String, Double)] = [("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9)]
        guard let (unit, scale) = units.first(where: { text.hasSuffix(" " + $0.0) }) else {
            diagnostics.report(
                "expected a time with a unit (us, ms, s or min), such as 15 ms or 120 * MT / 69 ms, "
                    + "got \(node.summary)", at: node)
            return .constant(0)
        }
        let term = expression(node, "a time", text: String(text.dropLast(unit.count + 1)))
        return .binary(.multiply, term ?? .constant(0), .constant(scale))
    }

    /// The index of what a scalar names.
    func named(_ node: Node, _ what: String, in known: [String: Int]) -> Int? {
        let word = node.scalar?.string ?? ""
        if let index = known[word] { return index }
        let list = known.keys.sorted()
        diagnostics.report(
            "expected \(what), \(list.isEmpty ? "there is none" : "one of: \(list.list)"), got \(node.summary)\(Suggestion.text(for: word, in: list))",
            at: node)
        return nil
    }

    /// One action, or a list of them.
    func steps(_ node: Node, more: [String: PartExpression] = [:]) -> [RegisterPartDescription.Step] {
        oneOrMore(node).compactMap { node in
            guard
                let fields = Fields(
                    node, of: "an action", known: ["if", "reset", "stop", "set", "start", "report"], diagnostics)
            else { return nil }
            var step = RegisterPartDescription.Step()
            if let node = fields["if"] { step.condition = expression(node, "a condition", more: more) }
            if let node = fields["reset"] { step.resets = scalars.bool(node, "reset") ?? false }
            if let node = fields["stop"] {
                step.stops = oneOrMore(node).compactMap { named($0, "a timer", in: timers) }
            }
            if let node = fields["start"] {
                step.starts = oneOrMore(node).compactMap { named($0, "a timer", in: timers) }
            }
            if let node = fields["report"] { step.report = scalars.text(node, "a fault") }
            for (name, key, value) in entries(fields["set"], "registers or bits") {
                let term = expression(value, "an expression", more: more)
                guard let target = targets[name] else {
                    let known = targets.keys.sorted()
                    let example = (known.first { $0.contains(".") } ?? known.first).map { ", such as \($0)" } ?? ""
                    diagnostics.report(
                        "expected a register or bits of one\(example), got \(key.summary)"
                            + Suggestion.text(for: name, in: known), at: key)
                    continue
                }
                if hasValue.contains(target.register) {
                    diagnostics.report("'\(name)' is computed, it cannot be set", at: key)
                }
                if let term { step.assignments.append((target, term)) }
            }
            return step
        }
    }
}

extension ClosedRange<Int> {
    /// True if some bits, but neither all of one nor all of the other, are in both.
    fileprivate func crosses(_ other: ClosedRange<Int>) -> Bool {
        overlaps(other) && clamped(to: other) != self && clamped(to: other) != other
    }
}

extension PartExpression {
    /// True if the expression, or a name in it, uses a register.
    func uses(register: Int, names: [PartExpression]) -> Bool {
        switch self {
        case .constant, .quantity, .setting, .code, .written: false
        case .register(let index), .bits(let index, _, _): index == register
        case .name(let index): names[index].uses(register: register, names: names)
        case .negative(let term), .not(let term), .complement(let term): term.uses(register: register, names: names)
        case .binary(_, let left, let right), .both(let left, let right), .either(let left, let right):
            left.uses(register: register, names: names) || right.uses(register: register, names: names)
        case .choice(let condition, let first, let second):
            condition.uses(register: register, names: names) || first.uses(register: register, names: names)
                || second.uses(register: register, names: names)
        case .call(_, let terms): terms.contains { $0.uses(register: register, names: names) }
        }
    }
}
