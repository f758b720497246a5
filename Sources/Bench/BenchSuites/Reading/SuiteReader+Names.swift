import BLECore
import BLEDescriptions
import Bench
import BenchModel
import YAMLReading
import Yams

/// UUIDs and centrals by name.
extension SuiteReader {
    /// The word that means the board in places where a central can be named.
    static let board = "board"
    /// The word that, in place of an address, means a new central at each connection.
    private static let newCentral = "new"

    func readUUIDs(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            hasUnknownUUIDs = true
            return diagnostics.report("expected 'uuids' to map names to UUIDs, got \(node.summary)", at: node)
        }
        for (key, value) in mapping {
            guard let name = scalars.text(key, "a name for a UUID") else { continue }
            let uuid = value.scalar.flatMap { BLEUUID($0.string) }
            if uuid == nil {
                diagnostics.report("expected a UUID of 4, 8 or 32 hexadecimal digits, got \(value.summary)", at: value)
            }
            // A faulty name is registered too, so that its uses do not cause further errors.
            uuids.append(NamedUUID(name: name, uuid: uuid ?? BLEUUID(0)))
        }
    }

    /// Reads `centrals`: the settings of some centrals.
    func readCentrals(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            return diagnostics.report(
                "expected 'centrals' to map names to settings, got \(node.summary)", at: node)
        }
        for (key, value) in mapping {
            guard let name = scalars.text(key, "a central's name") else { continue }
            let reference = reference(toCentral: name, at: key)
            describedCentrals.append(DescribedCentral(reference: reference, isOwner: false, node: key))
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
            describedCentrals.append(DescribedCentral(reference: owner, isOwner: true, node: node))
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

    /// Checks the names under `centrals`; otherwise settings under a mistyped name would apply to no central.
    func checkCentrals() {
        guard !hasFaultySteps else { return }
        let known = connectedCentrals.sorted().map { centrals[$0].name }
        let described = Set(describedCentrals.filter { !$0.isOwner }.map(\.reference))
        for central in describedCentrals where !connectedCentrals.contains(central.reference.index) {
            let name = centrals[central.reference.index].name
            // A central under `centrals` need not be used, but an address may only refer to an existing central.
            guard
                central.isOwner
                    ? !described.contains(central.reference) : Suggestion.nearest(to: name, in: known) != nil
            else { continue }
            let expected = known.isEmpty ? "" : ", expected one of: \(known.list)"
            diagnostics.report(
                "no step connects '\(name)'\(Suggestion.text(for: name, in: known))\(expected)", at: central.node)
        }
        if let described = describedCentrals.first(where: { loop(from: $0.reference.index) != nil }),
            let loop = loop(from: described.reference.index)
        {
            let name = centrals[described.reference.index].name
            diagnostics.report("the address of '\(name)' leads back to itself: \(loop.list)", at: described.node)
        }
    }

    /// The names in a cycle of centrals that each have the address of the next one; `nil`: no cycle.
    private func loop(from first: Int) -> [String]? {
        var (names, next) = ([centrals[first].name], first)
        for _ in centrals {
            guard case .of(let owner) = centrals[next].address else { return nil }
            names.append(centrals[owner].name)
            // A central that refers to its own address gets another error.
            if owner == first { return names.count > 2 ? names : nil }
            next = owner
        }
        return nil
    }

    /// The central of that name, which is registered if it is new.
    private func reference(toCentral name: String, at node: Node?) -> CentralReference {
        if name == Self.board, let node { diagnostics.report("'board' means the board, not a central", at: node) }
        if boardReference(named: name) != nil, let node {
            diagnostics.report("'\(name)' is a board, not a central", at: node)
        }
        let index = centrals.firstIndex { $0.name == name } ?? centrals.count
        if index == centrals.count { centrals.append(CentralDescription(name: name)) }
        return CentralReference(index: index)
    }

    func uuid(_ node: Node, _ what: String) -> UUIDReference? {
        guard let text = scalars.text(node, what) else { return nil }
        if let index = uuids.firstIndex(where: { $0.name == text }) {
            usedUUIDs.insert(index)
            return UUIDReference(index: index)
        }
        if let described = describedUUID(text) {
            let index = uuids.firstIndex { $0.name == described.name } ?? uuids.count
            if index == uuids.count { uuids.append(described) }
            usedUUIDs.insert(index)
            return UUIDReference(index: index)
        }
        guard let uuid = BLEUUID(text) else {
            if hasUnknownUUIDs { return nil }
            reportUnknownUUID(text, what, at: node)
            return nil
        }
        uuids.append(NamedUUID(name: text, uuid: uuid))
        usedUUIDs.insert(uuids.count - 1)
        return UUIDReference(index: uuids.count - 1)
    }

    /// The central that a step names with `as`, or the default central; later steps may use it.
    func introducedCentral(_ node: Node?) -> CentralReference {
        let name = node.flatMap { scalars.text($0, "a central's name") } ?? Self.defaultCentral
        let reference = self.reference(toCentral: name, at: node)
        introducedCentrals.insert(reference.index)
        connectedCentrals.insert(reference.index)
        usedCentrals.insert(reference.index)
        return reference
    }

    /// The central that a step names with `on`, or the default central; an earlier step must have introduced it.
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
        if mayHaveIntroduced { return reference(toCentral: name, at: node) }
        let known = introducedCentrals.sorted().map { centrals[$0].name }
        guard let node else {
            let others = known.isEmpty ? "" : "; with 'on' it can use: \(known.list)"
            diagnostics.report("no step before this one connects '\(name)'\(others)", at: step)
            return nil
        }
        let expected = known.isEmpty ? "no step before this one connects it" : "expected one of: \(known.list)"
        diagnostics.report(
            "unknown central '\(name)'\(Suggestion.text(for: name, in: known)), \(expected)", at: node)
        return nil
    }
}

/// A central that `centrals` mentions, and the position.
struct DescribedCentral {
    let reference: CentralReference
    /// True if another central has the address of this one.
    let isOwner: Bool
    let node: Node
}
