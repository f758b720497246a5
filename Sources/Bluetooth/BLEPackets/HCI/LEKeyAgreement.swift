import ByteCodec

/// Generates a key pair; the answer is LE Read Local P-256 Public Key Complete (Core 5.4, Vol 4 Part E 7.8.36).
package struct HCILEReadLocalP256PublicKey: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leReadLocalP256PublicKey
    package static let name: StaticString = "HCI LE Read Local P-256 Public Key"

    package init() {}
}

/// The public half of a new key pair (Core 5.4, Vol 4 Part E 7.7.65.8).
package struct HCILEReadLocalP256PublicKeyComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .readLocalP256PublicKeyComplete
    package static let name: StaticString = "HCI LE Read Local P-256 Public Key Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The X coordinate, 32 bytes, least significant first.
    package var x: ArraySlice<UInt8>
    /// The Y coordinate, 32 bytes, least significant first.
    package var y: ArraySlice<UInt8>

    package init(status: HCIErrorCode, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.status = status
        self.x = x
        self.y = y
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.hciFixed(x, 32)
        writer.hciFixed(y, 32)
    }
}

/// Computes the Diffie-Hellman key from the peer's public key and the controller's private key (Core 5.4, Vol 4 Part E
/// 7.8.37).
package struct HCILEGenerateDHKey: HCICommand {
    package static let opcode = HCIOpcode.leGenerateDHKey
    package static let name: StaticString = "HCI LE Generate DHKey"

    /// The peer's X coordinate, 32 bytes, least significant first.
    package var x: ArraySlice<UInt8>
    /// The peer's Y coordinate, 32 bytes, least significant first.
    package var y: ArraySlice<UInt8>

    package init(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) {
        self.x = x
        self.y = y
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        x = try reader.slice(32)
        y = try reader.slice(32)
    }

    package func write(to writer: inout ByteWriter) {
        writer.hciFixed(x, 32)
        writer.hciFixed(y, 32)
    }
}

/// The Diffie-Hellman key (Core 5.4, Vol 4 Part E 7.7.65.9).
package struct HCILEGenerateDHKeyComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .generateDHKeyComplete
    package static let name: StaticString = "HCI LE Generate DHKey Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// 32 bytes, least significant first.
    package var key: ArraySlice<UInt8>

    package init(status: HCIErrorCode, key: ArraySlice<UInt8>) {
        self.status = status
        self.key = key
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        key = try reader.slice(32)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.hciFixed(key, 32)
    }
}
