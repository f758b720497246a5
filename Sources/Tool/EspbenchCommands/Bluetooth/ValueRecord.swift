internal import BLECentral
import BLEAssignedNumbers
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
    /// Of a notification: seconds since the subscription.
    var time: Double?
    /// Of a notification: whether it was an indication.
    var isIndication: Bool?

    /// The value of `place`.
    init(_ place: FoundAttribute, _ bytes: [UInt8]) {
        service = "\(place.service.uuid)"
        characteristic = "\(place.characteristic.uuid)"
        descriptor = place.descriptor.map { "\($0.uuid)" }
        name =
            place.descriptor.map { AssignedNumbers.descriptor($0.uuid) }
            ?? AssignedNumbers.characteristic(place.characteristic.uuid)
        handle = place.handle
        value = Hexadecimal.string(bytes)
        text = ShownValue.text(bytes)
    }
}
