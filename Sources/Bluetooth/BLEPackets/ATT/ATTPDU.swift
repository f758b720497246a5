import BLECore
import ByteCodec

/// One kind of Attribute Protocol PDU (Core 5.4, Vol 3 Part F 3.3).
package protocol ATTPDU: Hashable, Sendable {
    /// The first octet of every such PDU.
    static var opcode: ATTOpcode { get }

    /// The name in the specification, for errors: "ATT Read Request".
    static var name: StaticString { get }

    /// Parses the fields after the opcode. A field of variable length takes the remaining bytes. Without such a field,
    /// surplus bytes remain unread, since some servers ignore them; callers can reject them with ``ByteReader/end()``.
    init(from reader: inout ByteReader) throws(CodecError)

    /// Writes the whole PDU, opcode first.
    func write(to writer: inout ByteWriter)
}

extension ATTPDU {
    /// Decodes a whole PDU: its opcode must be ``opcode``, without surplus bytes.
    package init(decoding pdu: ArraySlice<UInt8>) throws(CodecError) {
        var reader = ByteReader(pdu, subject: Self.name)
        let opcode = ATTOpcode(rawValue: try reader.uint8())
        guard opcode == Self.opcode else {
            throw reader.invalid("opcode", UInt64(opcode.rawValue), allowed: "\(Self.opcode)")
        }
        try self.init(from: &reader)
        try reader.end()
    }

    /// The whole PDU.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension ATTOpcode {
    /// Every PDU of the protocol, in the order of the specification.
    package static let pdus: [any ATTPDU.Type] = [
        ATTErrorResponse.self,
        ATTExchangeMTURequest.self, ATTExchangeMTUResponse.self,
        ATTFindInformationRequest.self, ATTFindInformationResponse.self,
        ATTFindByTypeValueRequest.self, ATTFindByTypeValueResponse.self,
        ATTReadByTypeRequest.self, ATTReadByTypeResponse.self,
        ATTReadRequest.self, ATTReadResponse.self,
        ATTReadBlobRequest.self, ATTReadBlobResponse.self,
        ATTReadMultipleRequest.self, ATTReadMultipleResponse.self,
        ATTReadMultipleVariableRequest.self, ATTReadMultipleVariableResponse.self,
        ATTReadByGroupTypeRequest.self, ATTReadByGroupTypeResponse.self,
        ATTWriteRequest.self, ATTWriteResponse.self,
        ATTWriteCommand.self, ATTSignedWriteCommand.self,
        ATTPrepareWriteRequest.self, ATTPrepareWriteResponse.self,
        ATTExecuteWriteRequest.self, ATTExecuteWriteResponse.self,
        ATTHandleValueNotification.self, ATTMultipleHandleValueNotification.self,
        ATTHandleValueIndication.self, ATTHandleValueConfirmation.self,
    ]
}

