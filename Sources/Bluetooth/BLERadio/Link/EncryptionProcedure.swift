internal import BLEPackets
internal import MonotonicTime

extension Air {
    // MARK: Requests of hosts

    /// The central's host starts encryption, or refreshes the key.
    func enableEncryption(_ end: LinkEnd, _ command: HCILEEnableEncryption) {
        end.encryption.randomNumber = command.randomNumber
        end.encryption.encryptedDiversifier = command.encryptedDiversifier
        end.encryption.longTermKey = command.longTermKey
        if end.encryption.isOn {
            end.encryption.isRefresh = true
            end.encryption.step = .pausing
            sendEncryption(.pauseEncryptionRequest, from: end)
        } else {
            requestEncryption(end)
        }
    }

    private func requestEncryption(_ end: LinkEnd) {
        end.encryption.step = .requested
        end.encryption.centralShare = drawShare(end)
        sendEncryption(
            .encryptionRequest(
                randomNumber: end.encryption.randomNumber,
                encryptedDiversifier: end.encryption.encryptedDiversifier, end.encryption.centralShare),
            from: end)
    }

    /// The peripheral's host supplied the key.
    func answerKeyRequest(_ end: LinkEnd, _ longTermKey: ArraySlice<UInt8>) {
        end.encryption.step = .starting
        end.encryption.longTermKey = longTermKey
        sendEncryption(.startEncryptionRequest, from: end)
    }

    /// The peripheral's host has no key. An encrypted link is disconnected, since it must not continue unencrypted
    /// (Core 5.4, Vol 6 Part B 5.1.3.1).
    func refuseKeyRequest(_ end: LinkEnd) {
        end.encryption.step = .idle
        if end.encryption.isRefresh {
            end.terminating = .pinOrKeyMissing
            end.terminatesByItself = true
            if let link = end.link { schedule(link) }
        } else {
            sendEncryption(.rejectExtendedIndication(.encryptionRequest, .pinOrKeyMissing), from: end)
        }
    }

    private func drawShare(_ end: LinkEnd) -> LinkCipher.Share {
        LinkCipher.Share(
            diversifier: end.controller.random.next(),
            initializationVector: UInt32(truncatingIfNeeded: end.controller.random.next()))
    }

    // MARK: On air

    /// Sends a PDU of the procedure. An end's first PDU is sent after its queued data; from then on other PDUs wait.
    private func sendEncryption(_ pdu: LinkControlPDU, from end: LinkEnd) {
        if end.encryption.holdsBack {
            end.encryption.urgent.append(pdu)
            if let link = end.link { schedule(link) }
        } else {
            send(pdu, from: end)
        }
    }

    /// Updates the sender's state after it has sent a PDU.
    func sent(_ pdu: LinkControlPDU, by end: LinkEnd) {
        switch pdu {
        case .encryptionRequest, .pauseEncryptionRequest:
            end.encryption.holdsBack = true
            awaitResponse(to: .encryptionRequest, at: end)
        case .pauseEncryptionResponse where end.role == .peripheral:
            end.encryption.holdsBack = true
            end.encryption.receiving = nil
            awaitResponse(to: .encryptionRequest, at: end)
        case .encryptionResponse:
            end.encryption.holdsBack = true
            end.encryption.step = .awaitingKey
            requestKey(end)
        case .startEncryptionRequest:
            end.encryption.receiving = end.encryption.cipher(isFromCentral: true)
            awaitResponse(to: .encryptionRequest, at: end)
        case .startEncryptionResponse where end.role == .central: awaitResponse(to: .encryptionRequest, at: end)
        case .startEncryptionResponse: finishEncryption(end)
        case .rejectExtendedIndication(.encryptionRequest, _): endProcedure(end)
        default: break
        }
    }

