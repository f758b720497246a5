import ByteCodec

/// Why bytes are not a valid image, descriptor, table or layout.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A code by name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The first byte is not `E9`, or the descriptor or entry does not begin with its magic.
        public static let badMagic = Code(rawValue: "badMagic")
        /// The image is for another chip.
        public static let wrongChip = Code(rawValue: "wrongChip")
        /// The bytes end before the image does.
        public static let truncated = Code(rawValue: "truncated")
        /// The header or a segment contains a value that is not allowed.
        public static let invalidField = Code(rawValue: "invalidField")
        /// The chip has no memory at the address of a segment.
        public static let segmentOutOfRange = Code(rawValue: "segmentOutOfRange")
        /// The offset of a flash-mapped segment does not match its address.
        public static let segmentMisaligned = Code(rawValue: "segmentMisaligned")
        /// The checksum over the segments is wrong.
        public static let checksum = Code(rawValue: "checksum")
        /// The SHA-256 digest over the image is wrong.
        public static let hash = Code(rawValue: "hash")
        /// The MAC of a host program is wrong: built with another key, or modified.
        public static let authentication = Code(rawValue: "authentication")
        /// A partition does not fit: overlap, alignment or size.
        public static let layout = Code(rawValue: "layout")
        /// A region ends beyond the largest flash.
        public static let beyondFlash = Code(rawValue: "beyondFlash")
        /// The text of a partition table has a syntax error.
        public static let syntax = Code(rawValue: "syntax")
        /// The text of an Intel HEX file has an error.
        public static let hexFile = Code(rawValue: "hexFile")
    }

    /// The kind of fault.
    public var code: Code
    /// The part that was being read, e.g. "segment 2".
    public var subject: String
    /// The expected and the found content.
    public var detail: String

    /// An error in `subject`.
    public init(_ code: Code, _ subject: String, _ detail: String) {
        self.code = code
        self.subject = subject
        self.detail = detail
    }

    /// The error of a decoder: bytes were missing, or a value was not allowed.
    init(_ error: CodecError) {
        switch error.code {
        case .truncated: self.init(.truncated, error.subject, error.detail)
        case .trailing, .invalidValue: self.init(.invalidField, error.subject, error.detail)
        }
    }

    /// One line: the subject and the detail.
    public var description: String { "\(subject): \(detail)" }
}

/// `value` as `0x` and at least `digits` digits.
package func hexadecimal(_ value: some UnsignedInteger & FixedWidthInteger, digits: Int = 1) -> String {
    Hexadecimal.number(value, digits: digits)
}
