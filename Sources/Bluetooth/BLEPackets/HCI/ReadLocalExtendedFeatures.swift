public import ByteCodec

/// Reads one page of the LMP features (Core 5.4, Vol 4 Part E 7.4.4).
public struct HCIReadLocalExtendedFeatures: HCICommand {
    /// The opcode.
    public static let opcode = HCIOpcode.readLocalExtendedFeatures
    /// The name in errors.
    public static let name: StaticString = "HCI Read Local Extended Features"

    /// The page.
    public var page: UInt8

    /// The command with these parameters.
    public init(page: UInt8) {
        self.page = page
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        page = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(page)
    }

    /// The return parameters.
    public struct ReturnParameters: HCIReturnParameters {
        /// Whether it succeeded.
        public var status: HCIErrorCode
        /// The page.
        public var page: UInt8
        /// The last page there is.
        public var maximumPage: UInt8
        /// The features of the page.
        public var features: UInt64

        /// An answer with these values.
        public init(status: HCIErrorCode, page: UInt8, maximumPage: UInt8, features: UInt64) {
            self.status = status
            self.page = page
            self.maximumPage = maximumPage
            self.features = features
        }

        /// Parses the parameters.
        public init(from reader: inout ByteReader) throws(CodecError) {
            status = HCIErrorCode(rawValue: try reader.uint8())
            page = try reader.uint8()
            maximumPage = try reader.uint8()
            features = try reader.uint64()
        }

        /// Writes the parameters.
        public func write(to writer: inout ByteWriter) {
            writer.uint8(status.rawValue)
            writer.uint8(page)
            writer.uint8(maximumPage)
            writer.uint64(features)
        }
    }
}
