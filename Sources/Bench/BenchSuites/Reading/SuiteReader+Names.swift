import BLECore
import Bench
import Yams

/// UUIDs and centrals by name.
extension SuiteReader {
    /// What means the board where a central could be meant.
    static let board = "board"
    /// What stands in place of an address for another central at each connection.
    private static let newCentral = "new"

    func readUUIDs(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            return diagnostics.report("expected 'uuids' to map names to UUIDs, got \(node.summary)", at: node)
        }
        for (key, value) in mapping {
            guard let name = scalars.text(key, "a name for a UUID") else { continue }
            guard let uuid = value.scalar.flatMap({ BLEUUID($0.string) }) else {
                diagnostics.report("expected a UUID of 4, 8 or 32 hexadecimal digits, got \(value.summary)", at: value)
                continue
            }
            uuids.append(NamedUUID(name: name, uuid: uuid))
        }
    }

    /// Reads `centrals`: what is special about some of them.
    func readCentrals(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            return diagnostics.report(
                "expected 'centrals' to map names to what is special, got \(node.summary)", at: node)
        }
        for (key, value) in mapping {
            guard let name = scalars.text(key, "a central's name") else { continue }
            let reference = reference(toCentral: name, at: key)
            guard let fields = Fields(value, of: "a central", known: ["address", "privacy"], diagnostics) else {
                continue
            }
            if let node = fields["address"] { readAddress(node, of: reference) }
            if let node = fields["privacy"] {
                centrals[reference.index].usesPrivacy = scalars.bool(node, "'privacy'") ?? false
            }
        }
    }

    private func readAddress(_ node: Node, of central: CentralReference) {
        guard let text = scalars.text(node, "an address") else { return }
        if text == Self.newCentral {
            centrals[central.index].address = .new
            return
        }
        guard text.contains(":") else {
            let owner = reference(toCentral: text, at: node)
            if owner == central { diagnostics.report("a central cannot have its own address from itself", at: node) }
            centrals[central.index].address = .of(owner.index)
            return
        }
        // Core 5.4, Vol 6 Part B 1.3.2.1
        guard let address = DeviceAddress(text, .random), address.value >> 46 == 0b11 else {
            return diagnostics.report(
                "expected a central's name or a static random address such as C0:00:00:00:00:01, got '\(text)'",
                at: node)
        }
        centrals[central.index].address = .fixed(address)
    }

    /// The central of that name, which need not have been spoken of before.
    private func reference(toCentral name: String, at node: Node?) -> CentralReference {
        if name == Self.board, let node { diagnostics.report("'board' means the board, not a central", at: node) }
        let index = centrals.firstIndex { $0.name == name } ?? centrals.count
        if index == centrals.count { centrals.append(CentralDescription(name: name)) }
        return CentralReference(index: index)
    }

    func uuid(_ node: Node, _ what: String) -> UUIDReference? {
        guard let text = scalars.text(node, what) else { return nil }
        if let index = uuids.firstIndex(where: { $0.name == text }) { return UUIDReference(index: index) }
        guard let uuid = BLEUUID(text) else {
            let names = uuids.isEmpty ? "" : " (\(uuids.map(\.name).list))"
            diagnostics.report(
                "unknown name '\(text)' for \(what), expected one under 'uuids'\(names) or a UUID", at: node)
            return nil
        }
        uuids.append(NamedUUID(name: text, uuid: uuid))
        return UUIDReference(index: uuids.count - 1)
    }

    /// The central a step names with `as`, or the default one; known to the steps after it.
    func introducedCentral(_ node: Node?) -> CentralReference {
        let name = node.flatMap { scalars.text($0, "a central's name") } ?? Self.defaultCentral
        let reference = self.reference(toCentral: name, at: node)
        introducedCentrals.insert(reference.index)
        usedCentrals.insert(reference.index)
        return reference
    }

    /// The central a step names with `on`, or the default one; an earlier step must have introduced it.
    func central(_ node: Node?, for step: Node) -> CentralReference? {
        let name: String
        if let node {
            guard let text = scalars.text(node, "a central's name") else { return nil }
            name = text
        } else {
            name = Self.defaultCentral
        }
        if let index = centrals.firstIndex(where: { $0.name == name }), introducedCentrals.contains(index) {
            usedCentrals.insert(index)
            return CentralReference(index: index)
        }
        let known = introducedCentrals.sorted().map { centrals[$0].name }
        let expected = known.isEmpty ? "no step before this one connects it" : "expected one of: \(known.list)"
        diagnostics.report("unknown central '\(name)', \(expected)", at: node ?? step)
        return nil
    }
}
