internal import BLEPackets
internal import ByteCodec

/// Read, Read Blob, Read Multiple, Read Multiple Variable.
///
/// The read callback runs for Read, Read Multiple and Read Blob at offset 0 only: NimBLE calls it if the response
/// buffer is not empty, and for these requests the buffer already contains the opcode.
extension GATTServer {
    /// The value that the client of `connection` can read.
    func currentValue(_ index: Int, _ connection: GATTServerConnection) -> [UInt8] {
        switch attributes[index].kind {
        case .declaration, .value: attributes[index].value
        case .clientConfiguration(let slot):
            [UInt8(truncatingIfNeeded: connection.configurations[slot].clientBits), 0]
        case .clientSupportedFeatures: [connection.supportedFeatures]
        }
    }

    func handleRead(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTReadRequest.self, body, connection) else { return }
        read(request.handle, .readRequest, connection)
    }

    func handleReadBlob(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTReadBlobRequest.self, body, connection) else { return }
        guard request.offset > 0 else { return read(request.handle, .readBlobRequest, connection) }
        guard let index = readable(request.handle, .readBlobRequest, connection) else { return }
        let value = currentValue(index, connection)
        switch attributes[index].kind {
        case .declaration where !isStrict, .clientConfiguration where !isStrict:
            // NimBLE ignores the offset here.
            sendValue(value[...], .readBlobResponse, connection)
        case .declaration, .clientConfiguration, .value, .clientSupportedFeatures:
            guard freeBuffers > 0 else {
                return refuse(.readBlobRequest, request.handle, .insufficientResources, connection)
            }
            guard request.offset <= value.count else {
                return refuse(.readBlobRequest, request.handle, .invalidOffset, connection)
            }
            sendValue(value[Int(request.offset)...], .readBlobResponse, connection)
        }
    }

    /// The index of an attribute that the client may read; otherwise sends the error and returns `nil`.
    private func readable(_ handle: UInt16, _ opcode: ATTOpcode, _ connection: GATTServerConnection) -> Int? {
        guard let index = index(handle) else {
            refuse(opcode, handle, .invalidHandle, connection)
            return nil
        }
        if let code = accessError(attributes[index], .read, connection) {
            refuse(opcode, handle, code, connection)
            return nil
        }
        return index
    }

    private func read(_ handle: UInt16, _ opcode: ATTOpcode, _ connection: GATTServerConnection) {
        guard let index = readable(handle, opcode, connection) else { return }
        guard attributes[index].hasCallbacks else { return respondWithValue(of: index, opcode, connection) }
        let token = suspend(then: .read(connection, index: index, opcode: opcode))
        perform(.readRequested(token, handle: handle, connection: connection.handle))
    }

    /// Responds to a Read or a Read Blob at offset 0.
    func respondWithValue(of index: Int, _ opcode: ATTOpcode, _ connection: GATTServerConnection) {
        let response = opcode == .readRequest ? ATTOpcode.readResponse : .readBlobResponse
        sendValue(currentValue(index, connection)[...], response, connection)
    }

    private func sendValue(_ value: ArraySlice<UInt8>, _ opcode: ATTOpcode, _ connection: GATTServerConnection) {
        send([opcode.rawValue] + value.prefix(connection.mtu - 1), to: connection)
    }

    func handleReadMultiple(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard freeBuffers > 0 else { return refuse(.readMultipleRequest, 0, .insufficientResources, connection) }
        // The request must have two or more handles (Core 5.4, Vol 3 Part F 3.4.4.7).
        if isStrict, body.count < 4 || body.count % 2 != 0 { return refuseMalformed(.readMultipleRequest, connection) }
        readMultiple(body, [ATTOpcode.readMultipleResponse.rawValue], connection)
    }

    /// Appends the values of `handles` to `response`; NimBLE accepts one handle, no handle, and an odd byte at the end.
    func readMultiple(_ handles: ArraySlice<UInt8>, _ response: [UInt8], _ connection: GATTServerConnection) {
        var reader = ByteReader(handles, subject: ATTReadMultipleRequest.name)
        var response = response
        while response.count < connection.mtu, let handle = try? reader.uint16() {
            guard let index = readable(handle, .readMultipleRequest, connection) else { return }
            guard attributes[index].hasCallbacks else {
                response += currentValue(index, connection)
                continue
            }
            let rest = Continuation.readMultiple(
                connection, index: index, rest: reader.rest(), response: response)
            let token = suspend(then: rest)
            return perform(.readRequested(token, handle: handle, connection: connection.handle))
        }
        send(Array(response.prefix(connection.mtu)), to: connection)
    }

    func handleReadMultipleVariable(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard freeBuffers > 0 else {
            return refuse(.readMultipleVariableRequest, 0, .insufficientResources, connection)
        }
        var reader = ByteReader(body, subject: ATTReadMultipleVariableRequest.name)
        var writer = ByteWriter(capacity: connection.mtu)
        writer.uint8(ATTOpcode.readMultipleVariableResponse.rawValue)
        while writer.count < connection.mtu, let handle = try? reader.uint16() {
            guard let index = readable(handle, .readMultipleVariableRequest, connection) else { return }
            let value = currentValue(index, connection)
            writer.uint16(UInt16(truncatingIfNeeded: value.count))
            writer.append(value)
        }
        send(Array(writer.bytes.prefix(connection.mtu)), to: connection)
    }
}
