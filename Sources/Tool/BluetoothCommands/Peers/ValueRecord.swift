import BenchModel
import BLEAssignedNumbers
internal import BLECentral
internal import BLEDescriptions
internal import ByteCodec
import CommandSupport

/// A value of a peer, as `read --json` and `notify --json` print it.
struct ValueRecord: Codable, Hashable, Sendable {
    var service: String
    var characteristic: String
    var descriptor: String?
    var name: String?
    var handle: UInt16?
    /// Hexadecimal digits.
    var value: String
    /// The value as text, if it is printable.
    var text: String?
    /// The value decoded by a description.
    var decoded: [DecodedRecord]?
    /// For a notification: seconds since the subscription.
    var time: Double?
    /// For a notification: true if it was an indication.
    var isIndication: Bool?
    /// For a notification: true if no longer one fits into the MTU.
    var mayBeCut: Bool?

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
        text = ShownValue.text(bytes) ?? place.descriptor.flatMap { DescriptorText.text(bytes, of: $0.uuid) }
        decoded = interpreter.reading(bytes, of: place)?.values.map(DecodedRecord.init)
    }
}

extension ValueInterpreter {
    /// The meaning of a value; `nil` for values without a description.
    package mutating func text(_ bytes: [UInt8], of place: FoundAttribute) -> String? {
        if let descriptor = place.descriptor { return DescriptorText.text(bytes, of: descriptor.uuid) }
        return text(bytes, of: place.characteristic.uuid, in: place.service.uuid)
    }

    /// The decoded value; `nil` without a description, or if the value does not match its description.
    fileprivate mutating func reading(_ bytes: [UInt8], of place: FoundAttribute) -> DescribedReading? {
        guard place.descriptor == nil else { return nil }
        return try? reading(bytes, of: place.characteristic.uuid, in: place.service.uuid)
    }
}

/// A value to write, as users type it: words such as `0102`, `text:on`, `u16:500,-1` or `file:PATH`, one after the other.
package struct WrittenValue: Hashable, Sendable {
    /// The longest attribute value (Core 5.4, Vol 3 Part F 3.2.9).
    static let longest = 512

    /// The help text for values.
    package static let help = "hex digits such as 0102, text:TEXT, u8:NUMBER, u16:, i32:, f32:, …, or file:PATH"

    /// The bytes.
    package let bytes: [UInt8]

    /// The bytes of all `words`.
    ///
    /// - Throws: ``CommandFailure`` for a word that is not a value, and for more than 512 bytes.
    package init(_ words: [String]) throws(CommandFailure) {
        var bytes: [UInt8] = []
        for word in words { bytes += try Self.bytes(word) }
        guard bytes.count <= Self.longest else {
            throw CommandFailure(
                .usage, "expected a value of at most \(Self.longest) bytes, got \(bytes.count)",
                code: "central.longValue")
        }
        self.bytes = bytes
    }

    private static func bytes(_ word: String) throws(CommandFailure) -> [UInt8] {
        guard let colon = word.firstIndex(of: ":") else { return try bytes(word[...], .hex, word) }
        let (name, rest) = (word[..<colon], word[word.index(after: colon)...])
        if name == "file" { return try InputFile.read(String(rest)) }
        if let kind = ValueKind(name) { return try bytes(rest, kind, word) }
        return try bytes(word[...], .hex, word)
    }

    private static func bytes(
        _ text: Substring, _ kind: ValueKind, _ word: String
    ) throws(CommandFailure) -> [UInt8] {
        guard let bytes = kind.bytes(of: text) else {
            throw CommandFailure(.usage, "expected \(kind.expectation), got '\(word)'", code: "central.value")
        }
        return bytes
    }
}
