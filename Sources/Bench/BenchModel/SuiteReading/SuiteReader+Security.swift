import BLECore
import Yams

/// Pairing, encryption and bonds.
extension SuiteReader {
    /// Reads `pair`; `node` is `nil` when nothing follows the word.
    func pair(_ node: Node?, _ step: Node) -> PairStep? {
        let known = [
            "on", "passkey", "confirm", "io", "bonding", "mitm", "secure connections", "key size",
        ]
        var fields: Fields?
        if let node {
            if case .scalar = node {
                return client(node, for: step).map { Self.pairing($0) }
            }
            fields = Fields(node, of: "'pair'", known: known, diagnostics)
            if fields == nil { return nil }
        }
        guard let client = client(fields?["on"], for: step) else { return nil }
        var pairing = Self.pairing(client)
        if let node = fields?["passkey"] { pairing.passkey = passkey(node) ?? .unexpected }
        if let node = fields?["confirm"] { pairing.confirmation = scalars.bool(node, "'confirm'") }
        if let node = fields?["io"] {
            let capabilities = IOCapability.allCases.map { ("\($0)", $0) }
            pairing.capability =
                scalars.choice(node, "what the central can show and take in", among: capabilities) ?? .keyboardDisplay
        }
        if let node = fields?["bonding"] { pairing.isBonding = scalars.bool(node, "'bonding'") ?? true }
        if let node = fields?["mitm"] { pairing.isProtected = scalars.bool(node, "'mitm'") ?? true }
        if let node = fields?["secure connections"] {
            pairing.secureConnections = scalars.choice(node, "when to use secure connections") ?? .preferred
        }
        if let size = fields?["key size"].flatMap({ bounded($0, "'key size'", PairStep.keySizes) }) {
            pairing.keySize = size
        }
        return pairing
    }

    /// What a phone does.
    private static func pairing(_ client: ClientReference) -> PairStep {
        PairStep(
            client: client, capability: .keyboardDisplay, isBonding: true, isProtected: true,
            secureConnections: .preferred, keySize: Expression(constant: 16), passkey: .unexpected, confirmation: nil,
            expectedError: nil)
    }

    private func passkey(_ node: Node) -> PairStep.Passkey? {
        guard let text = scalars.text(node, "a passkey") else { return nil }
        switch text {
        case "refused": return .refused
        case "unanswered": return .unanswered
        case "overheard": return .overheard
        default: break
        }
        if text.hasPrefix("not /") { return pattern(text.dropFirst(4), node).map { .wrongConsole($0) } }
        if text.hasPrefix("/") { return pattern(text[...], node).map { .console($0) } }
        guard let number = scalars.expression(node, "a passkey", parameters) else { return nil }
        if let constant = number.constant, !PairStep.passkeys.contains(constant) {
            diagnostics.report("expected a passkey of 0...999999, got \(constant)", at: node)
        }
        return .number(number)
    }

    /// The regular expression between two slashes.
    func pattern(_ text: Substring, _ node: Node) -> String? {
        let pattern = String(text.dropFirst().dropLast())
        guard text.hasPrefix("/"), text.hasSuffix("/"), !pattern.isEmpty else {
            diagnostics.report("expected a regular expression between slashes, got '\(text)'", at: node)
            return nil
        }
        do {
            _ = try Regex(pattern)
            return pattern
        } catch {
            diagnostics.report("expected a regular expression, got '\(pattern)': \(error)", at: node)
            return nil
        }
    }

    /// A number in `range` that is known before anything runs.
    func number(_ node: Node, _ what: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = scalars.expression(node, what, parameters) else { return nil }
        if let constant = value.constant, range.contains(Int(clamping: constant)) { return Int(constant) }
        diagnostics.report(
            "expected \(what) of \(range.lowerBound)...\(range.upperBound), got \(node.summary)", at: node)
        return nil
    }

    /// Reads `forget`.
    func forget(_ node: Node) -> ForgetStep? {
        if case .scalar = node { return bondHolder(node).map { ForgetStep(holder: $0, peer: nil) } }
        guard let fields = Fields(node, of: "'forget'", known: ["on", "of"], diagnostics),
            let holder = fields.required("on", of: "'forget'", diagnostics).flatMap({ bondHolder($0) })
        else { return nil }
        guard let peer = fields["of"] else { return ForgetStep(holder: holder, peer: nil) }
        guard holder == .board else {
            diagnostics.report("'of' says whom the board forgets; a central has only the board to forget", at: peer)
            return nil
        }
        return client(peer, for: node).map { ForgetStep(holder: holder, peer: $0) }
    }

    private func bondHolder(_ node: Node) -> BondHolder? {
        if node.scalar?.string == Self.board { return .board }
        return client(node, for: node).map { .client($0) }
    }

    // MARK: Expectations

    /// Reads `expect: {bonds: …, of: …}`.
    func bonds(_ subject: Node, _ fields: Fields) -> Expectation? {
        guard let holder = fields.required("of", of: "'expect' of 'bonds'", diagnostics).flatMap({ bondHolder($0) })
        else { return nil }
        guard case .sequence(let sequence) = subject else {
            return scalars.expression(subject, "a number of bonds or a list of centrals", parameters).map {
                .bonds(holder, .count($0))
            }
        }
        guard holder == .board else {
            diagnostics.report("expected a number of bonds of a central, got a list", at: subject)
            return nil
        }
        let clients = sequence.map { client($0, for: $0) }
        return clients.contains(nil) ? nil : .bonds(holder, .clients(clients.compactMap(\.self)))
    }

    /// Reads `expect: {security: …}`.
    func security(_ subject: Node, _ fields: Fields) -> Expectation? {
        guard let client = client(fields["on"], for: fields.node) else { return nil }
        let keySize = fields["key size"].flatMap { bounded($0, "'key size'", PairStep.keySizes) }
        if subject.scalar?.string == "none" {
            return .security(client, SecurityExpectation(properties: [], keySize: keySize))
        }
        let nodes = subject.sequence.map { Array($0) } ?? [subject]
        let properties: [SecurityProperty?] = nodes.map { scalars.choice($0, "'none' or what the link is") }
        guard !properties.contains(nil) else { return nil }
        return .security(
            client, SecurityExpectation(properties: Set(properties.compactMap(\.self)), keySize: keySize))
    }
}
