import ArgumentParser
internal import BLECentral
package import BLEDescriptions
internal import ByteCodec
internal import SourceText
import YAMLReading

/// The option for the description of a peripheral.
package struct DescriptionOption: ParsableArguments {
    /// The help text for descriptions.
    package static let names = PeripheralDescription.catalogue.map(\.name).joined(separator: ", ")

    @Option(
        name: .customLong("describe"),
        help: ArgumentHelp(
            """
            The meaning of values: a description's file, or one of \(names). Repeatable. The built-in descriptions are \
            tried even if not named.
            """,
            valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    package var descriptions: [String] = []

    /// The given descriptions, followed by those included in espbench.
    ///
    /// - Throws: ``CommandFailure``.
    package func all() throws(CommandFailure) -> [PeripheralDescription] {
        try given() + PeripheralDescription.catalogue
    }

    /// The given descriptions.
    ///
    /// - Throws: ``CommandFailure``.
    package func given() throws(CommandFailure) -> [PeripheralDescription] {
        try descriptions.map { name throws(CommandFailure) in try DescriptionFile.description(name) }
    }

    package init() {}
}

/// Descriptions by name or file.
package enum DescriptionFile {
    /// Returns the texts of descriptions; paths are relative to a suite's file.
    package static func source(beside file: String) -> (_ path: String) throws -> String {
        { path in
            let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let place = path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
            guard let text = String(validating: try InputFile.read(place), as: UTF8.self) else {
                throw CommandFailure(.badInput, "\(place): expected a text in UTF-8", code: "description.invalid")
            }
            return text
        }
    }

    /// The description of that name included in espbench, or in the file at that path.
    ///
    /// - Throws: ``CommandFailure`` with exit code `badInput`.
    package static func description(_ name: String) throws(CommandFailure) -> PeripheralDescription {
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
