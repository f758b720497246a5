internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

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
