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
    /// Reads an entry `parts`, after the boards are known: of the suite, or of one of its boards.
    func readParts(_ node: Node, of owner: BoardReference?) {
        let isDiagram = node.scalar != nil
        guard
            let read = isDiagram
                ? diagram(node) : PartReader(diagnostics, partSource).parts(node, reserved: Self.reservedNames)
        else {
            hasUnknownParts = true
            return
        }
        faultyParts.formUnion(read.faulty.flatMap { names($0, of: owner) })
        hasUnknownParts = hasUnknownParts || read.hasUnknownNames
        notes += read.notes
        let form = isDiagram ? "boards: {NAME: {sketch: …, parts: diagram.json}}" : "board: NAME"
        for (name, reason) in read.absent {
            for name in names(name, of: owner ?? (hasSeveralBoards ? defaultBoard : nil)) { absentParts[name] = reason }
        }
        var hasBoard = true
        for entry in read.entries where hasBoard {
            let (name, place) = (entry.part.name, isDiagram ? node : entry.node)
            if let own = entry.board, let owner {
                diagnostics.report(
                    "'\(name)' belongs to the board '\(boards[owner.index].name)': remove 'board'", at: own)
            }
            guard let board = owner ?? board(entry.board, for: place, form: form) else {
                faultyParts.insert(name)
                // A diagram has one board.
                if isDiagram { (hasBoard, hasUnknownParts) = (false, true) }
                continue
            }
            if boards.contains(where: { $0.name == name }) {
                diagnostics.report("a part cannot be named '\(name)', as a board is: expected another name", at: place)
            }
            for other in parts where other.board == board { check(entry.part, beside: other.part, at: place) }
            parts.append(SuitePart(part: entry.part, board: board))
        }
    }

    /// The names of a part in steps: its own, and after the name of its board.
    private func names(_ part: String, of board: BoardReference?) -> [String] {
        [part]
            + (board.flatMap { boards.indices.contains($0.index) ? boards[$0.index].name : nil }.map {
                ["\($0).\(part)"]
            } ?? [])
    }

    /// The parts of a diagram of Wokwi, a file beside the suite; `nil` if a fault was reported.
    private func diagram(_ node: Node) -> PartReader.Parts? {
        guard let path = scalars.text(node, "a mapping of parts, or a file such as diagram.json") else { return nil }
        guard path.hasSuffix(".json"), let descriptionSource else {
            diagnostics.report(
                "expected 'parts' to map names to parts, or to be a file such as diagram.json, got \(node.summary)",
                at: node)
            return nil
        }
        do {
            return try PartReader.parts(diagram: descriptionSource(path), file: path, reserved: Self.reservedNames)
        } catch let error as DocumentError {
            for fault in error.diagnostics { diagnostics.report("\(fault)", at: node) }
        } catch {
            diagnostics.report("\(error)", at: node)
        }
        return nil
    }

    /// The keys of `expect`, which parts cannot have as names.
    private static var reservedNames: [String] {
        ExpectationKind.all.map(\.word) + ExpectationKind.all.flatMap(\.options) + ["error"] + PartExpectation.options
    }

    /// True if a key such as `climate.temperature` begins with the name of a part, or of one that could not be read.
    func namesPart(_ key: String) -> Bool {
        func begins(_ name: String) -> Bool { key == name || key.hasPrefix(name + ".") }
        return parts.contains { names($0.part.name, of: $0.board).contains(where: begins) }
            || faultyParts.contains(where: begins) || absentParts.keys.contains(where: begins)
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

    /// Reports two parts that exclude each other: with one name, with one address on one bus, or on pins that cannot be
    /// shared.
    private func check(_ part: WiredPart, beside other: WiredPart, at node: Node) {
        if part.name == other.name {
            diagnostics.report("a board has two parts named '\(part.name)', expected different names", at: node)
        }
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

    /// The part that a key such as `climate.temperature` names, and the name after the point; the name of its board may
    /// be before it. `nil` if an error was reported, here or for the part itself.
    func part(_ key: Node) -> (part: SuitePart, name: String?)? {
        guard let text = scalars.text(key, "a part and its quantity, such as climate.temperature") else { return nil }
        let board = boards.firstIndex { text.hasPrefix($0.name + ".") }
        let rest = board.map { String(text.dropFirst(boards[$0].name.count + 1)) } ?? text
        let words = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let candidates = board.map { board in parts.filter { $0.board.index == board } } ?? parts
        let found = candidates.filter { $0.part.name == words[0] }
        // Another board may have a part of this name that is not simulated.
        let others =
            board != nil
            ? []
            : boards.indices.filter { index in
                absentParts["\(boards[index].name).\(words[0])"] != nil && !found.contains { $0.board.index == index }
            }
        if found.count == 1, others.isEmpty { return (found[0], words.count > 1 ? words[1] : nil) }
        let whole = board.map { "\(boards[$0].name).\(words[0])" } ?? words[0]
        guard found.isEmpty else {
            let forms = (found.map(\.board) + others.map(BoardReference.init(index:))).map {
                names(words[0], of: $0).last ?? words[0]
            }
            diagnostics.report("several boards have a part '\(words[0])', expected one of: \(forms.list)", at: key)
            return nil
        }
        if let reason = absentParts[whole] {
            diagnostics.report("'\(whole)' is not simulated: \(reason)", at: key)
            return nil
        }
        if namesPart(text) { return nil }
        let known = candidates.map(\.part.name)
        diagnostics.report(
            known.isEmpty
                ? "unknown part '\(whole)': the \(board == nil ? "suite" : "board") has no 'parts'"
                : "unknown part '\(whole)'\(Suggestion.text(for: words[0], in: known)), expected one of: \(known.list)",
            at: key)
        return nil
    }
}
