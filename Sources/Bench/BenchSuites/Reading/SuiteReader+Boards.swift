import BenchModel
import YAMLReading
import Yams

/// The boards of a suite, and the steps' choice among them.
extension SuiteReader {
    /// Each board is a process of its own, and on hardware a device.
    private static let maximumBoards = 8
    /// Reserved names: other sources of events, and the default central.
    private static let otherNames: Set<String> = [board, "suite", "console", defaultCentral]

    /// Reads `boards`: names of boards with the boards' sketches, or with a sketch and parts.
    func readBoards(_ node: Node) {
        guard case .mapping(let mapping) = node, !mapping.isEmpty else {
            hasUnknownBoards = true
            return diagnostics.report(
                "expected 'boards' to map names to sketches, such as {server: Lamp, client: Remote}, got "
                    + (node.mapping == nil ? node.summary : "none"), at: node)
        }
        for (key, value) in mapping {
            guard let name = boardName(key), let (sketch, parts) = board(value) else {
                hasUnknownBoards = true
                continue
            }
            if let parts { boardParts.append((parts, BoardReference(index: boards.count))) }
            boards.append(SuiteBoard(name: name, reference: sketch))
        }
        if mapping.count > Self.maximumBoards {
            diagnostics.report("expected at most \(Self.maximumBoards) boards, got \(mapping.count)", at: node)
        }
    }

    /// A board's sketch, and its parts.
    private func board(_ node: Node) -> (sketch: SketchReference, parts: Node?)? {
        var (sketch, parts): (Node?, Node?) = (node, nil)
        if case .mapping = node {
            guard let fields = Fields(node, of: "a board", known: ["sketch", "parts"], diagnostics) else { return nil }
            sketch = fields.required("sketch", of: "a board", diagnostics)
            parts = fields["parts"]
        }
        guard let sketch, let name = scalars.text(sketch, "a sketch") else { return nil }
        return (SketchReference(name: name, position: sketch.position), parts)
    }

    private func boardName(_ key: Node) -> String? {
        guard let name = key.scalar?.string, TagReader.isTag(name) else {
            diagnostics.report(
                "expected a board's name of letters, digits, '_', '-' and '.', got \(key.summary)", at: key)
            return nil
        }
        guard !Self.otherNames.contains(name) else {
            diagnostics.report("a board cannot be named '\(name)', expected another name", at: key)
            return nil
        }
        return name
    }

    /// True if a step must name its board.
    var hasSeveralBoards: Bool { boards.count > 1 }

    /// The board of this name; reports an error if there is none.
    private func named(_ node: Node) -> BoardReference? {
        guard let name = scalars.text(node, "a board's name") else { return nil }
        if let index = boards.firstIndex(where: { $0.name == name }) { return BoardReference(index: index) }
        if hasUnknownBoards { return BoardReference(index: 0) }
        let known = boards.map(\.name)
        diagnostics.report(
            boards.isEmpty
                ? "unknown board '\(name)': the suite names no boards, expected 'boards: {\(name): …}' in place of 'sketch'"
                : "unknown board '\(name)'\(Suggestion.text(for: name, in: known)), expected one of: \(known.list)",
            at: node)
        return nil
    }

    /// The board that a step optionally names; a faulty name is reported.
    func namedBoard(_ node: Node?) -> BoardReference? { node.flatMap(named) }

    /// The board of a step: the board that it names, the suite's default board, or the only board; `nil` if an error
    /// was reported.
    ///
    /// - Parameter form: the syntax with which such a step names a board, with `NAME` in place of the name.
    func board(_ node: Node?, for step: Node, form: String = "board: NAME") -> BoardReference? {
        if let node { return named(node) }
        if let defaultBoard { return defaultBoard }
        guard hasSeveralBoards, !hasUnknownBoards, let first = boards.first else { return BoardReference(index: 0) }
        diagnostics.report(
            "the suite has several boards, expected which one, as in '\(form.replacing("NAME", with: first.name))', "
                + "one of: \(boards.map(\.name).list)", at: step)
        return nil
    }

    /// The board with a name that may also be e.g. a central's; `nil`: no board has this name.
    func boardReference(named name: String?) -> BoardReference? {
        boards.firstIndex { $0.name == name }.map(BoardReference.init(index:))
    }
}

extension StepText {
    /// The board of a step without other required arguments: its name under `board`; without a name, the default board.
    func onlyBoard(_ fields: Fields?, form: String) -> BoardReference? {
        if let argument, case .scalar = argument { return reader.board(argument, for: node) }
        return reader.board(fields?["board"], for: node, form: form)
    }
}
