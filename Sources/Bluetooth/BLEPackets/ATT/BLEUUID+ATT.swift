import BLECore
import ByteCodec

extension BLEUUID {
    /// Reads a UUID of `width` bytes: 2 or 16, the forms allowed in ATT PDUs (Core 5.4, Vol 3 Part F 3.2.1).
    init(from reader: inout ByteReader, width: Int) throws(CodecError) {
        guard width == 2 || width == 16, let uuid = BLEUUID(littleEndian: try reader.slice(width)) else {
            throw reader.invalid("UUID length", UInt64(max(0, width)), allowed: "2 or 16")
        }
        self = uuid
    }
}
