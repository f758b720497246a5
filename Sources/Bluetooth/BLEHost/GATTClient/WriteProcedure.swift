internal import BLEPackets

/// Writes a value with a response: Write, or Prepare and Execute Write if the value is too long for one request or must
/// be written reliably (Core 5.4, Vol 3 Part G 4.9.3, 4.9.4, 4.9.5).
struct WriteProcedure: GATTProcedure {
    private enum State {
        case single
        case preparing(ATTPrepareWriteRequest)
        case executing
        /// Cancelling the queued writes at the server, after this error.
        case cancelling(GATTClientError)
    }

    let handle: UInt16
    let value: ArraySlice<UInt8>
    let isReliable: Bool
    private var state = State.single

    init(handle: UInt16, value: ArraySlice<UInt8>, isReliable: Bool) {
        self.isReliable = isReliable
        self.handle = handle
        self.value = value
    }

    mutating func start(mtu: Int) -> GATTProcedureStep {
        guard isReliable || value.count > mtu - 3 else {
            return .request(ATTWriteRequest(handle: handle, value: value).bytes)
        }
        guard value.count <= UInt16.max else {
            return .failed(
                GATTClientError(
                    .invalidArgument,
                    "ATT long write: expected at most 65535 bytes, got \(value.count) (\(attributeText(handle)))"))
        }
        return prepare(from: 0, mtu: mtu)
    }

    private mutating func prepare(from offset: Int, mtu: Int) -> GATTProcedureStep {
        let part = value.dropFirst(offset).prefix(mtu - 5)
        let request = ATTPrepareWriteRequest(handle: handle, offset: UInt16(offset), part: part)
        state = .preparing(request)
        return .request(request.bytes)
    }

    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep {
        switch state {
        case .single:
            _ = try ATTWriteResponse(decoding: response)
            return .finished(.done)
        case .preparing(let request):
            let echo = try ATTPrepareWriteResponse(decoding: response)
            guard echo.handle == request.handle, echo.offset == request.offset, echo.part == request.part else {
                return cancel(
                    .violation(
                        """
                        \(ATTPrepareWriteResponse.name): expected the echo of \(request.part.count) bytes at offset \
                        \(request.offset), got \(echo.part.count) at \(echo.offset) (\(attributeText(handle)))
                        """))
            }
            let next = Int(request.offset) + request.part.count
            if next < value.count { return prepare(from: next, mtu: mtu) }
            state = .executing
            return .request(ATTExecuteWriteRequest(flags: 1).bytes)
        case .executing:
            _ = try ATTExecuteWriteResponse(decoding: response)
            return .finished(.done)
        case .cancelling(let error):
            _ = try ATTExecuteWriteResponse(decoding: response)
            return .failed(error)
        }
    }

    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> GATTProcedureStep {
        switch state {
        case .preparing(let request) where request.offset > 0: cancel(GATTClientError(error))
        case .cancelling(let first): .failed(first)
        default: .failed(GATTClientError(error))
        }
    }

    private mutating func cancel(_ error: GATTClientError) -> GATTProcedureStep {
        state = .cancelling(error)
        return .request(ATTExecuteWriteRequest(flags: 0).bytes)
    }
}

/// Writes a value without a response (Core 5.4, Vol 3 Part G 4.9.1).
struct WriteCommandProcedure: GATTProcedure {
    let handle: UInt16
    let value: ArraySlice<UInt8>

    mutating func start(mtu: Int) -> GATTProcedureStep {
        if let error = GATTClientError(writeCommandOf: value.count, to: handle, mtu: mtu) { return .failed(error) }
        return .command(ATTWriteCommand(handle: handle, value: value).bytes)
    }

    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep {
        .finished(.done)
    }
}

extension GATTClientError {
    /// The error of a Write Command that exceeds the MTU; `nil` if it fits.
    public init?(writeCommandOf count: Int, to handle: UInt16, mtu: Int) {
        guard count > mtu - 3 else { return nil }
        self.init(
            .invalidArgument,
            """
            \(ATTWriteCommand.name): expected at most \(mtu - 3) bytes at MTU \(mtu), got \(count) \
            (\(attributeText(handle)))
            """)
    }
}
