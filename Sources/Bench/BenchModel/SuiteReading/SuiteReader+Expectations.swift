import BLECore
import Yams

extension SuiteReader {
    /// Reads what an `expect` step waits for.
    func expectation(_ node: Node) -> Action? {
        let kinds = [
            "notification", "indication", "console", "disconnect", "servo", "security", "bonds", "power", "nothing",
        ]
        let options = ["bytes", "text", "pin", "key size", "of", "on", "within"]
        let known = kinds + ["error"] + options
        guard let fields = Fields(node, of: "'expect'", known: known, diagnostics) else { return nil }
        let given = kinds.filter { fields[$0] != nil }
        guard given.count == 1, let kind = given.first, let subject = fields[kind] else {
            let got = given.isEmpty ? "none" : given.list
            diagnostics.report("'expect' waits for one of: \(kinds.list), error; got \(got)", at: node)
            return nil
        }
        let allowed: [String: [String]] = [
            "notification": ["bytes", "text", "on", "within"], "indication": ["bytes", "text", "on", "within"],
            "console": ["within"], "disconnect": ["on", "within"], "servo": ["pin", "within"],
            "security": ["key size", "on", "within"], "bonds": ["of", "within"], "power": ["within"],
            "nothing": ["of"],
        ]
        for key in options {
            guard let value = fields[key], let keys = allowed[kind], !keys.contains(key) else { continue }
            diagnostics.report("'expect' of '\(kind)' takes no '\(key)', expected: \(keys.list)", at: value)
        }
        if kind == "nothing" { return nothing(subject, fields) }
        let within = fields["within"].flatMap { scalars.duration($0, "'within'") } ?? defaults.within
        let expectation: Expectation? =
            switch kind {
            case "console": console(subject).map(Expectation.console)
            case "disconnect": disconnect(subject, fields)
            case "servo": servo(subject, fields)
            case "security": security(subject, fields)
            case "bonds": bonds(subject, fields)
            case "power": powerCut(subject)
            default: sentValue(subject, fields, isIndication: kind == "indication").map(Expectation.value)
            }
        return expectation.map { .expect($0, within: within) }
    }

    private func sentValue(_ subject: Node, _ fields: Fields, isIndication: Bool) -> ValueExpectation? {
        let uuid = uuid(subject, "a characteristic")
        let value = value(fields, "'expect'")
        guard let uuid, let client = client(fields["on"], for: fields.node) else { return nil }
        return ValueExpectation(characteristic: uuid, client: client, isIndication: isIndication, value: value)
    }

    private func powerCut(_ subject: Node) -> Expectation? {
        if subject.scalar?.string == "off" { return .powerCut }
        diagnostics.report(
            "expected 'off' for the cut that a step before asks for, got \(subject.summary)", at: subject)
        return nil
    }

    func console(_ subject: Node) -> ConsolePattern? {
        guard let text = scalars.text(subject, "a console line or a /regular expression/") else { return nil }
        guard text.hasPrefix("/"), text.hasSuffix("/"), text.count > 2 else {
            return scalars.template(subject, "a console line", parameters).map(ConsolePattern.line)
        }
        return pattern(text[...], subject).map { .regex($0) }
    }

    private func disconnect(_ subject: Node, _ fields: Fields) -> Expectation? {
        guard let client = client(fields["on"], for: fields.node) else { return nil }
        if subject.scalar?.string == "any" { return .disconnect(client, reason: nil) }
        return scalars.expression(subject, "an HCI error code or 'any'", parameters).map {
            .disconnect(client, reason: $0)
        }
    }

    private func nothing(_ subject: Node, _ fields: Fields) -> Action? {
        let duration = scalars.duration(subject, "'nothing'")
        let kinds: [EventKind?] =
            fields["of"].map { node in
                (node.sequence.map { Array($0) } ?? [node]).map { scalars.choice($0, "a kind of event") }
            } ?? EventKind.allCases
        guard let duration, !kinds.contains(nil) else { return nil }
        return .expect(.nothing(Set(kinds.compactMap(\.self))), within: duration)
    }

    /// Reads `bytes` or `text`; `nil` when neither is there or one is wrong.
    func value(_ fields: Fields, _ what: String) -> ValueTemplate? {
        if let text = fields["text"] {
            if fields["bytes"] != nil {
                diagnostics.report("\(what) takes 'bytes' or 'text', got both", at: text)
            }
            return scalars.template(text, "a text", parameters).map {
                ValueTemplate(elements: [.text($0, text.textPosition)])
            }
        }
        guard let bytes = fields["bytes"] else { return nil }
        guard case .sequence(let sequence) = bytes else {
            diagnostics.report("expected 'bytes' to be a list such as [a, b, 2], got \(bytes.summary)", at: bytes)
            return nil
        }
        let elements = sequence.map(element)
        return elements.contains { $0 == nil } ? nil : ValueTemplate(elements: elements.compactMap(\.self))
    }

    func element(_ node: Node) -> ValueTemplate.Element? {
        guard case .mapping = node else {
            guard let byte = scalars.expression(node, "a byte", parameters) else { return nil }
            if let constant = byte.constant, UInt8(exactly: constant) == nil {
                diagnostics.report("expected a byte 0...255, got \(constant)", at: node)
            }
            return .byte(byte, node.textPosition)
        }
        guard let fields = Fields(node, of: "a repeated byte", known: ["repeat", "times"], diagnostics),
            let byteNode = fields.required("repeat", of: "a repeated byte", diagnostics),
            let timesNode = fields.required("times", of: "a repeated byte", diagnostics),
            let byte = scalars.expression(byteNode, "a byte", parameters),
            let times = scalars.expression(timesNode, "how many times", parameters)
        else { return nil }
        return .repeated(byte, byteNode.textPosition, times: times, timesNode.textPosition)
    }
}