    /// Receives a PDU of the encryption procedures. An unexpected PDU results from a fault and is ignored: the
    /// procedure response time-out ends the link.
    func receiveEncryption(_ pdu: LinkControlPDU, at end: LinkEnd) {
        switch (pdu, end.role, end.encryption.step) {
        case (.encryptionRequest(let randomNumber, let encryptedDiversifier, let share), .peripheral, .idle),
            (.encryptionRequest(let randomNumber, let encryptedDiversifier, let share), .peripheral, .paused):
            guard end.controller.has(LEFeature.encryption) else {
                sendEncryption(.rejectExtendedIndication(.encryptionRequest, .unsupportedRemoteFeature), from: end)
                return
            }
            endResponseTimeout(of: .encryptionRequest, at: end)
            end.encryption.randomNumber = randomNumber
            end.encryption.encryptedDiversifier = encryptedDiversifier
            end.encryption.step = .requested
            end.encryption.centralShare = share
            end.encryption.peripheralShare = drawShare(end)
            sendEncryption(.encryptionResponse(end.encryption.peripheralShare), from: end)
        case (.encryptionResponse(let share), .central, .requested):
            end.encryption.peripheralShare = share
            end.encryption.step = .awaitingKey
        case (.startEncryptionRequest, .central, .awaitingKey):
            end.encryption.sending = end.encryption.cipher(isFromCentral: true)
            end.encryption.receiving = end.encryption.cipher(isFromCentral: false)
            end.encryption.step = .starting
            sendEncryption(.startEncryptionResponse, from: end)
        case (.startEncryptionResponse, .central, .starting): finishEncryption(end)
        case (.startEncryptionResponse, .peripheral, .starting):
            end.encryption.sending = end.encryption.cipher(isFromCentral: false)
            sendEncryption(.startEncryptionResponse, from: end)
        case (.pauseEncryptionRequest, .peripheral, .idle):
            end.encryption.isRefresh = true
            end.encryption.step = .pausing
            sendEncryption(.pauseEncryptionResponse, from: end)
        case (.pauseEncryptionResponse, .central, .pausing):
            end.encryption.sending = nil
            end.encryption.receiving = nil
            sendEncryption(.pauseEncryptionResponse, from: end)
            requestEncryption(end)
        case (.pauseEncryptionResponse, .peripheral, .pausing):
            end.encryption.sending = nil
            end.encryption.step = .paused
        case (.rejectExtendedIndication(.encryptionRequest, let reason), .central, .requested),
            (.rejectExtendedIndication(.encryptionRequest, let reason), .central, .awaitingKey):
            endProcedure(end)
            emit(
                HCIEncryptionChange(status: reason, handle: end.handle, encryptionEnabled: 0), to: end.controller)
        default: break
        }
    }

    /// A host that masks the event has no keys (Core 5.4, Vol 6 Part B 5.1.3.1).
    private func requestKey(_ end: LinkEnd) {
        guard end.controller.host.isUnmasked(.leMeta, .longTermKeyRequest) else {
            refuseKeyRequest(end)
            return
        }
        emit(
            HCILELongTermKeyRequest(
                handle: end.handle, randomNumber: end.encryption.randomNumber,
                encryptedDiversifier: end.encryption.encryptedDiversifier),
            to: end.controller)
    }

    private func finishEncryption(_ end: LinkEnd) {
        let isRefresh = end.encryption.isRefresh
        endProcedure(end)
        if isRefresh {
            emit(HCIEncryptionKeyRefreshComplete(status: .success, handle: end.handle), to: end.controller)
        } else {
            emit(
                HCIEncryptionChange(status: .success, handle: end.handle, encryptionEnabled: 1), to: end.controller)
        }
    }

    /// Ends the procedure: queued data may be sent again.
    private func endProcedure(_ end: LinkEnd) {
        end.encryption.step = .idle
        end.encryption.isRefresh = false
        end.encryption.holdsBack = false
        end.encryption.longTermKey = []
        endResponseTimeout(of: .encryptionRequest, at: end)
    }
}
