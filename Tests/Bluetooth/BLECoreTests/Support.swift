import ByteCodec

/// Bytes from text.
func hexadecimal(_ text: String) -> [UInt8]? {
    Hexadecimal.bytes(text)
}
