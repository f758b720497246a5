import BLEPackets

/// The names of kinds of PDU in suites, which are the specification's.
extension PDUKind {
    /// Every kind that a suite can name.
    package static let named: [(name: String, kind: PDUKind)] =
        [
            ("ATT PDU", .attribute(nil)), ("response", .attributeResponse), ("request", .attributeRequest),
            ("SMP PDU", .securityManager(nil)),
        ]
        + attributeNames.map { ($0.name, .attribute($0.opcode)) }
        + securityNames.enumerated().map { ($1, .securityManager(SMPOpcode(rawValue: UInt8($0 + 1)))) }
        + [("LL control PDU", .linkControl(opcodes: []))]
        + linkControlNames.map { ($0.name, .linkControl(opcodes: [$0.opcode])) }

    /// Core 5.4, Vol 3 Part F 3.4.8.
    private static let attributeNames: [(name: String, opcode: ATTOpcode)] = [
        ("error response", .errorResponse), ("exchange MTU request", .exchangeMTURequest),
        ("exchange MTU response", .exchangeMTUResponse), ("find information request", .findInformationRequest),
        ("find information response", .findInformationResponse),
        ("find by type value request", .findByTypeValueRequest),
        ("find by type value response", .findByTypeValueResponse), ("read by type request", .readByTypeRequest),
        ("read by type response", .readByTypeResponse), ("read request", .readRequest),
        ("read response", .readResponse), ("read blob request", .readBlobRequest),
        ("read blob response", .readBlobResponse), ("read by group type request", .readByGroupTypeRequest),
        ("read by group type response", .readByGroupTypeResponse), ("write request", .writeRequest),
        ("write response", .writeResponse), ("prepare write request", .prepareWriteRequest),
        ("prepare write response", .prepareWriteResponse), ("execute write request", .executeWriteRequest),
        ("execute write response", .executeWriteResponse), ("notification", .handleValueNotification),
        ("indication", .handleValueIndication), ("confirmation", .handleValueConfirmation),
        ("write command", .writeCommand),
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
