import ByteCodec

/// SYNC: the ROM detects the baud rate from its pattern; answered ``responseCount`` times.
package struct Sync: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.sync
    /// The number of responses to one SYNC.
    package static let responseCount = 8
    /// The data: `07 07 12 20`, then 32 × `55`.
    package static let pattern: [UInt8] = [0x07, 0x07, 0x12, 0x20] + [UInt8](repeating: 0x55, count: 32)

    package init() {}

    /// Short, since a flasher repeats SYNC until it is answered.
    package var timeout: Duration { LoaderTimeout.sync }

    /// Parses and validates the pattern.
    package init(from reader: inout ByteReader) throws(CodecError) {
        for expected in Self.pattern {
            let byte = try reader.uint8()
            guard byte == expected else {
                throw reader.invalid("SYNC pattern byte", UInt64(byte), allowed: "\(expected)")
            }
        }
    }

    /// Appends the pattern.
    package func write(to writer: inout ByteWriter) {
        writer.append(Self.pattern)
    }

    /// The header's word, which differs between ROM and stub.
    package struct Reply: LoaderReply {
        /// The value of a ROM; any number but 0 is possible.
        package static let rom = Reply(value: 0x2012_0707)
        /// The value of the stub.
        package static let stub = Reply(value: 0)

        /// The header's word: 0 from the stub.
        package var value: UInt32

        /// The dialect of the ROM or the stub, whichever answered.
        package var dialect: LoaderDialect { value == 0 ? .stub : .rom }

        private init(value: UInt32) {
            self.value = value
        }

        package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            self.value = value
        }
    }
}

/// CHANGE_BAUDRATE: answered at the old rate; the new one applies after ``LoaderTimeout/baudRateSettle``.
package struct ChangeBaudRate: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.changeBaudRate

    /// The new rate, in bits per second.
    package var newRate: UInt32
    /// The current rate; 0 when sent to a ROM.
    package var oldRate: UInt32

    /// The command for `newRate`.
    package init(newRate: UInt32, oldRate: UInt32 = 0) {
        self.newRate = newRate
        self.oldRate = oldRate
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        newRate = try reader.uint32()
        oldRate = try reader.uint32()
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint32(newRate)
        writer.uint32(oldRate)
    }
}

/// GET_SECURITY_INFO: the chip and its security settings. The ESP32's ROM refuses it as an invalid message.
public struct GetSecurityInfo: LoaderCommand, Hashable {
    package static let opcode = LoaderOpcode.securityInfo
    /// The ROM of the ESP32 lacks it.
    public static let isOptional = true

    package init() {}

    /// Parses no parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {}

    /// Appends nothing.
    public func write(to writer: inout ByteWriter) {}

    /// The answer: 20 bytes; 12 bytes from the ESP32-S2.
    public struct Reply: LoaderReply {
        /// The secure boot and debug flags of the eFuses.
        public var flags: UInt32
        /// The eFuse counter; an odd number of bits set means that flash encryption is on.
        public var flashEncryptionCount: UInt8
        /// The purposes of the 7 key blocks.
        public var keyPurposes: [UInt8]
        /// The chip, and the version of the ROM's interface; `nil` from the ESP32-S2.
        public var chip: (id: UInt32, apiVersion: UInt32)? {
            guard let chipID, let apiVersion else { return nil }
            return (chipID, apiVersion)
        }
        private var chipID: UInt32?
        private var apiVersion: UInt32?

        /// Number of key blocks.
        private static let keyCount = 7

        /// The answer of an unlocked chip.
        public init(chipID: UInt32?, apiVersion: UInt32 = 0) {
            flags = 0
            flashEncryptionCount = 0
            keyPurposes = Array(repeating: 0, count: Self.keyCount)
            self.chipID = chipID
            self.apiVersion = chipID == nil ? nil : apiVersion
        }

        package init(value: UInt32, from reader: inout ByteReader) throws(CodecError) {
            flags = try reader.uint32()
            flashEncryptionCount = try reader.uint8()
            keyPurposes = Array(try reader.slice(Self.keyCount))
            guard reader.remaining > 0 else { return }
            chipID = try reader.uint32()
            apiVersion = try reader.uint32()
        }

        /// Appends the answer.
        public func write(to writer: inout ByteWriter, dialect: LoaderDialect) {
            writer.uint32(flags)
            writer.uint8(flashEncryptionCount)
            writer.append(keyPurposes)
            if let chip {
                writer.uint32(chip.id)
                writer.uint32(chip.apiVersion)
            }
        }
    }
}
