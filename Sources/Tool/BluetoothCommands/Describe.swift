import ArgumentParser
internal import BLEDescriptions
import CommandSupport

/// `espbench describe`.
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the descriptions of peripherals, print or check one.",
        discussion: """
            A description in YAML names the services and values of a peripheral. Commands that show values decode them \
            with it, suites name values with it, and 'simulate' plays such a peripheral. Without a name, lists the \
            descriptions that come with espbench; with a name, prints that one, as a start for your own; with a file, \
            checks it and shows its values.
            """)

    @Argument(
        help: ArgumentHelp("A description's name or file.", valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    var description: String?

    func run() throws {
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        let name = description
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            guard let name else {
                output.data(Self.list)
                return .passed
            }
            if let text = PeripheralDescription.cataloguedText(name) {
                output.data(text)
            } else {
                output.data(Self.summary(try DescriptionFile.description(name)))
            }
            return .passed
        }
    }

    private static var list: String {
        let all = PeripheralDescription.catalogue
        let width = all.map(\.name.count).max() ?? 0
        return all.map { description in
            let name = description.name + String(repeating: " ", count: width - description.name.count)
            return "\(name)  \(description.title)\n"
        }.joined()
    }

    /// A line for each characteristic, with its values.
    private static func summary(_ description: PeripheralDescription) -> String {
        var lines = ["\(description.name): \(description.title)"]
        for service in description.services {
            lines.append("service \(service.uuid) \(service.name)")
            for characteristic in service.characteristics {
                let values = characteristic.values.map { value in
                    value.unit.map { "\(value.name) (\($0))" } ?? value.name
                }
                let list = values.isEmpty ? "" : ": \(values.joined(separator: ", "))"
                lines.append("  \(characteristic.uuid) \(characteristic.name)\(list)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
