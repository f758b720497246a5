import BenchModel
import BenchSuites
import FirmwareBuild
import YAMLReading
import Yams

extension ProjectFile {
    /// Reads a project's file from YAML text; `file` is its name in messages. Empty text is a project in which nothing
    /// is special.
    ///
    /// - Throws: `SuiteError` with every unknown key and wrong type.
    public init(yaml: String, file: String) throws(SuiteError) {
        let diagnostics = DiagnosticCollector(file: file)
        var project = ProjectFile(file: file)
        if case .root(let root) = diagnostics.document(yaml) {
            ProjectFileReader(diagnostics: diagnostics).read(root, into: &project)
        }
        try diagnostics.finish()
        self = project
    }
}

private struct ProjectFileReader {
    let diagnostics: DiagnosticCollector

    func read(_ root: Node, into project: inout ProjectFile) {
        let known = ["sketches", "suites", "libraries", "nimble", "benches"]
        guard let fields = Fields(root, of: "a project", known: known, diagnostics) else { return }
        project.sketches = fields["sketches"].map { paths($0, "sketches") }
        project.suites = fields["suites"].map { paths($0, "suites") } ?? []
        project.libraries = fields["libraries"].map { paths($0, "libraries") }
        project.nimble = fields["nimble"].flatMap(nimble)
        if let node = fields["benches"] { project.benches = benches(node) }
    }

    private func nimble(_ node: Node) -> NimBLEChoice? {
        let choice = node.scalar.flatMap { NimBLEChoice(rawValue: $0.string) }
        if choice == nil {
            let known = NimBLEChoice.allCases.map(\.rawValue).joined(separator: " or ")
            diagnostics.report("expected 'nimble' to be \(known), got \(node.summary)", at: node)
        }
        return choice
    }

    /// One path, or a list of them.
    private func paths(_ node: Node, _ key: String) -> [ProjectFile.Path] {
        let nodes: [Node]
        switch node {
        case .scalar: nodes = [node]
        case .sequence(let sequence): nodes = Array(sequence)
        default:
            diagnostics.report("expected '\(key)' to be a list of paths, got \(node.summary)", at: node)
            return []
        }
        return nodes.compactMap { node in
            guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
                diagnostics.report("expected a path in '\(key)', got \(node.summary)", at: node)
                return nil
            }
            return ProjectFile.Path(text: scalar.string, position: node.position)
        }
    }

    private func benches(_ node: Node) -> [String: ProjectFile.Bench] {
        guard case .mapping(let mapping) = node else {
            diagnostics.report("expected 'benches' to map names to benches, got \(node.summary)", at: node)
            return [:]
        }
        var benches: [String: ProjectFile.Bench] = [:]
        for (key, value) in mapping {
            guard case .scalar(let name) = key, !name.string.isEmpty else {
                diagnostics.report("expected a name for a bench, got \(key.summary)", at: key)
                continue
            }
            if let bench = bench(name.string, value) { benches[name.string] = bench }
        }
        for (key, value) in mapping {
            guard let bench = key.scalar.flatMap({ benches[$0.string] }), bench.kind == key.scalar?.string else {
                continue
            }
            diagnostics.report("the bench '\(bench.kind)' cannot be of its own kind", at: value)
        }
        return benches
    }

    /// A bench's kind, or its kind and settings.
    private func bench(_ name: String, _ node: Node) -> ProjectFile.Bench? {
        if case .scalar(let scalar) = node, !scalar.string.isEmpty, scalar.string != HardwareEntry.kind {
            return ProjectFile.Bench(kind: scalar.string)
        }
        let isHardware = Self.kind(node) == HardwareEntry.kind
        let known = ["kind", "seed"] + (isHardware ? HardwareEntryReader.keys : [])
        guard let fields = Fields(node, of: "a bench", known: known, diagnostics) else { return nil }
        guard let kind = fields.required("kind", of: "the bench", diagnostics) else { return nil }
        guard case .scalar(let kindName) = kind, !kindName.string.isEmpty else {
            diagnostics.report("expected a kind of bench, got \(kind.summary)", at: kind)
            return nil
        }
        var bench = ProjectFile.Bench(kind: kindName.string)
        if isHardware {
            guard let entry = HardwareEntryReader(diagnostics: diagnostics).entry(name, fields) else { return nil }
            bench.hardware = entry
        }
        if let node = fields["seed"] {
            bench.seed = node.scalar.flatMap { UInt64($0.string) }
            if bench.seed == nil {
                diagnostics.report("expected a seed of 0 to \(UInt64.max), got \(node.summary)", at: node)
            }
        }
        return bench
    }

    /// The kind that a bench's settings name, read ahead of its other keys.
    private static func kind(_ node: Node) -> String? { node.mapping?["kind"]?.scalar?.string }
}
