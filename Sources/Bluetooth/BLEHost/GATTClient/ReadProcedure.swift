internal import BLEPackets

/// Reads a whole value: Read, then Read Blob while the responses are full (Core 5.4, Vol 3 Part G 4.8.1, 4.8.3).
struct ReadProcedure: GATTProcedure {
    /// The maximum length of an attribute value, in bytes (Core 5.4, Vol 3 Part F 3.2.9).
    private static let maximumLength = 512

    let handle: UInt16
    private var value: [UInt8]?

    init(handle: UInt16) {
        self.handle = handle
    }

    mutating func start(mtu: Int) -> GATTProcedureStep {
        .request(ATTReadRequest(handle: handle).bytes)
    }

    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep {
        let part =
            value == nil
            ? try ATTReadResponse(decoding: response).value : try ATTReadBlobResponse(decoding: response).part
        let whole = (value ?? []) + part
        guard part.count <= mtu - 1, whole.count <= Self.maximumLength else {
            throw GATTClientError.violation(
                """
                ATT read: expected at most \(mtu - 1) bytes a response and \(Self.maximumLength) in all, \
                got \(part.count) and \(whole.count) (\(attributeText(handle)))
                """)
        }
        value = whole
        guard part.count == mtu - 1, whole.count < Self.maximumLength else { return .finished(.value(whole)) }
        return .request(ATTReadBlobRequest(handle: handle, offset: UInt16(whole.count)).bytes)
    }

    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> GATTProcedureStep {
        // If the value exactly filled the first response, a server may refuse the Read Blob Request: the value is then
        // complete.
        if let value, error.code == .attributeNotLong || error.code == .invalidOffset {
            return .finished(.value(value))
        }
        return .failed(GATTClientError(error))
    }
}
