import Bench
import BLEDescriptions
import YAMLReading
import Yams

/// `simulate`: simulates a described peripheral beside the board, or sets its values.
struct SimulateStep: SuiteStep {
    static let kind = StepKind(
        word: "simulate", argument: .required,
        reference: [
            StepReference(
                "`simulate: sensortag`, `{play: sensortag, name: Tag, set: {humidity.relative: 40.2}}`",
                """
                plays the peripheral of a description beside the board until the end of the case; `set` has the format \
                of `simulated` in a description: a value, or a wave such as `{sine: [20, 30], every: 60 s}`
                """),
            StepReference(
                "`simulate: {set: {keys.left: 1}, of: sensortag}`",
                "sets values of a peripheral that is played; without `of`: of the suite's first description"),
        ],
        examples: [
            "simulate: battery", "simulate: {play: battery, name: Cell, set: {battery.level: 40}}",
            "simulate: {set: {battery.level: {ramp: [0, 100], every: 10 s}}, of: battery}",
        ],
        mistake: "simulate: {set: {battery.levle: 40}, of: battery}", read: SimulateStep.read)

    var description: PeripheralDescription
    /// True if the step starts the simulation; false if it changes a running one.
    var begins: Bool
    var name: String?
    var values: [(path: String, wave: Wave)]

    let changesState = true

    var needs: Set<BenchAbility> { [.simulation] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        if begins {
            try await run.session.simulate(description, name: name, values: values)
        } else {
            try await run.session.setSimulated(values, of: description.name)
        }
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        let (node, reader) = (text.value, text.reader)
        if case .scalar = node {
            return reader.description(named: node).map {
                SimulateStep(description: $0, begins: true, name: nil, values: [])
            }
        }
        guard let fields = text.fields(of: "'simulate'", ["play", "name", "set", "of"]) else { return nil }
        if let play = fields["play"], fields["of"] != nil {
            return text.refuse("'simulate' takes 'play' or 'of', got both", at: play)
        }
        if fields["play"] == nil, fields["set"] == nil {
            return text.refuse("'simulate' lacks what to do, expected 'play' or 'set'", at: node)
        }
        let named = (fields["play"] ?? fields["of"]).map { reader.description(named: $0) } ?? reader.descriptions.first
        guard let description = named else {
            if fields["play"] == nil, fields["of"] == nil {
                text.diagnostics.report("'simulate' needs 'of', or the suite's 'description'", at: node)
            }
            return nil
        }
        let values = fields["set"].map { Self.values($0, description, reader) } ?? []
        guard let values else { return nil }
        return SimulateStep(
            description: description, begins: fields["play"] != nil,
            name: fields["name"].flatMap { text.scalars.text($0, "a device name") }, values: values)
    }

    private static func values(
        _ node: Node, _ description: PeripheralDescription, _ reader: SuiteReader
    ) -> [(path: String, wave: Wave)]? {
        guard case .mapping(let mapping) = node else {
            reader.diagnostics.report("expected 'set' to map values to contents, got \(node.summary)", at: node)
            return nil
        }
        let values = mapping.map { key, value in
            (key.scalar?.string ?? "", description.wave(value, of: key, reader.diagnostics))
        }
        return values.contains { $0.1 == nil } ? nil : values.compactMap { path, wave in wave.map { (path, $0) } }
    }
}