/// The first octet of an ATT PDU (Core 5.4, Vol 3 Part F 3.3.1); open for any value, since an Error Response may name
/// unknown requests.
public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
    /// The octet: method in bits 0–5, command flag in bit 6, authentication signature flag in bit 7.
    public let rawValue: UInt8

    /// An opcode by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// True if the command flag is set: the PDU is never answered, not even with an error.
    public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// ATT_ERROR_RSP.
    public static let errorResponse = ATTOpcode(rawValue: 0x01)
    /// ATT_EXCHANGE_MTU_REQ.
    public static let exchangeMTURequest = ATTOpcode(rawValue: 0x02)
    /// ATT_EXCHANGE_MTU_RSP.
    public static let exchangeMTUResponse = ATTOpcode(rawValue: 0x03)
    /// ATT_FIND_INFORMATION_REQ.
    public static let findInformationRequest = ATTOpcode(rawValue: 0x04)
    /// ATT_FIND_INFORMATION_RSP.
    public static let findInformationResponse = ATTOpcode(rawValue: 0x05)
    /// ATT_FIND_BY_TYPE_VALUE_REQ.
    public static let findByTypeValueRequest = ATTOpcode(rawValue: 0x06)
    /// ATT_FIND_BY_TYPE_VALUE_RSP.
    public static let findByTypeValueResponse = ATTOpcode(rawValue: 0x07)
    /// ATT_READ_BY_TYPE_REQ.
    public static let readByTypeRequest = ATTOpcode(rawValue: 0x08)
    /// ATT_READ_BY_TYPE_RSP.
    public static let readByTypeResponse = ATTOpcode(rawValue: 0x09)
    /// ATT_READ_REQ.
    public static let readRequest = ATTOpcode(rawValue: 0x0A)
    /// ATT_READ_RSP.
    public static let readResponse = ATTOpcode(rawValue: 0x0B)
    /// ATT_READ_BLOB_REQ.
    public static let readBlobRequest = ATTOpcode(rawValue: 0x0C)
    /// ATT_READ_BLOB_RSP.
    public static let readBlobResponse = ATTOpcode(rawValue: 0x0D)
    /// ATT_READ_MULTIPLE_REQ.
    public static let readMultipleRequest = ATTOpcode(rawValue: 0x0E)
    /// ATT_READ_MULTIPLE_RSP.
    public static let readMultipleResponse = ATTOpcode(rawValue: 0x0F)
    /// ATT_READ_BY_GROUP_TYPE_REQ.
    public static let readByGroupTypeRequest = ATTOpcode(rawValue: 0x10)
    /// ATT_READ_BY_GROUP_TYPE_RSP.
    public static let readByGroupTypeResponse = ATTOpcode(rawValue: 0x11)
    /// ATT_WRITE_REQ.
    public static let writeRequest = ATTOpcode(rawValue: 0x12)
    /// ATT_WRITE_RSP.
    public static let writeResponse = ATTOpcode(rawValue: 0x13)
    /// ATT_PREPARE_WRITE_REQ.
    public static let prepareWriteRequest = ATTOpcode(rawValue: 0x16)
    /// ATT_PREPARE_WRITE_RSP.
    public static let prepareWriteResponse = ATTOpcode(rawValue: 0x17)
    /// ATT_EXECUTE_WRITE_REQ.
    public static let executeWriteRequest = ATTOpcode(rawValue: 0x18)
    /// ATT_EXECUTE_WRITE_RSP.
    public static let executeWriteResponse = ATTOpcode(rawValue: 0x19)
    /// ATT_HANDLE_VALUE_NTF.
    public static let handleValueNotification = ATTOpcode(rawValue: 0x1B)
    /// ATT_HANDLE_VALUE_IND.
    public static let handleValueIndication = ATTOpcode(rawValue: 0x1D)
    /// ATT_HANDLE_VALUE_CFM.
    public static let handleValueConfirmation = ATTOpcode(rawValue: 0x1E)
    /// ATT_READ_MULTIPLE_VARIABLE_REQ.
    public static let readMultipleVariableRequest = ATTOpcode(rawValue: 0x20)
    /// ATT_READ_MULTIPLE_VARIABLE_RSP.
    public static let readMultipleVariableResponse = ATTOpcode(rawValue: 0x21)
    /// ATT_MULTIPLE_HANDLE_VALUE_NTF.
    public static let multipleHandleValueNotification = ATTOpcode(rawValue: 0x23)
    /// ATT_WRITE_CMD.
    public static let writeCommand = ATTOpcode(rawValue: 0x52)
    /// ATT_SIGNED_WRITE_CMD.
    public static let signedWriteCommand = ATTOpcode(rawValue: 0xD2)

    /// The requests: PDUs that a server answers with their own response or with Error Response.
    public static let requests: Set<ATTOpcode> = [
        .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest,
        .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest,
        .executeWriteRequest, .readMultipleVariableRequest,
    ]
    /// The responses, including Error Response.
    public static let responses: Set<ATTOpcode> = Set(
        [.errorResponse] + requests.map { ATTOpcode(rawValue: $0.rawValue + 1) })
}

extension ATTOpcode: CustomStringConvertible {
    /// The number, and the PDU's name if known: `0x0A ATT Read Request`.
    public var description: String {
        let number = "0x" + Hexadecimal.string([rawValue]).uppercased()
        guard let pdu = Self.pdus.first(where: { $0.opcode == self }) else { return number }
        return "\(number) \(pdu.name)"
    }
}

