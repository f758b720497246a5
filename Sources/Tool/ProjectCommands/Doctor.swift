import ArgumentParser
import CommandSupport

/// `espbench doctor`.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what this machine has for virtual boards, real boards and Bluetooth.",
        discussion: """
            Reports for each item whether it is present, and how to fix it. Changes nothing. Fails with exit code \
            \(ExitReason.missing.rawValue) if an item needed for virtual boards, or for the areas of --for, is \
            missing; other missing items are only shown.
            """)

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The area to check: \(DoctorArea.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.",
            valueName: "area"))
    var areas: [DoctorArea] = []

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let (areas, json) = (Set(areas.isEmpty ? [.virtual] : areas), json)
        try CommandRunner.run(output) { _ in
            let report = await DoctorReport(Machine(environment), needed: areas)
            output.data(json ? try JSONLine.text(report.records) + "\n" : report.text)
            return report.isHealthy ? .passed : .missing
        }
    }
}

extension DoctorArea: ExpressibleByArgument {}
