internal import BLECentral
import BLEAssignedNumbers
internal import BLEDescriptions
internal import ByteCodec

/// A value of a peer, as `read` and `notify` print it with `--json`.
struct ValueRecord: Codable, Hashable, Sendable {
    var service: String
    var characteristic: String
    var descriptor: String?
    var name: String?
    var handle: UInt16?
    /// Hexadecimal digits.
    var value: String
    /// What the value is as text, if it is printable.
    var text: String?
    /// What a description says of the value.
    var decoded: [DecodedRecord]?
    /// Of a notification: seconds since the subscription.
    var time: Double?
    /// Of a notification: whether it was an indication.
    var isIndication: Bool?

    /// The value of `place`.
    init(_ place: FoundAttribute, _ bytes: [UInt8], _ interpreter: inout ValueInterpreter) {
        service = "\(place.service.uuid)"
        characteristic = "\(place.characteristic.uuid)"
        descriptor = place.descriptor.map { "\($0.uuid)" }
        name =
            place.descriptor.map { AssignedNumbers.descriptor($0.uuid) }
            ?? AssignedNumbers.characteristic(place.characteristic.uuid)
        handle = place.handle
        value = Hexadecimal.string(bytes)
        text = ShownValue.text(bytes)
        decoded = interpreter.reading(bytes, of: place)?.values.map(DecodedRecord.init)
    }
}

extension ValueInterpreter {
    /// What a value of a characteristic means; `nil` for descriptors, and when it is not described.
    mutating func text(_ bytes: [UInt8], of place: FoundAttribute) -> String? {
        place.descriptor == nil ? text(bytes, of: place.characteristic.uuid, in: place.service.uuid) : nil
    }

    /// The decoded value; `nil` when it is not described, or not as described.
    fileprivate mutating func reading(_ bytes: [UInt8], of place: FoundAttribute) -> DescribedReading? {
        guard place.descriptor == nil else { return nil }
        return try? reading(bytes, of: place.characteristic.uuid, in: place.service.uuid)
    }
}
