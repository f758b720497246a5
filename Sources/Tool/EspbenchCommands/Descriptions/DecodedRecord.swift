internal import BLEDescriptions
internal import ByteCodec

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
