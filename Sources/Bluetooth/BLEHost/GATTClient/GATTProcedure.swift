internal import BLEPackets
internal import ByteCodec

/// The next step of a procedure.
enum GATTProcedureStep {
    /// Send this request and wait for its response.
    case request([UInt8])
    /// Send this command, which has no response; the procedure then ends.
    case command([UInt8])
    /// The procedure has ended.
    case finished(GATTResult)
    /// The procedure failed; the bearer stays open.
    case failed(GATTClientError)
}

/// One GATT procedure of a client: a sequence of requests, each sent after the response to the one before (Core 5.4,
/// Vol 3 Part G 4). `mtu` is the ATT MTU in effect.
///
/// A thrown error means that the server violated the protocol: the bearer is then closed.
protocol GATTProcedure {
    /// The first step.
    mutating func start(mtu: Int) -> GATTProcedureStep

    /// The step after `response`, a PDU with the opcode that answers the last request.
    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep

    /// The step after the server refused the last request.
    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> GATTProcedureStep
}

extension GATTProcedure {
    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> GATTProcedureStep {
        .failed(GATTClientError(error))
    }
}

extension GATTClientError {
    /// The error for the server's Error Response.
    init(_ error: ATTErrorResponse) {
        self.init(
            .attError(error.code),
            "\(error.request): expected a response, got error \(error.code) (\(attributeText(error.handle)))")
    }
}

/// `handle 0x0021`, for error texts.
func attributeText(_ handle: UInt16) -> String {
    "handle \(Hexadecimal.number(handle, digits: 4))"
}
