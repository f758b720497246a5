import BLECore
import Yams

extension SuiteReader {
    /// What a step does; `nil` after a report.
    func action(_ step: StepWord) -> Action? {
        switch (step.word, step.value) {
        case ("reset", nil): return .reset
        case ("disconnect", nil): return client(nil, for: step.node).map(Action.disconnect)
        case ("disconnect", let value?): return client(value, for: step.node).map(Action.disconnect)
        case ("power", let value?): return power(value)
        case ("reboot", let value): return reboot(value)
        case ("button", let value?): return button(value).map(Action.button)
        case ("pair", let value): return pair(value, step.node).map(Action.pair)
        case ("encrypt", let value):
            return client(value, for: step.node).map { .encrypt(EncryptStep(client: $0, expectedError: nil)) }
        case ("forget", let value?): return forget(value).map(Action.forget)
        case ("att", let value?): return attributePDU(value).map(Action.attribute)
        case ("fault", let value?): return fault(value).map(Action.fault)
        case ("radio", let value?): return radio(value).map(Action.radio)
        case ("scan", let value?): return scan(value).map(Action.scan)
        case ("connect", let value?): return connect(value).map(Action.connect)
        case ("subscribe", let value?): return subscribe(value).map(Action.subscribe)
        case ("unsubscribe", let value?): return unsubscribe(value).map(Action.subscribe)
        case ("write", let value?): return write(value).map(Action.write)
        case ("read", let value?): return read(value).map(Action.read)
        case ("mtu", let value?): return mtu(value).map(Action.mtu)
        case ("discover", let value?): return discover(value, step.node).map(Action.discover)
        case ("expect", let value?): return expectation(value)
        case ("advance", let value?): return scalars.duration(value, "'advance'").map(Action.advance)
        case ("repeat", let value?): return repetition(value).map(Action.repeated)
        case ("console", let value?):
            return scalars.template(value, "a line to type", parameters).map(Action.console)
        case (let word, _):
            diagnostics.report("'\(word)' takes nothing after it, write '- \(word)'", at: step.node)
            return nil
        }
    }

    private func filter(_ fields: Fields, _ what: String) -> AdvertisementFilter? {
        let services: [UUIDReference?] =
            fields["advertising"].map { node in
                (node.sequence.map { Array($0) } ?? [node]).map { uuid($0, "an advertised service") }
            } ?? []
        let name = fields["name"].flatMap { scalars.text($0, "a local name") }
        if services.isEmpty, name == nil {
            diagnostics.report("\(what) lacks what to look for, expected 'advertising' or 'name'", at: fields.node)
            return nil
        }
        guard !services.contains(nil) else { return nil }
        return AdvertisementFilter(services: services.compactMap(\.self), name: name)
    }

    private func scan(_ node: Node) -> ScanStep? {
        let known = ["advertising", "name", "within", "absent", "as"]
        guard let fields = Fields(node, of: "'scan'", known: known, diagnostics) else { return nil }
        if fields["within"] != nil, let absent = fields["absent"] {
            diagnostics.report("'scan' takes 'within' (it is found) or 'absent' (it is not), got both", at: absent)
            return nil
        }
        let client = introducedClient(fields["as"])
        let absent = fields["absent"].flatMap { scalars.duration($0, "'absent'") }
        let within = fields["within"].flatMap { scalars.duration($0, "'within'") }
        guard let filter = filter(fields, "'scan'") else { return nil }
        return ScanStep(
            filter: filter, client: client, isExpected: fields["absent"] == nil,
            duration: absent ?? within ?? defaults.connect)
    }

    private func connect(_ node: Node) -> ConnectStep? {
        let known = ["advertising", "name", "within", "as", "discover"]
        guard let fields = Fields(node, of: "'connect'", known: known, diagnostics) else { return nil }
        let client = introducedClient(fields["as"])
        let within = fields["within"].flatMap { scalars.duration($0, "'within'") }
        guard let filter = filter(fields, "'connect'") else { return nil }
        let discovers = fields["discover"].flatMap { scalars.bool($0, "'discover'") } ?? true
        return ConnectStep(
            filter: filter, client: client, timeout: within ?? defaults.connect, discovers: discovers)
    }

