internal import BLEPackets
internal import ByteCodec

/// Write Request and Write Command; the effect of a write for each kind of attribute.
extension GATTServer {
    private static let writeResponse = ATTWriteResponse().bytes

    /// The client supported features: robust caching, EATT, multiple notifications (Core 5.4, Vol 3 Part G 7.2).
    private static let knownFeatures: UInt8 = 0x07

    func handleWriteRequest(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTWriteRequest.self, body, connection) else { return }
        let error =
            freeBuffers > 0
            ? write(request.value, to: request.handle, connection, then: .respond(connection, Self.writeResponse))
            : .insufficientResources
        if let error { refuse(.writeRequest, request.handle, error, connection) }
    }

    func handleWriteCommand(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let command = decode(ATTWriteCommand.self, body, connection) else { return }
        _ = write(command.value, to: command.handle, by: .writeWithoutResponse, connection, then: .none)
    }

    /// Writes an attribute and continues with `continuation`, at once or after the application's callback; returns the
    /// error if the write is refused.
    func write(
        _ value: ArraySlice<UInt8>, to handle: UInt16, by access: Access = .write, _ connection: GATTServerConnection,
        then continuation: Continuation
    ) -> ATTErrorCode? {
        guard let index = index(handle) else { return .invalidHandle }
        if let code = accessError(attributes[index], access, connection) { return code }
        switch attributes[index].kind {
        case .declaration: return .writeNotPermitted
        case .value: return writeValue(value, index, connection, continuation)
        case .clientConfiguration(let slot): return writeConfiguration(value, slot, connection, continuation)
        case .clientSupportedFeatures: return writeFeatures(value, connection, continuation)
        }
    }

    private func writeValue(
        _ value: ArraySlice<UInt8>, _ index: Int, _ connection: GATTServerConnection, _ continuation: Continuation
    ) -> ATTErrorCode? {
        guard value.count <= attributes[index].maximumLength else { return .invalidAttributeValueLength }
        let stored = Array(value)
        let former = PendingWrite(index: index, formerValue: attributes[index].value)
        attributes[index].value = stored
        let handle = UInt16(truncatingIfNeeded: index + 1)
        if attributes[index].hasCallbacks {
            let token = suspend(then: continuation, write: former)
            perform(.written(token, handle: handle, connection: connection.handle, value: stored))
        } else {
            perform(.written(nil, handle: handle, connection: connection.handle, value: stored))
            resume(continuation)
        }
        return nil
    }

    private func writeConfiguration(
        _ value: ArraySlice<UInt8>, _ slot: Int, _ connection: GATTServerConnection, _ continuation: Continuation
    ) -> ATTErrorCode? {
        var reader = ByteReader(value, subject: "Client Characteristic Configuration")
        guard value.count == 2, let flags = try? reader.uint16() else { return .invalidAttributeValueLength }
        guard flags & ~database.configurable[slot].allowed == 0 else {
            return isStrict ? .valueNotAllowed : .requestNotSupported
        }
        let characteristic = attributes[Int(database.configurable[slot].valueHandle) - 1]
        if isStrict, let code = protectionError(characteristic.properties, isRead: true, connection) { return code }
        let former = connection.configurations[slot].clientBits
        var continuation = continuation
        if connection.configurations[slot].flags != flags, let peer = connection.bondedPeer {
            let valueHandle = database.configurable[slot].valueHandle
            let stored = StoredSubscription(peer: peer, valueHandle: valueHandle, flags: flags, hasChanged: false)
            continuation = .store(stored, then: continuation)
        }
        // This also clears the modified flag, as in NimBLE.
        connection.configurations[slot].flags = flags
        if former == flags {
            resume(continuation)
        } else {
            reportSubscription(slot, flags, of: connection, then: continuation)
        }
        return nil
    }

    /// Reports a changed subscription to the application, then continues.
    func reportSubscription(
        _ slot: Int, _ flags: UInt16, of connection: GATTServerConnection, then continuation: Continuation
    ) {
        let handle = database.configurable[slot].valueHandle
        let secured: GATTProperties = [.readEncrypted, .readAuthenticated, .readAuthorized]
        // As in NimBLE, security is also requested at the end of a connection, when the link has ended.
        if !isStrict, !connection.security.isEncrypted,
            !attributes[Int(handle) - 1].properties.isDisjoint(with: secured)
        {
            perform(.startSecurity(connection: connection.handle))
        }
        if attributes[Int(handle) - 1].hasCallbacks {
            let token = suspend(then: continuation)
            perform(.subscribed(token, valueHandle: handle, connection: connection.handle, value: flags))
        } else {
            perform(.subscribed(nil, valueHandle: handle, connection: connection.handle, value: flags))
            resume(continuation)
        }
    }

    private func writeFeatures(
        _ value: ArraySlice<UInt8>, _ connection: GATTServerConnection, _ continuation: Continuation
    ) -> ATTErrorCode? {
        let features = (value.first ?? 0) & Self.knownFeatures
        guard connection.supportedFeatures & ~features == 0 else { return .valueNotAllowed }
        connection.supportedFeatures = features
        if let error = updateFeatures(of: connection) { return error }
        resume(continuation)
        return nil
    }
}
