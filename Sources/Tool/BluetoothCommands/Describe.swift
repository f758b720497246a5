import ArgumentParser
internal import BLEDescriptions
import CommandSupport

/// `espbench describe`.
struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe",
        abstract: "List the descriptions of peripherals, print or check one.",
        discussion: """
            A description in YAML names the services and values of a peripheral. Commands that show values decode them \
            with it, suites name values with it, and 'simulate' plays such a peripheral. Without a name, lists the \
            descriptions that come with espbench; with a name, prints that one, as a start for your own; with a file, \
            checks it and shows its values.
            """)

    @Flag(help: "Print a line with a JSON object for each description.")
    var json = false

    @Argument(
        help: ArgumentHelp("A description's name or file.", valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    var description: String?

    func run() throws {
        StandardStreams.ignoreClosedPipes()
        let output = Output(Environment.process)
        let (name, isJSON) = (description, json)
        try CommandRunner.finish(output, allowsClosedPipe: true) {
            if isJSON {
                let all = try name.map { [try DescriptionFile.description($0)] } ?? PeripheralDescription.catalogue
                for description in all { output.data(try JSONLine.text(DescriptionRecord(description)) + "\n") }
                return .passed
            }
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

/// A description, as `describe --json` prints it.
private struct DescriptionRecord: Encodable {
    struct Service: Encodable {
        var uuid: String
        var name: String
        var characteristics: [Characteristic]
    }

    struct Characteristic: Encodable {
        var uuid: String
        var name: String
        var values: [Value]
    }

    struct Value: Encodable {
        var name: String
        var unit: String?
    }

    var name: String
    var title: String
    var services: [Service]

    init(_ description: PeripheralDescription) {
        (name, title) = (description.name, description.title)
        services = description.services.map { service in
            Service(
                uuid: "\(service.uuid)", name: service.name,
                characteristics: service.characteristics.map { characteristic in
                    Characteristic(
                        uuid: "\(characteristic.uuid)", name: characteristic.name,
                        values: characteristic.values.map { Value(name: $0.name, unit: $0.unit) })
                })
        }
    }
}
