public import BoardParts
import YAMLReading
import Yams

/// A part of a suite, and the board to which it is wired.
public struct SuitePart: Sendable {
    /// The part.
    public var part: WiredPart
    /// The board.
    public var board: BoardReference
}

extension SuiteReader {
    /// Reads `parts`, after the boards are known.
    func readParts(_ node: Node) {
        let read = PartReader(diagnostics, partSource).parts(node, reserved: Self.reservedNames)
        (faultyParts, hasUnknownParts) = (read.faulty, read.hasUnknownNames)
        for entry in read.entries {
            guard let board = board(entry.board, for: entry.node) else {
                faultyParts.insert(entry.part.name)
                continue
            }
            for other in parts where other.board == board { check(entry.part, beside: other.part, at: entry.node) }
            parts.append(SuitePart(part: entry.part, board: board))
        }
    }

    /// The keys of `expect`, which parts cannot have as names.
    private static var reservedNames: [String] {
        ExpectationKind.all.map(\.word) + ExpectationKind.all.flatMap(\.options) + ["error"] + PartExpectation.options
    }

    /// True if a key such as `climate.temperature` begins with the name of a part, or of one that could not be read.
    func namesPart(_ key: String) -> Bool {
        func begins(_ name: String) -> Bool { key == name || key.hasPrefix(name + ".") }
        return parts.contains { begins($0.part.name) } || faultyParts.contains(where: begins)
            || hasUnknownParts && !Self.reservedNames.contains(key)
    }

    /// The folders in which people's parts are found, relative to the suite's.
    private static let partFolders = ["parts", "../parts", "../../parts"]

    /// The kind that a file `parts/NAME.yaml` describes, beside the suite or up to two folders above it.
    private func partSource(_ name: String) throws(DocumentError) -> PartKind? {
        for folder in Self.partFolders {
            let path = "\(folder)/\(name).yaml"
            if let text = try? descriptionSource?(path) { return try RegisterPartFile.kind(text, file: path) }
        }
        return nil
    }

    /// Reports two parts that exclude each other: with one address on one bus, or on pins that cannot be shared.
    private func check(_ part: WiredPart, beside other: WiredPart, at node: Node) {
        if let pin = part.conflictingPin(with: other) {
            diagnostics.report(
                "'\(part.name)' and '\(other.name)' cannot share pin \(pin): expected another one", at: node)
        }
        guard let address = part.wiring.address, address == other.wiring.address,
            [WiredPart.busPins.data, WiredPart.busPins.clock].allSatisfy({
                part.wiring.pins[$0] == other.wiring.pins[$0]
            })
        else { return }
        diagnostics.report(
            "'\(part.name)' and '\(other.name)' have the address 0x\(String(address, radix: 16)) on one bus, expected different ones",
            at: node)
    }

    /// The part that a key such as `climate.temperature` names, and the name after the point; `nil` if an error was
    /// reported, here or for the part itself.
    func part(_ key: Node) -> (part: SuitePart, name: String?)? {
        guard let text = scalars.text(key, "a part and its quantity, such as climate.temperature") else { return nil }
        let words = text.split(separator: ".", maxSplits: 1).map(String.init)
        guard let part = parts.first(where: { $0.part.name == words[0] }) else {
            if namesPart(text) { return nil }
            let known = parts.map(\.part.name)
            diagnostics.report(
                known.isEmpty
                    ? "unknown part '\(words[0])': the suite has no 'parts'"
                    : "unknown part '\(words[0])'\(Suggestion.text(for: words[0], in: known)), expected one of: \(known.list)",
                at: key)
            return nil
        }
        return (part, words.count > 1 ? words[1] : nil)
    }
}
