import Bench
import Yams

/// `reboot`: power off and on; NVS is kept or erased.
package struct RebootStep: SuiteStep {
    static let kind = StepKind(
        word: "reboot", argument: .optional,
        reference: [StepReference("`reboot`, `reboot: {nvs: erased}`", "off and on again; NVS is kept, or erased")],
        examples: ["reboot", "reboot: {nvs: erased}"],
        mistake: "reboot: {nvs: half}", read: RebootStep.read)

    package var erasesNVS: Bool

    let changesState = true

    var needs: Set<BenchAbility> { erasesNVS ? [.power, .boardStorage] : [.power] }

    func run(_ run: StepRun) async throws(BenchFailure) {
        try await run.session.reboot(erasesNVS: erasesNVS)
    }

    private static func read(_ text: StepText) -> (any SuiteStep)? {
        guard text.argument != nil else { return RebootStep(erasesNVS: false) }
        guard let fields = text.fields(of: "'reboot'", ["nvs"]),
            let nvs = fields.required("nvs", of: "'reboot'", text.diagnostics)
        else { return nil }
        switch nvs.scalar?.string {
        case "kept": return RebootStep(erasesNVS: false)
        case "erased": return RebootStep(erasesNVS: true)
        default: return text.refuse("expected kept or erased for 'nvs', got \(nvs.summary)", at: nvs)
        }
    }
}
