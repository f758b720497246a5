import Bench
import BenchModel
import BLECore
import YAMLReading
import Yams

extension PairStep {
    /// The reference of its keys.
    static let keys = [
        StepReference("`on`", "the central; without it: `first`"),
        StepReference(
            "`passkey`",
            #"""
            a number; `/Passkey: (\d+)/`: the first group in the newest console line that matches, also of an earlier \#
            boot; `not /…/`: another number than that; `overheard`: the passkey of the last passkey entry with the \#
            board, as computed by an eavesdropper (Core 5.4, Vol 3 Part H 2.3.5.6.3): the step fails if there was \#
            none; `refused`: the user refuses; `unanswered`: no user answers. Users answer after 1 s. Without this key, \#
            a passkey request fails the step; with it, a pairing that requests no passkey
            """#),
        StepReference(
            "`confirm`",
            """
            `true` or `false`: whether the user confirms that the numbers are equal; as with `passkey`, the pairing must \
            ask
            """),
        StepReference(
            "`io`", "`keyboard display` (default), `keyboard only`, `display only`, `display yes/no`, `none`"),
        StepReference("`bonding`, `mitm`", "`true` (default) or `false`"),
        StepReference("`secure connections`", "`preferred` (default), `only`, `off`"),
        StepReference("`key size`", "7 to 16 (default)"),
        StepReference(
            "`board`",
            "with several boards, whose console or air gives the passkey; without it, any console"),
        StepReference("`within`", "the longest time for all of it, the user's included"),
    ]

    static func read(_ text: StepText) -> (any SuiteStep)? {
        let (reader, scalars) = (text.reader, text.scalars)
        let known = [
            "on", "passkey", "confirm", "io", "bonding", "mitm", "secure connections", "key size", "within", "board",
        ]
        var fields: Fields?
        if let node = text.argument {
            if case .scalar = node { return reader.central(node, for: text.node).map { PairStep(central: $0) } }
            fields = text.fields(of: "'pair'", known)
            if fields == nil { return nil }
        }
        guard let central = reader.central(fields?["on"], for: text.node) else { return nil }
        var step = PairStep(central: central)
        if let node = fields?["passkey"] { step.passkey = passkey(node, reader) ?? .fixed(.unexpected) }
        if case .overheard = step.passkey {
            guard let board = reader.board(fields?["board"], for: text.node) else { return nil }
            step.board = board
        } else {
            step.board = reader.namedBoard(fields?["board"])
        }
        if let node = fields?["confirm"] { step.confirmation = scalars.bool(node, "'confirm'") }
        if let node = fields?["io"] {
            step.capability = capability(node, text) ?? .keyboardDisplay
        }
        if let node = fields?["bonding"] { step.isBonding = scalars.bool(node, "'bonding'") ?? true }
        if let node = fields?["mitm"] { step.isProtected = scalars.bool(node, "'mitm'") ?? true }
        if let node = fields?["secure connections"] {
            step.secureConnections = scalars.choice(node, "when to use secure connections") ?? .preferred
        }
        if let size = fields?["key size"].flatMap({ reader.bounded($0, "'key size'", keySizes) }) {
            step.keySize = size
        }
        return step
    }

    private static func capability(_ node: Node, _ text: StepText) -> IOCapability? {
        text.scalars.choice(
            node, "what the central can show and take in", among: IOCapability.allCases.map { ($0.description, $0) })
    }

    private static func passkey(_ node: Node, _ reader: SuiteReader) -> Passkey? {
        guard let text = reader.scalars.text(node, "a passkey") else { return nil }
        switch text {
        case "refused": return .fixed(.refused)
        case "unanswered": return .fixed(.unanswered)
        case "overheard": return .overheard
        default: break
        }
        if text.hasPrefix("not /") {
            return reader.pattern(text.dropFirst(4), node).map { .fixed(.wrongConsole($0)) }
        }
        if text.hasPrefix("/") { return reader.pattern(text[...], node).map { .fixed(.console($0)) } }
        guard let number = reader.scalars.expression(node, "a passkey", reader.parameters) else { return nil }
        if let constant = number.constant, !passkeys.contains(constant) {
            reader.diagnostics.report("expected a passkey of 0...999999, got \(constant)", at: node)
        }
        return .number(number)
    }
}
