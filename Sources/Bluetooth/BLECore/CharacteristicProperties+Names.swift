extension CharacteristicProperties {
    /// Every property with the name suites and reports give it.
    public static let named: [(name: String, property: CharacteristicProperties)] = [
        ("broadcast", .broadcast), ("read", .read), ("write without response", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("signed write", .authenticatedSignedWrites), ("extended", .extendedProperties),
    ]

    /// The names of the properties, separated by commas.
    public var names: String { names(separator: ", ") }

    package func names(separator: String) -> String {
        Self.named.filter { contains($0.property) }.map(\.name).joined(separator: separator)
    }
}
