public import BLEPackets

extension PDUKind {
    /// A link layer control PDU with this opcode.
    public static func linkControl(_ opcode: LinkControlOpcode) -> PDUKind {
        .linkControl(opcodes: [opcode.rawValue])
    }

    /// Whether a link layer control PDU with this opcode is one of these.
    func matches(_ opcode: LinkControlOpcode) -> Bool {
        guard case .linkControl(let opcodes) = self else { return false }
        return opcodes.isEmpty || opcodes.contains(opcode.rawValue)
    }
}
