internal import ByteCodec

/// Reasons of disconnections (Core 5.4, Vol 1 Part F 1.3).
enum DisconnectionText {
    private static let texts: [UInt8: String] = [
        0x05: "authentication failed", 0x06: "the peer has no key for this bond",
        0x08: "the peer was not heard any more",
        0x13: "the peer disconnected", 0x14: "the peer disconnected, as its resources are low",
        0x15: "the peer disconnected, as it powers off", 0x16: "this side disconnected",
        0x22: "the peer did not answer a procedure of the link layer", 0x3D: "decryption failed: the keys differ",
        0x3E: "the peer did not answer the connection request",
    ]

    /// The reason with its code.
    static func text(_ reason: UInt8) -> String {
        let code = "0x" + Hexadecimal.string([reason])
        return texts[reason].map { "\($0) (\(code))" } ?? "reason \(code)"
    }
}
