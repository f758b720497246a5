import SourceText

/// The name of a value or a characteristic with that of its service: `humidity.relative`.
struct ValuePath {
    let service: String
    let rest: String

    /// - Throws: `unknownName` when it does not have two parts.
    init(_ text: String, in description: PeripheralDescription) throws(DescriptionError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
            let services = description.services.map(\.name)
            throw DescriptionError(
                .unknownName,
                "\(description.name): expected SERVICE.VALUE, got '\(text)'\(Suggestion.text(for: text, in: services)); services: \(services.list)"
            )
        }
        (service, rest) = (String(parts[0]), String(parts[1]))
    }
}
