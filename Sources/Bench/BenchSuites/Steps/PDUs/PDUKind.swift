/// A kind of PDU, by the specification's name of it.
struct PDUKind: Hashable, Sendable {
    /// The name in suites.
    let name: String
    /// The L2CAP channel: 4 ATT, 6 SMP; ``linkControl``: none, the controllers send it.
    let channel: UInt16
    /// The opcodes; empty: every one of the channel.
    let opcodes: Set<UInt8>

    private init(_ name: String, channel: UInt16, _ opcodes: Set<UInt8>) {
        self.name = name
        self.channel = channel
        self.opcodes = opcodes
    }

    /// In place of a channel for link layer control PDUs: L2CAP's null identifier.
    static let linkControl: UInt16 = 0

    /// Whether hosts send and hear it.
    var isOfHosts: Bool { channel != Self.linkControl }

    /// Every kind that a suite can name.
    static let all: [PDUKind] =
        [
            PDUKind("ATT PDU", channel: 4, []), PDUKind("response", channel: 4, responses),
            PDUKind("request", channel: 4, requests), PDUKind("SMP PDU", channel: 6, []),
        ]
        + attributeNames.map { PDUKind($0.name, channel: 4, [$0.opcode]) }
        + securityNames.enumerated().map { PDUKind($1, channel: 6, [UInt8($0 + 1)]) }
        + [PDUKind("LL control PDU", channel: linkControl, [])]
        + linkControlNames.map { PDUKind($0.name, channel: linkControl, [$0.opcode]) }

    private static let requests: Set<UInt8> = [
        0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20,
    ]
    private static let responses: Set<UInt8> = Set(requests.map { $0 + 1 } + [0x01])

    /// Core 5.4, Vol 3 Part F 3.4.8.
    private static let attributeNames: [(name: String, opcode: UInt8)] = [
        ("error response", 0x01), ("exchange MTU request", 0x02), ("exchange MTU response", 0x03),
        ("find information request", 0x04), ("find information response", 0x05),
        ("find by type value request", 0x06), ("find by type value response", 0x07),
        ("read by type request", 0x08), ("read by type response", 0x09), ("read request", 0x0A),
        ("read response", 0x0B), ("read blob request", 0x0C), ("read blob response", 0x0D),
        ("read by group type request", 0x10), ("read by group type response", 0x11), ("write request", 0x12),
        ("write response", 0x13), ("prepare write request", 0x16), ("prepare write response", 0x17),
        ("execute write request", 0x18), ("execute write response", 0x19), ("notification", 0x1B),
        ("indication", 0x1D), ("confirmation", 0x1E), ("write command", 0x52),
    ]

    /// Core 5.4, Vol 3 Part H 3.3, in the order of their codes from 0x01.
    private static let securityNames = [
        "pairing request", "pairing response", "pairing confirm", "pairing random", "pairing failed",
        "encryption information", "central identification", "identity information", "identity address information",
        "signing information", "security request", "pairing public key", "pairing DHKey check",
        "pairing keypress notification",
    ]

    /// Core 5.4, Vol 6 Part B 2.4.2: what espbench's controllers send.
    private static let linkControlNames: [(name: String, opcode: UInt8)] = [
        ("LL_CONNECTION_UPDATE_IND", 0x00), ("LL_TERMINATE_IND", 0x02), ("LL_ENC_REQ", 0x03), ("LL_ENC_RSP", 0x04),
        ("LL_START_ENC_REQ", 0x05), ("LL_START_ENC_RSP", 0x06), ("LL_UNKNOWN_RSP", 0x07), ("LL_FEATURE_REQ", 0x08),
        ("LL_FEATURE_RSP", 0x09), ("LL_PAUSE_ENC_REQ", 0x0A), ("LL_PAUSE_ENC_RSP", 0x0B), ("LL_VERSION_IND", 0x0C),
        ("LL_CONNECTION_PARAM_REQ", 0x0F), ("LL_REJECT_EXT_IND", 0x11), ("LL_LENGTH_REQ", 0x14),
        ("LL_LENGTH_RSP", 0x15), ("LL_PHY_REQ", 0x16), ("LL_PHY_RSP", 0x17), ("LL_PHY_UPDATE_IND", 0x18),
    ]
}