    private func repetition(_ node: Node) -> RepeatStep? {
        guard let fields = Fields(node, of: "'repeat'", known: ["times", "steps"], diagnostics) else { return nil }
        let times = fields.required("times", of: "'repeat'", diagnostics)
            .flatMap { bounded($0, "'times'", RepeatStep.range) }
        let steps = fields.required("steps", of: "'repeat'", diagnostics).map { self.steps($0) }
        guard let times, let steps else { return nil }
        return RepeatStep(times: times, steps: steps)
    }

    private func subscribe(_ node: Node) -> SubscribeStep? {
        if case .scalar = node { return subscription(of: node, client: nil, kind: .notifications, node) }
        guard let fields = Fields(node, of: "'subscribe'", known: ["to", "kind", "on"], diagnostics),
            let characteristic = fields.required("to", of: "'subscribe'", diagnostics)
        else { return nil }
        let kind: SubscriptionKind? =
            fields["kind"].map { scalars.choice($0, "what to subscribe to") }
            ?? .notifications
        return kind.flatMap { subscription(of: characteristic, client: fields["on"], kind: $0, node) }
    }

    private func unsubscribe(_ node: Node) -> SubscribeStep? {
        if case .scalar = node { return subscription(of: node, client: nil, kind: .none, node) }
        guard let fields = Fields(node, of: "'unsubscribe'", known: ["from", "on"], diagnostics),
            let characteristic = fields.required("from", of: "'unsubscribe'", diagnostics)
        else { return nil }
        return subscription(of: characteristic, client: fields["on"], kind: .none, node)
    }

    private func subscription(of characteristic: Node, client: Node?, kind: SubscriptionKind, _ node: Node)
        -> SubscribeStep?
    {
        guard let uuid = uuid(characteristic, "a characteristic"), let client = self.client(client, for: node) else {
            return nil
        }
        return SubscribeStep(characteristic: uuid, client: client, kind: kind, expectedError: nil)
    }

    private func write(_ node: Node) -> WriteStep? {
        let known = ["to", "bytes", "text", "response", "on"]
        guard let fields = Fields(node, of: "'write'", known: known, diagnostics) else { return nil }
        let uuid = fields.required("to", of: "'write'", diagnostics).flatMap { self.uuid($0, "a characteristic") }
        if fields["bytes"] == nil, fields["text"] == nil {
            diagnostics.report("'write' lacks a value, expected 'bytes' or 'text'", at: node)
        }
        let value = value(fields, "'write'")
        let response = fields["response"].flatMap { scalars.bool($0, "'response'") } ?? defaults.response
        let client = client(fields["on"], for: node)
        guard let uuid, let value, let client else { return nil }
        return WriteStep(
            characteristic: uuid, client: client, value: value, hasResponse: response, expectedError: nil)
    }

    private func read(_ node: Node) -> ReadStep? {
        if case .scalar = node {
            guard let uuid = uuid(node, "a characteristic"), let client = client(nil, for: node) else { return nil }
            return ReadStep(characteristic: uuid, client: client, value: nil, expectedError: nil)
        }
        let known = ["from", "bytes", "text", "on"]
        guard let fields = Fields(node, of: "'read'", known: known, diagnostics) else { return nil }
        let uuid = fields.required("from", of: "'read'", diagnostics).flatMap { self.uuid($0, "a characteristic") }
        let client = client(fields["on"], for: node)
        let value = value(fields, "'read'")
        guard let uuid, let client else { return nil }
        return ReadStep(characteristic: uuid, client: client, value: value, expectedError: nil)
    }

    private func mtu(_ node: Node) -> MTUStep? {
        let known = ["offer", "effective", "on"]
        guard let fields = Fields(node, of: "'mtu'", known: known, diagnostics) else { return nil }
        let offer = fields.required("offer", of: "'mtu'", diagnostics).flatMap { mtuValue($0, "'offer'") }
        let effective = fields["effective"].flatMap { mtuValue($0, "'effective'") }
        guard let offer, let client = client(fields["on"], for: node) else { return nil }
        return MTUStep(client: client, offer: offer, effective: effective)
    }

    private func mtuValue(_ node: Node, _ what: String) -> Expression? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        let range = MTUStep.range
        if let constant = value.constant, !range.contains(Int(clamping: constant)) {
            diagnostics.report(
                "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(constant)", at: node)
        }
        return value
    }
}
