import BLECore
import BLEPackets
import ByteCodec
import Testing

/// One PDU in bytes and as a value.
///
/// The specification prints no sample data for ATT: "recorded" vectors were sent by another stack (NimBLE 2.5.1 as a
/// server, Bumble 0.0.236 as a client; see `Tests/Bluetooth/Traces`), the others are written out from the format tables named.
struct ATTVector: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var pdu: any ATTPDU
    var testDescription: String { "\(type(of: pdu).name) \(Hexadecimal.string(bytes))" }

    init(_ hexadecimal: String, _ pdu: any ATTPDU) {
        bytes = Hexadecimal.bytes(hexadecimal) ?? []
        self.pdu = pdu
    }

    static let all: [ATTVector] = errorAndMTU + find + read + readMany + write + sentByTheServer

    /// Core 5.4, Vol 3 Part F 3.4.1 and 3.4.2.
    static let errorAndMTU: [ATTVector] = [
        // Recorded.
        ATTVector(
            "01 10 0200 0a", ATTErrorResponse(request: .readByGroupTypeRequest, handle: 2, code: .attributeNotFound)),
        // Recorded; about an unknown request.
        ATTVector(
            "01 3f 0000 06",
            ATTErrorResponse(request: ATTOpcode(rawValue: 0x3F), handle: 0, code: .requestNotSupported)),
        // Recorded.
        ATTVector("02 4000", ATTExchangeMTURequest(clientReceiveMTU: 64)),
        // Recorded.
        ATTVector("03 ff00", ATTExchangeMTUResponse(serverReceiveMTU: 255)),
    ]

    /// Core 5.4, Vol 3 Part F 3.4.3.
    static let find: [ATTVector] = [
        // Recorded.
        ATTVector("04 0100 ffff", ATTFindInformationRequest(startHandle: 1, endHandle: 0xFFFF)),
        // Recorded.
        ATTVector(
            "05 01 0100 0028 0200 0328",
            ATTFindInformationResponse(
                format: .uuid16,
                entries: [.init(handle: 1, type: BLEUUID(0x2800)), .init(handle: 2, type: BLEUUID(0x2803))])),
        // Recorded.
        ATTVector(
            "05 02 1000 e52f255e9c875bb840411479552cabc1",
            ATTFindInformationResponse(format: .uuid128, entries: [.init(handle: 16, type: calculatorInput)])),
        // Recorded.
        ATTVector(
            "06 0100 ffff 0028 0018",
            ATTFindByTypeValueRequest(startHandle: 1, endHandle: 0xFFFF, type: 0x2800, value: [0x00, 0x18])),
        // Recorded.
        ATTVector(
            "07 0900 0900 1300 1300",
            ATTFindByTypeValueResponse(
                entries: [.init(handle: 9, groupEndHandle: 9), .init(handle: 0x13, groupEndHandle: 0x13)])),
    ]

    /// Core 5.4, Vol 3 Part F 3.4.4.1 to 3.4.4.6.
    static let read: [ATTVector] = [
        // Recorded.
        ATTVector(
            "08 0100 ffff 0328", ATTReadByTypeRequest(startHandle: 1, endHandle: 0xFFFF, type: BLEUUID(0x2803))),
        // Recorded.
        ATTVector(
            "08 0100 ffff e52f255e9c875bb840411479552cabc1",
            ATTReadByTypeRequest(startHandle: 1, endHandle: 0xFFFF, type: calculatorInput)),
        // 3.4.4.2.
        ATTVector(
            "09 07 0200 020300002a 0400 020500012a",
            ATTReadByTypeResponse(entries: [
                .init(handle: 2, value: [0x02, 0x03, 0x00, 0x00, 0x2A]),
                .init(handle: 4, value: [0x02, 0x05, 0x00, 0x01, 0x2A]),
            ])),
        // Recorded.
        ATTVector("0a 0300", ATTReadRequest(handle: 3)),
        // 3.4.4.4.
        ATTVector("0b 546573", ATTReadResponse(value: [0x54, 0x65, 0x73])),
        // 3.4.4.4: an empty value.
        ATTVector("0b", ATTReadResponse(value: [])),
        // Recorded.
        ATTVector("0c 0100 0200", ATTReadBlobRequest(handle: 1, offset: 2)),
        // Recorded.
        ATTVector("0d 020300002a", ATTReadBlobResponse(part: [0x02, 0x03, 0x00, 0x00, 0x2A])),
    ]

    /// Core 5.4, Vol 3 Part F 3.4.4.7 to 3.4.4.12.
    static let readMany: [ATTVector] = [
        // Recorded.
        ATTVector("0e 0300 0500", ATTReadMultipleRequest(handles: [3, 5])),
        // 3.4.4.8.
        ATTVector("0f 54657374 0000", ATTReadMultipleResponse(values: [0x54, 0x65, 0x73, 0x74, 0, 0])),
        // Recorded.
        ATTVector(
            "10 0100 ffff 0028",
            ATTReadByGroupTypeRequest(startHandle: 1, endHandle: 0xFFFF, groupType: BLEUUID(0x2800))
        ),
        // Recorded.
        ATTVector(
            "11 06 0100 0500 0018 0600 0d00 0118",
            ATTReadByGroupTypeResponse(entries: [
                .init(handle: 1, groupEndHandle: 5, value: [0x00, 0x18]),
                .init(handle: 6, groupEndHandle: 13, value: [0x01, 0x18]),
            ])),
        // Recorded.
        ATTVector("20 0300 0500", ATTReadMultipleVariableRequest(handles: [3, 5])),
        // 3.4.4.12.
        ATTVector(
            "21 0200 0000 0300 414243",
            ATTReadMultipleVariableResponse(entries: [
                .init(length: 2, value: [0, 0]), .init(length: 3, value: [0x41, 0x42, 0x43]),
            ])),
        // 3.4.4.12: the last value is truncated at the end of the PDU.
        ATTVector("21 0f00 5465", ATTReadMultipleVariableResponse(entries: [.init(length: 15, value: [0x54, 0x65])])),
    ]

    /// Core 5.4, Vol 3 Part F 3.4.5 and 3.4.6.
    static let write: [ATTVector] = [
        // Recorded.
        ATTVector("12 1300 0100", ATTWriteRequest(handle: 0x13, value: [1, 0])),
        // Recorded.
        ATTVector("13", ATTWriteResponse()),
        // 3.4.5.3.
        ATTVector("52 1000 030402", ATTWriteCommand(handle: 0x10, value: [3, 4, 2])),
        // 3.4.5.4.
        ATTVector(
            "d2 1000 0102 000000000000000000000000",
            ATTSignedWriteCommand(handle: 0x10, value: [1, 2], signature: ArraySlice(repeating: 0, count: 12))),
        // Recorded.
        ATTVector("16 1000 0200 02", ATTPrepareWriteRequest(handle: 0x10, offset: 2, part: [2])),
        // Recorded.
        ATTVector("17 1000 0200 02", ATTPrepareWriteResponse(handle: 0x10, offset: 2, part: [2])),
        // Recorded.
        ATTVector("18 01", ATTExecuteWriteRequest(flags: 1)),
        // Recorded.
        ATTVector("19", ATTExecuteWriteResponse()),
    ]

    /// Core 5.4, Vol 3 Part F 3.4.7.
    static let sentByTheServer: [ATTVector] = [
        // Recorded.
        ATTVector("1b 1200 08", ATTHandleValueNotification(handle: 0x12, value: [8])),
        // 3.4.7.2.
        ATTVector("1d 1200 0809", ATTHandleValueIndication(handle: 0x12, value: [8, 9])),
        // Recorded.
        ATTVector("1e", ATTHandleValueConfirmation()),
        // Recorded.
        ATTVector(
            "23 0300 0100 01 0500 0100 02",
            ATTMultipleHandleValueNotification(
                entries: [.init(handle: 3, value: [1]), .init(handle: 5, value: [2])])),
    ]

    /// The UUID of the calculator's input, C1AB2C55-7914-4140-B85B-879C5E252FE5.
    private static let calculatorInput =
        BLEUUID(littleEndian: [
            0xE5, 0x2F, 0x25, 0x5E, 0x9C, 0x87, 0x5B, 0xB8, 0x40, 0x41, 0x14, 0x79, 0x55, 0x2C, 0xAB, 0xC1,
        ]) ?? BLEUUID(0)
}
