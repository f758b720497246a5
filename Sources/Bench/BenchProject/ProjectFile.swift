public import BenchModel
public import FirmwareBuild

/// A project's `espbench.yaml`: where its sketches, suites and libraries are, and its benches. All keys are optional.
public struct ProjectFile: Hashable, Sendable {
    /// The file's names, in order of preference.
    public static let names = ["espbench.yaml", ".espbench.yaml"]

    /// A path or pattern, and its place in the file.
    public struct Path: Hashable, Sendable {
        /// As written; relative to the file's folder.
        public var text: String
        /// Where it is.
        public var position: SourcePosition
    }

    /// A bench under a name of the project's.
    public struct Bench: Hashable, Sendable {
        /// The kind of bench, or the name of another one of the project.
        public var kind: String
        /// The seed of all random numbers; `nil`: the kind's.
        public var seed: UInt64?
        /// What a bench of kind `hardware` is made of; `nil` for others.
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
    /// Folders of libraries; `nil`: `libraries`, if there is one.
    public var libraries: [Path]?
    /// Which NimBLE sketches are built with; `nil`: what is installed decides.
    public var nimble: NimBLEChoice?
    /// Benches by name; `default` is used when none is named.
    public var benches: [String: Bench] = [:]

    /// The bench called `name`: its kind is no name of `benches`, and its seed the first one on the way there. `nil` when
    /// there is none of that name.
    public static func bench(_ name: String, in benches: [String: Bench]) -> Bench? {
        guard var bench = benches[name] else { return nil }
        // At most as often as there are names: they may lead in a circle.
        for _ in benches {
            guard let next = benches[bench.kind] else { break }
            bench = Bench(kind: next.kind, seed: bench.seed ?? next.seed, hardware: next.hardware)
        }
        return bench
    }
}