/// The reason why a server refused a request (Core 5.4, Vol 3 Part F 3.4.1.1; from 0xE0 Core Supplement v11, Part B
/// 1.2); open for any value.
public struct ATTErrorCode: Error, RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An error code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Invalid Handle.
    public static let invalidHandle = ATTErrorCode(rawValue: 0x01)
    /// Read Not Permitted.
    public static let readNotPermitted = ATTErrorCode(rawValue: 0x02)
    /// Write Not Permitted.
    public static let writeNotPermitted = ATTErrorCode(rawValue: 0x03)
    /// Invalid PDU.
    public static let invalidPDU = ATTErrorCode(rawValue: 0x04)
    /// Insufficient Authentication.
    public static let insufficientAuthentication = ATTErrorCode(rawValue: 0x05)
    /// Request Not Supported.
    public static let requestNotSupported = ATTErrorCode(rawValue: 0x06)
    /// Invalid Offset.
    public static let invalidOffset = ATTErrorCode(rawValue: 0x07)
    /// Insufficient Authorization.
    public static let insufficientAuthorization = ATTErrorCode(rawValue: 0x08)
    /// Prepare Queue Full.
    public static let prepareQueueFull = ATTErrorCode(rawValue: 0x09)
    /// Attribute Not Found.
    public static let attributeNotFound = ATTErrorCode(rawValue: 0x0A)
    /// Attribute Not Long.
    public static let attributeNotLong = ATTErrorCode(rawValue: 0x0B)
    /// Encryption Key Size Too Short.
    public static let encryptionKeySizeTooShort = ATTErrorCode(rawValue: 0x0C)
    /// Invalid Attribute Value Length.
    public static let invalidAttributeValueLength = ATTErrorCode(rawValue: 0x0D)
    /// Unlikely Error.
    public static let unlikelyError = ATTErrorCode(rawValue: 0x0E)
    /// Insufficient Encryption.
    public static let insufficientEncryption = ATTErrorCode(rawValue: 0x0F)
    /// Unsupported Group Type.
    public static let unsupportedGroupType = ATTErrorCode(rawValue: 0x10)
    /// Insufficient Resources.
    public static let insufficientResources = ATTErrorCode(rawValue: 0x11)
    /// Database Out Of Sync.
    public static let databaseOutOfSync = ATTErrorCode(rawValue: 0x12)
    /// Value Not Allowed.
    public static let valueNotAllowed = ATTErrorCode(rawValue: 0x13)
    /// Write Request Rejected.
    public static let writeRequestRejected = ATTErrorCode(rawValue: 0xFC)
    /// Client Characteristic Configuration Descriptor Improperly Configured.
    public static let clientConfigurationImproperlyConfigured = ATTErrorCode(rawValue: 0xFD)
    /// Procedure Already in Progress.
    public static let procedureAlreadyInProgress = ATTErrorCode(rawValue: 0xFE)
    /// Out of Range.
    public static let outOfRange = ATTErrorCode(rawValue: 0xFF)
}

extension ATTErrorCode: CustomStringConvertible {
    /// Number and name: `0x05 insufficient authentication`.
    public var description: String {
        "0x\(Hexadecimal.string([rawValue]).uppercased()) \(name)"
    }

    private var name: String {
        switch self {
        case .invalidHandle: "invalid handle"
        case .readNotPermitted: "read not permitted"
        case .writeNotPermitted: "write not permitted"
        case .invalidPDU: "invalid PDU"
        case .insufficientAuthentication: "insufficient authentication"
        case .requestNotSupported: "request not supported"
        case .invalidOffset: "invalid offset"
        case .insufficientAuthorization: "insufficient authorization"
        case .prepareQueueFull: "prepare queue full"
        case .attributeNotFound: "attribute not found"
        case .attributeNotLong: "attribute not long"
        case .encryptionKeySizeTooShort: "encryption key size too short"
        case .invalidAttributeValueLength: "invalid attribute value length"
        case .unlikelyError: "unlikely error"
        case .insufficientEncryption: "insufficient encryption"
        case .unsupportedGroupType: "unsupported group type"
        case .insufficientResources: "insufficient resources"
        case .databaseOutOfSync: "database out of sync"
        case .valueNotAllowed: "value not allowed"
        case .writeRequestRejected: "write request rejected"
        case .clientConfigurationImproperlyConfigured: "client characteristic configuration improperly configured"
        case .procedureAlreadyInProgress: "procedure already in progress"
        case .outOfRange: "out of range"
        default: 0x80...0x9F ~= rawValue ? "application error" : "reserved"
        }
    }
}

/// The refusal of a request (Core 5.4, Vol 3 Part F 3.4.1.1).
package struct ATTErrorResponse: ATTPDU {
    package static let opcode = ATTOpcode.errorResponse
    package static let name: StaticString = "ATT Error Response"

    /// The opcode of the refused request.
    package var request: ATTOpcode

    /// The attribute at which the request failed; 0 if no attribute is concerned.
    package var handle: UInt16

    /// The reason.
    package var code: ATTErrorCode

    package init(request: ATTOpcode, handle: UInt16, code: ATTErrorCode) {
        self.request = request
        self.handle = handle
        self.code = code
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        request = ATTOpcode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        code = ATTErrorCode(rawValue: try reader.uint8())
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(Self.opcode.rawValue)
        writer.uint8(request.rawValue)
        writer.uint16(handle)
        writer.uint8(code.rawValue)
    }
}

extension BLEUUID {
    /// Reads a UUID of `width` bytes: 2 or 16, the forms allowed in ATT PDUs (Core 5.4, Vol 3 Part F 3.2.1).
    init(from reader: inout ByteReader, width: Int) throws(CodecError) {
        guard width == 2 || width == 16, let uuid = BLEUUID(littleEndian: try reader.slice(width)) else {
            throw reader.invalid("UUID length", UInt64(max(0, width)), allowed: "2 or 16")
        }
        self = uuid
    }
}
