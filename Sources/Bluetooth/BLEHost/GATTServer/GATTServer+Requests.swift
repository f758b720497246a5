internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

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

/// Dispatches PDUs. NimBLE discards a PDU that is too short without an answer, and ignores surplus bytes.
extension GATTServer {
    func process(_ pdu: ArraySlice<UInt8>, _ connection: GATTServerConnection, _ now: MonotonicInstant) {
        // NimBLE's L2CAP accepts two bytes more than the MTU.
        let limit = isStrict ? connection.mtu : connection.mtu + 2
        guard connection.isOpen, let first = pdu.first, pdu.count <= limit else { return }
        let opcode = ATTOpcode(rawValue: first)
        let body = pdu.dropFirst()
        switch opcode {
        case .writeCommand: handleWriteCommand(body, connection)
        case .writeRequest: handleWriteRequest(body, connection)
        case .readRequest: handleRead(body, connection)
        case .readBlobRequest: handleReadBlob(body, connection)
        case .exchangeMTURequest: handleExchangeMTU(body, connection)
        case .findInformationRequest: handleFindInformation(body, connection)
        case .findByTypeValueRequest: handleFindByTypeValue(body, connection)
        case .readByTypeRequest: handleReadByType(body, connection)
        case .readByGroupTypeRequest: handleReadByGroupType(body, connection)
        case .readMultipleRequest: handleReadMultiple(body, connection)
        case .readMultipleVariableRequest: handleReadMultipleVariable(body, connection)
        case .prepareWriteRequest: handlePrepareWrite(body, connection, now)
        case .executeWriteRequest: handleExecuteWrite(body, connection)
        case .handleValueIndication: handleIndication(body, connection)
        case .handleValueConfirmation: handleConfirmation(connection, now)
        case .errorResponse: handleErrorResponse(body, connection, now)
        case .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
            .readResponse, .readBlobResponse, .readMultipleResponse, .readMultipleVariableResponse,
            .readByGroupTypeResponse, .writeResponse, .prepareWriteResponse, .executeWriteResponse:
            // The server sends no requests, but NimBLE sends the next indication after any response.
            if !isStrict { sendDelayedPDU(connection) }
        case .signedWriteCommand, .handleValueNotification, .multipleHandleValueNotification:
            // Signed writes need a CSRK, which no client has distributed; other PDUs are for clients.
            break
        default:
            if !opcode.isCommand { refuse(opcode, 0, .requestNotSupported, connection) }
        }
    }

    /// Decodes the fields of a request; `nil` after answering or ignoring a request of the wrong length.
    func decode<PDU: ATTPDU>(
        _ type: PDU.Type, _ body: ArraySlice<UInt8>, _ connection: GATTServerConnection
    ) -> PDU? {
        var reader = ByteReader(body, subject: PDU.name)
        if let pdu = try? PDU(from: &reader), !isStrict || reader.remaining == 0 { return pdu }
        refuseMalformed(PDU.opcode, connection)
        return nil
    }

    /// Answers a malformed request; NimBLE drops it.
    func refuseMalformed(_ opcode: ATTOpcode, _ connection: GATTServerConnection) {
        if isStrict { refuse(opcode, 0, .invalidPDU, connection) }
    }

    func refuse(
        _ opcode: ATTOpcode, _ handle: UInt16, _ code: ATTErrorCode, _ connection: GATTServerConnection
    ) {
        send(ATTErrorResponse(request: opcode, handle: handle, code: code).bytes, to: connection)
    }

    /// How a client accesses an attribute.
    enum Access {
        case read, write, writeWithoutResponse
    }

    /// The error if a client may not access an attribute.
    func accessError(
        _ attribute: Attribute, _ access: Access, _ connection: GATTServerConnection
    ) -> ATTErrorCode? {
        let isRead = access == .read
        let properties = attribute.properties
        let permission: GATTProperties =
            switch access {
            case .read: .read
            case .write: isStrict ? .write : [.write, .writeWithoutResponse]
            case .writeWithoutResponse: isStrict ? .writeWithoutResponse : [.write, .writeWithoutResponse]
            }
        guard !properties.isDisjoint(with: permission) else {
            return isRead ? .readNotPermitted : .writeNotPermitted
        }
        return protectionError(properties, isRead: isRead, connection)
    }

    /// The error if a link lacks the security that an attribute with these properties requires.
    func protectionError(
        _ properties: GATTProperties, isRead: Bool, _ connection: GATTServerConnection
    ) -> ATTErrorCode? {
        let needsEncryption = properties.contains(isRead ? .readEncrypted : .writeEncrypted)
        let needsAuthentication = properties.contains(isRead ? .readAuthenticated : .writeAuthenticated)
        let needsAuthorization = properties.contains(isRead ? .readAuthorized : .writeAuthorized)
        if isSecureConnectionsOnly, needsEncryption || needsAuthentication || needsAuthorization {
            guard connection.security.isEncrypted, connection.security.isAuthenticated else {
                return .insufficientAuthentication
            }
            guard connection.security.keySize == 16 else { return .encryptionKeySizeTooShort }
        }
        if (needsEncryption || needsAuthentication) && !connection.security.isEncrypted {
            return connection.security.hasStoredKey ? .insufficientEncryption : .insufficientAuthentication
        }
        if needsAuthentication && !connection.security.isAuthenticated { return .insufficientAuthentication }
        return needsAuthorization ? .insufficientAuthorization : nil
    }

    private func handleExchangeMTU(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTExchangeMTURequest.self, body, connection) else { return }
        let offer = UInt16(clamping: connection.ownMTU)
        send(ATTExchangeMTUResponse(serverReceiveMTU: offer).bytes, to: connection)
        connection.hasExchangedMTU = true
        connection.mtu = min(connection.ownMTU, max(Int(request.clientReceiveMTU), GATTServerConnection.defaultMTU))
        let token = hasMTUCallback ? suspend(then: .none) : nil
        perform(.mtuChanged(token, connection: connection.handle, mtu: connection.mtu))
    }
}
