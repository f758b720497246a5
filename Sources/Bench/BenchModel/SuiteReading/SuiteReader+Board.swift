import BLEPackets
import Yams

/// The board's supply, buttons and servos.
extension SuiteReader {
    /// Reads `power`.
    func power(_ node: Node) -> Action? {
        guard case .mapping = node else {
            return (scalars.choice(node, "what to do with the power") as PowerAction?).map(Action.power)
        }
        guard let fields = Fields(node, of: "'power'", known: ["cut"], diagnostics),
            let point = fields.required("cut", of: "'power'", diagnostics)
        else { return nil }
        return powerCutPoint(point).map { .cutPower(at: $0) }
    }

    private func powerCutPoint(_ node: Node) -> PowerCutPoint? {
        let kinds = ["console", "nvs write", "pdu"]
        guard let fields = Fields(node, of: "'cut'", known: kinds + ["nth", "from"], diagnostics),
            let (kind, subject) = only(kinds, of: fields, "'cut' waits for")
        else { return nil }
        if kind != "pdu", let node = fields["nth"] ?? fields["from"] {
            diagnostics.report("'nth' and 'from' belong to a 'pdu'", at: node)
        }
        switch kind {
        case "console": return console(subject).map { .console($0) }
        case "nvs write": return count(subject, "the number of the NVS write").map { .storageWrite($0) }
        default:
            return pduPattern(subject, fields, of: PDUKind.named.filter { !$0.kind.isLinkControl }).map { .pdu($0) }
        }
    }

    /// The one of `kinds` that is there.
    func only(_ kinds: [String], of fields: Fields, _ what: String) -> (kind: String, subject: Node)? {
        let given = kinds.filter { fields[$0] != nil }
        if given.count == 1, let kind = given.first, let subject = fields[kind] { return (kind, subject) }
        diagnostics.report(
            "\(what) one of: \(kinds.list); got \(given.isEmpty ? "none" : given.list)", at: fields.node)
        return nil
    }

    /// A number from 1 on.
    func count(_ node: Node, _ what: String) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, constant < 1 {
            diagnostics.report("expected \(what) from 1 on, got \(constant)", at: node)
        }
        return value
    }

    /// Reads `reboot`; `node` is `nil` when nothing follows the word.
    func reboot(_ node: Node?) -> Action? {
        guard let node else { return .reboot(erasesNVS: false) }
        guard let fields = Fields(node, of: "'reboot'", known: ["nvs"], diagnostics),
            let nvs = fields.required("nvs", of: "'reboot'", diagnostics)
        else { return nil }
        switch nvs.scalar?.string {
        case "kept": return .reboot(erasesNVS: false)
        case "erased": return .reboot(erasesNVS: true)
        default:
            diagnostics.report("expected kept or erased for 'nvs', got \(nvs.summary)", at: nvs)
            return nil
        }
    }

    /// Reads `button`.
    func button(_ node: Node) -> ButtonStep? {
        if case .scalar(let scalar) = node {
            switch scalar.string {
            case "press": return ButtonStep(pin: ButtonStep.bootPin, action: .press(ButtonStep.pressTime))
            case "hold": return ButtonStep(pin: ButtonStep.bootPin, action: .hold)
            case "release": return ButtonStep(pin: ButtonStep.bootPin, action: .release)
            default:
                diagnostics.report(
                    "expected what to do with the button, one of: press, hold, release, got \(node.summary)", at: node)
                return nil
            }
        }
        let kinds = ["press", "hold", "release"]
        guard let fields = Fields(node, of: "'button'", known: kinds + ["pin"], diagnostics),
            let (kind, subject) = only(kinds, of: fields, "'button' takes")
        else { return nil }
        if kind != "press" {
            if let pin = fields["pin"] { diagnostics.report("'\(kind)' has the pin itself: {\(kind): 0}", at: pin) }
            return number(subject, "a pin", ButtonStep.pins).map {
                ButtonStep(pin: $0, action: kind == "hold" ? .hold : .release)
            }
        }
        guard let time = scalars.duration(subject, "'press'") else { return nil }
        let pin = fields["pin"].map { number($0, "'pin'", ButtonStep.pins) } ?? ButtonStep.bootPin
        return pin.map { ButtonStep(pin: $0, action: .press(time)) }
    }

    /// Reads `expect: {servo: …}`.
    func servo(_ subject: Node, _ fields: Fields) -> Expectation? {
        let pin = fields["pin"].flatMap { number($0, "'pin'", ButtonStep.pins) }
        if subject.scalar?.string == "detached" { return .servo(.detached, pin: pin) }
        guard case .mapping = subject else { return angle(subject).map { .servo(.angle($0), pin: pin) } }
        guard let sweep = Fields(subject, of: "a sweep", known: ["from", "to"], diagnostics),
            let from = sweep.required("from", of: "a sweep", diagnostics).flatMap({ angle($0) }),
            let to = sweep.required("to", of: "a sweep", diagnostics).flatMap({ angle($0) })
        else { return nil }
        return .servo(.sweep(from: from, to: to), pin: pin)
    }

    private func angle(_ node: Node) -> Expression? {
        guard let value = scalars.expression(node, "an angle, a sweep {from: …, to: …} or 'detached'", parameters)
        else { return nil }
        if let constant = value.constant, !(0...180).contains(constant) {
            diagnostics.report("expected an angle of 0...180 degrees, got \(constant)", at: node)
        }
        return value
    }
}
