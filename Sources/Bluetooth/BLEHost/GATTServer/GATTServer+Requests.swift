import BLEPackets
import ByteCodec
import MonotonicTime

/// Dispatches PDUs. As in NimBLE, a PDU that is too short is discarded without an answer, and surplus bytes are
/// ignored.
extension GATTServer {
    func process(_ pdu: ArraySlice<UInt8>, _ connection: GATTServerConnection, _ now: MonotonicInstant) {
        // NimBLE's L2CAP accepts two bytes more than the MTU.
        guard connection.isOpen, let first = pdu.first, pdu.count <= connection.mtu + 2 else { return }
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
            // Not a response to a request of ours, but NimBLE sends the next indication after any response.
            sendDelayedPDU(connection)
        case .signedWriteCommand, .handleValueNotification, .multipleHandleValueNotification:
            // Signed writes need a CSRK, which no client has distributed; other PDUs are for clients.
            break
        default:
            if !opcode.isCommand { refuse(opcode, 0, .requestNotSupported, connection) }
        }
    }

    /// Decodes the fields of a request; `nil` when it is too short.
    func decode<PDU: ATTPDU>(_ type: PDU.Type, _ body: ArraySlice<UInt8>) -> PDU? {
        var reader = ByteReader(body, subject: PDU.name)
        return try? PDU(from: &reader)
    }

    func refuse(
        _ opcode: ATTOpcode, _ handle: UInt16, _ code: ATTErrorCode, _ connection: GATTServerConnection
    ) {
        send(ATTErrorResponse(request: opcode, handle: handle, code: code).bytes, to: connection)
    }

    /// The error if the application or the client may not access an attribute.
    func accessError(
        _ attribute: Attribute, isRead: Bool, _ connection: GATTServerConnection
    ) -> ATTErrorCode? {
        let properties = attribute.properties
        guard !properties.isDisjoint(with: isRead ? .read : [.write, .writeWithoutResponse]) else {
            return isRead ? .readNotPermitted : .writeNotPermitted
        }
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
        guard let request = decode(ATTExchangeMTURequest.self, body) else { return }
        let offer = UInt16(clamping: connection.ownMTU)
        send(ATTExchangeMTUResponse(serverReceiveMTU: offer).bytes, to: connection)
        connection.hasExchangedMTU = true
        connection.mtu = min(connection.ownMTU, max(Int(request.clientReceiveMTU), GATTServerConnection.defaultMTU))
        let token = hasMTUCallback ? suspend(then: .none) : nil
        perform(.mtuChanged(token, connection: connection.handle, mtu: connection.mtu))
    }
}
