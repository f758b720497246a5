import YAMLReading
internal import Yams

extension Diagram {
    /// The parts of a diagram's file: see ``PartReader/parts(diagram:file:reserved:)``.
    static func parts(
        _ text: String, file: String, reserved: [String]
    ) throws(DocumentError) -> PartReader.Parts {
        let diagnostics = DiagnosticCollector(file: file)
        guard let diagram = Diagram(text, diagnostics, remarks: DiagnosticCollector(file: file)) else {
            try diagnostics.finish()
            return PartReader.Parts(hasUnknownNames: true)
        }
        var absent: [String: String] = [:]
        var translated: [DiagramPart] = []
        for component in diagram.components where !DiagramType.neutral.contains(component.type) {
            func leaveOut(_ reason: String) {
                absent[component.id] = "\(component.type) of \(file), line \(component.node.position.line): \(reason)"
                diagram.remarks.report("'\(component.id)' is not simulated: \(reason)", at: component.node)
            }
            guard let type = DiagramType.named(component.type) else {
                leaveOut("espbench knows no part like \(component.type)")
                continue
            }
            let part = DiagramPart(component, type.kind, of: diagram, diagnostics)
            do throws(PartFault) {
                try type.translate(part)
            } catch {
                leaveOut("\(error)")
                continue
            }
            translated.append(part)
            for (name, value) in part.unknownAttributes {
                diagram.remarks.report(
                    "the attribute '\(name)' of '\(component.id)' is unknown, and has no effect", at: value)
            }
        }
        var parts = PartReader.Parts()
        if !translated.isEmpty {
            let entries = translated.map { ($0.component.name, $0.node) }
            parts = PartReader(diagnostics, nil).parts(.mapping(Node.Mapping(entries)), reserved: reserved)
        }
        for index in parts.entries.indices {
            let name = parts.entries[index].part.name
            for (quantity, value, node) in translated.first(where: { $0.component.id == name })?.quantities ?? [] {
                parts.entries[index].part.kind.begin(quantity, with: value, of: name, diagnostics, at: node)
            }
        }
        try diagnostics.finish()
        let used = parts.entries.reduce(into: Set<Int>()) { $0.formUnion($1.part.allPins) }
        for (pin, rail) in diagram.nets.pulledBoardPins where !used.contains(pin) {
            diagram.remarks.report(
                "a resistor pulls pin \(pin) of the board to \(rail.word), which is not simulated without a part there",
                at: diagram.board)
        }
        parts.absent = absent
        do throws(DocumentError) {
            try diagram.remarks.finish()
        } catch {
            parts.notes = error.diagnostics
        }
        return parts
    }
}

extension PartKind {
    /// Sets the first value of a quantity.
    fileprivate mutating func begin(
        _ name: String, with value: Double, of part: String, _ diagnostics: DiagnosticCollector, at node: Node
    ) {
        guard let index = quantities.firstIndex(where: { $0.name == name }) else { return }
        let range = quantities[index].range
        guard range.contains(value) else {
            return diagnostics.report(
                "expected '\(name)' of '\(part)' of \(range.lowerBound.decimal)...\(range.upperBound.decimal), got \(value.decimal)",
                at: node)
        }
        quantities[index].initial = value
    }
}
