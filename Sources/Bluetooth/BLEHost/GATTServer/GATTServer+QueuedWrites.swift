internal import BLEPackets
internal import MonotonicTime

/// Prepare Write and Execute Write.
extension GATTServer {
    typealias PreparedWrite = GATTServerConnection.PreparedWrite

    /// The payload of the first buffer of a queued part, after its headers (16 + 8 + 9 bytes), and of the other
    /// buffers.
    private static let firstBufferRoom = 223
    private static let furtherBufferRoom = 240

    /// Queued writes and packets that wait for the controller share NimBLE's pool, which limits queued writes long
    /// before their own limit of 64. While the pool is empty, every request that needs a buffer is refused.
    package var freeBuffers: Int {
        let (pool, queued) = hostBuffers()
        return max(0, pool.count - usedBuffers - queued)
    }

    private static func buffers(for length: Int) -> Int {
        1 + (max(0, length - firstBufferRoom) + furtherBufferRoom - 1) / furtherBufferRoom
    }

    func handlePrepareWrite(
        _ body: ArraySlice<UInt8>, _ connection: GATTServerConnection, _ now: MonotonicInstant
    ) {
        guard let request = decode(ATTPrepareWriteRequest.self, body, connection) else { return }
        if let code = prepare(request, connection) {
            return refuse(.prepareWriteRequest, request.handle, code, connection)
        }
        connection.preparedWritesDeadline = now.advanced(by: Self.transactionTimeout)
        let response = ATTPrepareWriteResponse(handle: request.handle, offset: request.offset, part: request.part)
        send(Array(response.bytes.prefix(connection.mtu)), to: connection)
    }

    /// Queues a part; returns the error if it is refused. Offset and length are checked when the queue is executed.
    private func prepare(_ request: ATTPrepareWriteRequest, _ connection: GATTServerConnection) -> ATTErrorCode? {
        guard let index = index(request.handle) else { return .invalidHandle }
        if let code = accessError(attributes[index], .write, connection) { return code }
        guard freeBuffers > 0 else { return .insufficientResources }
        let needed = Self.buffers(for: request.part.count)
        guard freeBuffers >= needed else { return .prepareQueueFull }
        usedBuffers += needed
        let write = PreparedWrite(handle: request.handle, offset: Int(request.offset), part: Array(request.part))
        let place = connection.preparedWrites.firstIndex {
            $0.handle > write.handle || ($0.handle == write.handle && $0.offset > write.offset)
        }
        connection.preparedWrites.insert(write, at: place ?? connection.preparedWrites.endIndex)
        return nil
    }

    func clearPreparedWrites(of connection: GATTServerConnection) {
        for write in connection.preparedWrites { usedBuffers -= Self.buffers(for: write.part.count) }
        connection.preparedWrites = []
        connection.preparedWritesDeadline = nil
    }

    func handleExecuteWrite(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTExecuteWriteRequest.self, body, connection) else { return }
        if isStrict, request.flags > 1 { return refuseMalformed(.executeWriteRequest, connection) }
        let writes = connection.preparedWrites
        clearPreparedWrites(of: connection)
        // In NimBLE any value of flags other than 0 executes the writes.
        guard request.flags != 0 else { return executeWrites([], connection) }
        if let (handle, code) = fault(in: writes) {
            return refuse(.executeWriteRequest, handle, code, connection)
        }
        executeWrites(writes[...], connection)
    }

    /// The first part that is not contiguous with the one before it, or ends beyond the maximum length.
    private func fault(in writes: [PreparedWrite]) -> (UInt16, ATTErrorCode)? {
        var handle: UInt16?
        var end = 0
        for write in writes {
            guard write.offset == (write.handle == handle ? end : 0) else { return (write.handle, .invalidOffset) }
            handle = write.handle
            end = write.offset + write.part.count
            guard end <= GATTDatabaseBuilder.maximumValueLength else {
                return (write.handle, .invalidAttributeValueLength)
            }
        }
        return nil
    }

    /// Writes the attributes of `writes` one after another, each with its whole value, and then sends the response.
    func executeWrites(_ writes: ArraySlice<PreparedWrite>, _ connection: GATTServerConnection) {
        guard let handle = writes.first?.handle else { return send(ATTExecuteWriteResponse().bytes, to: connection) }
        let parts = writes.prefix { $0.handle == handle }
        let value = parts.flatMap(\.part)
        let rest = Continuation.executeWrite(connection, rest: writes.dropFirst(parts.count))
        if let code = write(value[...], to: handle, connection, then: rest) {
            refuse(.executeWriteRequest, handle, code, connection)
        }
    }
}
