internal import BLEPackets
internal import ByteCodec
internal import MonotonicTime

extension Host {
    /// Handles one HCI event: header, then parameters.
    func receiveEvent(_ bytes: [UInt8], _ now: MonotonicInstant) throws {
        let event = try HCIAnyEvent(decoding: bytes[...])
        switch event.code {
        case .numberOfCompletedPackets:
            for entry in try HCINumberOfCompletedPackets(event).connections {
                flow.completed(Int(entry.count), on: entry.handle)
            }
        case .commandComplete:
            let answer = try HCICommandComplete(event)
            guard let command = commands.answered(answer.command, credits: answer.commandPacketCount) else { return }
            commandCompleted(answer.command, command, answer.parameters, now)
        case .commandStatus:
            let answer = try HCICommandStatus(event)
            guard let command = commands.answered(answer.command, credits: answer.commandPacketCount) else { return }
            if answer.status != .success || isStarting {
                commandCompleted(answer.command, command, [answer.status.rawValue], now)
            }
        case .disconnectionComplete: linkEnded(try HCIDisconnectionComplete(event), now)
        case .readRemoteVersionInformationComplete:
            remoteVersionRead(try HCIReadRemoteVersionInformationComplete(event))
        case .encryptionChange:
            let change = try HCIEncryptionChange(event)
            encryptionChanged(change.handle, change.status, isOn: change.encryptionEnabled & 1 != 0, now)
        case .encryptionKeyRefreshComplete:
            let refresh = try HCIEncryptionKeyRefreshComplete(event)
            encryptionChanged(refresh.handle, refresh.status, isOn: true, now)
        case .leMeta: try receiveMeta(event, now)
        default: break
        }
    }

    private func receiveMeta(_ event: HCIAnyEvent, _ now: MonotonicInstant) throws {
        switch event.subevent {
        case .advertisingReport:
            guard scanning != .off else { return }
            for report in try HCILEAdvertisingReport(event).reports { emit(.advertisingReport(report)) }
        case .extendedAdvertisingReport:
            guard scanning != .off else { return }
            extendedAdvertisementsReceived(try HCILEExtendedAdvertisingReport(event))
        case .connectionComplete:
            let complete = try HCILEConnectionComplete(event)
            connectionCompleted(
                complete.status,
                ConnectionInfo(
                    handle: complete.handle, isCentral: complete.role == .central, peer: complete.peerAddress,
                    interval: complete.interval, latency: complete.latency,
                    supervisionTimeout: complete.supervisionTimeout))
        case .enhancedConnectionComplete:
            let complete = try HCILEEnhancedConnectionComplete(event)
            connectionCompleted(
                complete.status,
                ConnectionInfo(
                    handle: complete.handle, isCentral: complete.role == .central, peer: complete.peerAddress,
                    interval: complete.interval, latency: complete.latency,
                    supervisionTimeout: complete.supervisionTimeout))
        case .readRemoteFeaturesComplete:
            remoteFeaturesRead(try HCILEReadRemoteFeaturesComplete(event))
        case .connectionUpdateComplete:
            parametersChanged(try HCILEConnectionUpdateComplete(event))
        case .longTermKeyRequest: longTermKeyRequested(try HCILELongTermKeyRequest(event), now)
        case .remoteConnectionParameterRequest:
            answerParameterRequest(try HCILERemoteConnectionParameterRequest(event))
        default: break
        }
    }

    private var isStarting: Bool {
        if case .starting = state { return true }
        return false
    }

    /// Handles the completion of a command; `parameters` begin with its status.
    private func commandCompleted(
        _ opcode: HCIOpcode, _ command: HCIPacket, _ parameters: ArraySlice<UInt8>, _ now: MonotonicInstant
    ) {
        guard !isStarting else { return advanceStartup(opcode, parameters, now) }
        let status = HCIErrorCode(rawValue: parameters.first ?? HCIErrorCode.success.rawValue)
        switch opcode {
        case .leSetScanEnable, .leSetExtendedScanEnable: scanEnableAnswered(command, status)
        case .leSetAdvertisingEnable where status != .success: advertising.isActive = false
        case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList: return acceptListAnswered(status)
        case .leCreateConnection, .leExtendedCreateConnection:
            isInitiating = false
            return emit(.connectionFailed(status))
        case .disconnect: disconnectRefused(command)
        case .leConnectionUpdate: return parameterUpdateRefused(command, status)
        case .leEnableEncryption:
            if status != .success { encryptionRefused(command, status, now) }
            return
        case .readRSSI: return rssiAnswered(parameters)
        case .leReadPHY: return phyAnswered(parameters)
        case .leRand: return randomAnswered(parameters, now)
        // A failure means that no attempt is running: the connection was created before the cancel.
        case .leCreateConnectionCancel: return
        default: break
        }
        if status != .success { emit(.commandFailed(opcode, status)) }
    }

    /// A host cannot work without random numbers.
    private func randomAnswered(_ parameters: ArraySlice<UInt8>, _ now: MonotonicInstant) {
        var reader = ByteReader(parameters, subject: HCILERand.name)
        let answer = try? HCILERand.ReturnParameters(from: &reader)
        guard let answer, answer.status == .success else {
            let status = HCIErrorCode(rawValue: parameters.first ?? HCIErrorCode.unspecifiedError.rawValue)
            return fail(HostError(.commandRefused(.leRand, status), "HCI LE Rand: expected success, got \(status)"))
        }
        randomDrawn(answer.random, now)
    }
}
