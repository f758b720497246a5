/// The decoded value of a characteristic.
public struct DescribedReading: Sendable {
    /// What is known of the characteristic.
    public let characteristic: CharacteristicDescription
    /// What each of its described values holds; `nil` when it is not present.
    let contents: [DescribedContent?]

    /// The values that are present, in the order of the description.
    public var values: [DescribedValue] { contents.indices.compactMap(value(at:)) }

    package func value(at index: Int) -> DescribedValue? {
        guard let content = contents[index] else { return nil }
        let (service, value) = (characteristic.path.prefix { $0 != "." }, characteristic.values[index])
        return DescribedValue(description: value, path: "\(service).\(value.name)", content: content)
    }

    /// What the value of that name holds; `nil` when it is not present, or not described.
    public subscript(name: String) -> DescribedContent? {
        characteristic.values.firstIndex { $0.name == name }.flatMap { contents[$0] }
    }

    /// All values in a line for people: `temperature 24.8 °C, relative 40.2 %`. Without its name when it is the only one.
    public var text: String {
        let values = values
        return values.map { values.count == 1 ? $0.text : "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
}
