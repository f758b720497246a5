import ArgumentParser
internal import BLECentral
internal import BLEDescriptions
internal import ByteCodec
internal import SourceText
import YAMLReading

/// The description of a peripheral that a command is given.
struct DescriptionOption: ParsableArguments {
    /// What the help says about descriptions.
    static let names = PeripheralDescription.catalogue.map(\.name).joined(separator: ", ")

    @Option(
        name: .customLong("describe"),
        help: ArgumentHelp(
            "What the values mean: a description's file, or one of \(names). Repeatable; those named are also tried without.",
            valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    var descriptions: [String] = []

    /// The descriptions that were given, and then those that come with espbench.
    ///
    /// - Throws: ``CommandFailure``.
    func all() throws(CommandFailure) -> [PeripheralDescription] { try given() + PeripheralDescription.catalogue }

    /// The descriptions that were given.
    ///
    /// - Throws: ``CommandFailure``.
    func given() throws(CommandFailure) -> [PeripheralDescription] {
        try descriptions.map { name throws(CommandFailure) in try DescriptionFile.description(name) }
    }
}

/// Descriptions by name or file.
enum DescriptionFile {
    /// The texts of descriptions whose paths are relative to a suite's file.
    static func source(beside file: String) -> (_ path: String) throws -> String {
        { path in
            let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let place = path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
            guard let text = String(validating: try InputFile.read(place), as: UTF8.self) else {
                throw CommandFailure(.badInput, "\(place): expected a text in UTF-8", code: "description.invalid")
            }
            return text
        }
    }

    /// The description of that name among those that come with espbench, or in the file of that path.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    static func description(_ name: String) throws(CommandFailure) -> PeripheralDescription {
        if let description = PeripheralDescription.catalogued(name) { return description }
        let known = PeripheralDescription.catalogue.map(\.name)
        guard name.contains(".") || name.contains("/") else {
            throw CommandFailure(
                .badInput,
                "expected a description's file or one of \(known.joined(separator: ", ")), got '\(name)'"
                    + Suggestion.text(for: name, in: known),
                code: "description.unknown")
        }
        let bytes = try InputFile.read(name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badInput, "\(name): expected a text in UTF-8", code: "description.invalid")
        }
        do throws(DocumentError) {
            return try PeripheralDescription(yaml: text, file: name)
        } catch {
            throw CommandFailure(.badInput, error.description, code: "description.invalid")
        }
    }
}

/// A value that a description names, as commands print it with `--json`.
struct DecodedRecord: Codable, Hashable, Sendable {
    /// The names of service and value.
    var name: String
    /// A number; of true and false 1 and 0.
    var number: Double?
    /// The numbers of a list.
    var numbers: [Double]?
    /// The unit.
    var unit: String?
    /// As people read it.
    var text: String

    init(_ value: DescribedValue) {
        name = value.path
        // Not a number and infinity are no JSON.
        number = value.number.flatMap { $0.isFinite ? $0 : nil }
        if case .list(let list) = value.content { numbers = list.compactMap(\.number).filter(\.isFinite) }
        unit = value.unit
        text = value.text
    }
}

/// What descriptions say of the values that were read of a peer.
struct DecodedValues {
    /// The values that are as described.
    private(set) var readings: [AttributeID: DescribedReading] = [:]
    /// What the values mean, or why they are not as described.
    private(set) var texts: [AttributeID: String] = [:]

    init(
        _ services: [DiscoveredService], _ values: [AttributeID: ReadOutcome], _ descriptions: [PeripheralDescription]
    ) {
        var interpreter = ValueInterpreter(descriptions, services: services.map(\.uuid))
        // Coefficients and registers first: other values need them.
        for isLast in [false, true] {
            for service in services {
                for characteristic in service.characteristics {
                    guard case .value(let bytes)? = values[characteristic.value] else { continue }
                    let (uuid, value) = (characteristic.uuid, characteristic.value)
                    readings[value] = try? interpreter.reading(bytes, of: uuid, in: service.uuid)
                    if isLast { texts[value] = interpreter.text(bytes, of: uuid, in: service.uuid) }
                }
            }
        }
    }
}
