public import BenchModel
import BenchSuites
public import FirmwareBuild
import YAMLReading
import Yams

/// A project's `espbench.yaml`: the places of its sketches, suites and libraries, and its benches. All keys are
/// optional.
public struct ProjectFile: Hashable, Sendable {
    /// The file's names, in order of preference.
    public static let names = ["espbench.yaml", ".espbench.yaml"]

    /// A path or pattern, and its place in the file.
    public struct Path: Hashable, Sendable {
        /// The path as written; relative to the file's folder.
        public var text: String
        /// The path's place in the file.
        public var position: SourcePosition
    }

    /// A bench to which the project gives a name.
    public struct Bench: Hashable, Sendable {
        /// The kind of bench, or the name of another bench of the project.
        public var kind: String
        /// The seed of all random numbers; `nil`: the kind's seed.
        public var seed: UInt64?
        /// The parts of a bench of kind `hardware`; `nil` for other kinds.
        public var hardware: HardwareEntry?

        /// A bench.
        public init(kind: String, seed: UInt64? = nil, hardware: HardwareEntry? = nil) {
            self.kind = kind
            self.seed = seed
            self.hardware = hardware
        }
    }

    /// The file, as it is named in messages.
    public var file: String
    /// Folders of sketches; `nil`: every sketch in the project's folder.
    public var sketches: [Path]?
    /// Files and folders of suites, in addition to those beside sketches.
    public var suites: [Path] = []
    /// Folders of libraries; `nil`: `libraries`, if that folder exists.
    public var libraries: [Path]?
    /// The NimBLE library that sketches are built with; `nil`: depends on what is installed.
    public var nimble: NimBLEChoice?
    /// Benches by name; `default` is used when the user names no bench.
    public var benches: [String: Bench] = [:]

    /// The bench called `name`, with references to other `benches` resolved: the kind comes from the last of them, the
    /// seed from the first that has one. `nil`: no bench has that name.
    public static func bench(_ name: String, in benches: [String: Bench]) -> Bench? {
        guard var bench = benches[name] else { return nil }
        // At most one step per name: references may form a circle.
        for _ in benches {
            guard let next = benches[bench.kind] else { break }
            bench = Bench(kind: next.kind, seed: bench.seed ?? next.seed, hardware: next.hardware)
        }
        return bench
    }
}

extension ProjectFile {
    /// Reads a project's file from YAML text; `file` is its name in messages. An empty text is a project with default
    /// settings.
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

    /// Reads a bench: its kind alone, or its kind and settings.
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

    /// The kind in a bench's settings, read before the other keys.
    private static func kind(_ node: Node) -> String? { node.mapping?["kind"]?.scalar?.string }
}

/// Why a project, a sketch or a suite was not found.
public struct ProjectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Code: String, Hashable, Sendable {
        /// The project's file is faulty or cannot be read.
        case invalidProject
        /// No project exists at the given place.
        case noProject
        /// No sketch was found for a name or a path.
        case noSketch
        /// Several sketches have the given name, or no name was given and there are several sketches.
        case ambiguousSketch
        /// No suite was found.
        case noSuite
        /// A folder could not be read.
        case fileSystem
    }

    /// The kind of fault.
    public var code: Code
    /// One line: the file that was searched for, the folder, and the result; for a faulty file one line for each fault.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
