import BLECore
import BLEPackets

extension CommandEntry {
    /// Connections: making, ending, asking about and changing them.
    static let connectionCommands: [CommandEntry] = [
        .status(26, 4, check: { canConnect($1, $2) }, begin: { $0.beginConnecting($1, $2) }),
        createConnectionCancel,
        .status(
            0, 5,
            check: { (_, controller, command: HCIDisconnect) in
                guard let end = controller.end(command.handle) else { return .unknownConnectionIdentifier }
                guard isValidReason(command.reason) else { return .invalidHCICommandParameters }
                return end.terminating == nil ? .success : .commandDisallowed
            },
            begin: { air, controller, command in
                guard let end = controller.end(command.handle) else { return }
                end.terminating = command.reason
                if let link = end.link { air.schedule(link) }
            }),
        .status(
            2, 7,
            check: { (_, controller, command: HCIReadRemoteVersionInformation) in known(command.handle, controller) },
            begin: { air, controller, command in controller.end(command.handle).map(air.requestVersion) }),
        .status(
            27, 5, check: { (_, controller, command: HCILEReadRemoteFeatures) in known(command.handle, controller) },
            begin: { air, controller, command in controller.end(command.handle).map(air.requestFeatures) }),
        .complete(15, 5) { (air, controller, command: HCIReadRSSI) in
            guard let end = controller.end(command.handle), let link = end.link else {
                return .init(status: .unknownConnectionIdentifier, handle: command.handle, rssi: 127)
            }
            let rssi = air.rssi(of: link.peer(of: end).controller, at: controller)
            return .init(status: .success, handle: command.handle, rssi: rssi)
        },
        .status(
            27, 2,
            check: { (_, controller, command: HCILEConnectionUpdate) in
                guard let end = controller.end(command.handle) else { return .unknownConnectionIdentifier }
                guard isValid(command.parameters) else { return .invalidHCICommandParameters }
                return end.wantsUpdate ? .commandDisallowed : .success
            },
            begin: { air, controller, command in
                if let end = controller.end(command.handle) { air.requestUpdate(end, command.parameters) }
            }),
        .complete(33, 4) { (air, controller, command: HCILERemoteConnectionParameterRequestReply) in
            .init(
                status: air.answerParameterRequest(controller, command.handle, command.parameters),
                handle: command.handle)
        },
        .complete(33, 5) { (air, controller, command: HCILERemoteConnectionParameterRequestNegativeReply) in
            .init(
                status: air.refuseParameterRequest(controller, command.handle, command.reason),
                handle: command.handle)
        },
        .complete(33, 6) { (air, controller, command: HCILESetDataLength) in
            guard let end = controller.end(command.handle) else {
                return .init(status: .unknownConnectionIdentifier, handle: command.handle)
            }
            guard DataLength.isValid(octets: command.txOctets, time: command.txTime) else {
                return .init(status: .invalidHCICommandParameters, handle: command.handle)
            }
            air.requestDataLength(end, DataLength(octets: command.txOctets, time: command.txTime))
            return .init(status: .success, handle: command.handle)
        },
        .complete(33, 7) { (_, controller, _: HCILEReadSuggestedDefaultDataLength) in
            let suggested = controller.host.suggestedLength
            return .init(status: .success, txOctets: suggested.octets, txTime: suggested.time)
        },
        .simple(34, 0) { (_, controller, command: HCILEWriteSuggestedDefaultDataLength) in
            guard DataLength.isValid(octets: command.txOctets, time: command.txTime) else {
                return .invalidHCICommandParameters
            }
            controller.host.suggestedLength = DataLength(octets: command.txOctets, time: command.txTime)
            return .success
        },
    ]

    /// Answered by Command Complete, and LE Connection Complete about the attempt (Core 5.4, Vol 4 Part E 7.8.13).
    private static let createConnectionCancel = CommandEntry(
        flag: (26, 5), opcode: HCILECreateConnectionCancel.opcode
    ) { air, controller, parameters in
        guard parameters.isEmpty else {
            air.emitInvalidParameters(HCILECreateConnectionCancel.opcode, to: controller)
            return
        }
        let isConnecting = controller.host.initiator != nil
        let status: HCIErrorCode = isConnecting ? .success : .commandDisallowed
        air.emit(HCICommandComplete(to: HCILECreateConnectionCancel.self, .init(status: status)), to: controller)
        guard isConnecting else { return }
        controller.host.initiator = nil
        air.updateListening(controller)
        air.emitConnectionComplete(.failure(.unknownConnectionIdentifier, role: .central), to: controller)
    }

    private static func known(_ handle: UInt16, _ controller: Controller) -> HCIErrorCode {
        controller.end(handle) == nil ? .unknownConnectionIdentifier : .success
    }

    /// Core 5.4, Vol 4 Part E 7.1.6.
    private static func isValidReason(_ reason: HCIErrorCode) -> Bool {
        [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(reason.rawValue)
    }

    /// Core 5.4, Vol 4 Part E 7.8.12: ranges, and a supervision time-out longer than two effective intervals.
    static func isValid(_ parameters: HCIConnectionParameters) -> Bool {
        let effective = (Int(parameters.latency) + 1) * Int(parameters.maximumInterval) * 5 / 4 * 2
        return parameters.minimumInterval >= 6 && parameters.maximumInterval <= 0xC80
            && parameters.minimumInterval <= parameters.maximumInterval && parameters.latency <= 0x1F3
            && 0xA...0xC80 ~= parameters.supervisionTimeout && Int(parameters.supervisionTimeout) * 10 > effective
    }

    private static func canConnect(_ controller: Controller, _ command: HCILECreateConnection) -> HCIErrorCode {
        guard controller.host.initiator == nil else { return .commandDisallowed }
        guard isValidScan(interval: command.scanInterval, window: command.scanWindow), isValid(command.parameters),
            command.ownAddressType.rawValue <= 3, controller.ownAddress(command.ownAddressType) != nil
        else { return .invalidHCICommandParameters }
        guard controller.freeHandle != nil else { return .connectionLimitExceeded }
        if !command.usesFilterAcceptList, controller.isConnected(to: command.peerAddress) {
            return .connectionAlreadyExists
        }
        return .success
    }
}

extension Air {
    func beginConnecting(_ controller: Controller, _ command: HCILECreateConnection) {
        let listening = Listening(
            start: now, interval: AirTime.slots(command.scanInterval), window: AirTime.slots(command.scanWindow))
        controller.host.initiator = Initiator(command: command, listening: listening)
        updateListening(controller)
    }

    func answerParameterRequest(
        _ controller: Controller, _ handle: UInt16, _ parameters: HCIConnectionParameters
    ) -> HCIErrorCode {
        guard let end = controller.end(handle) else { return .unknownConnectionIdentifier }
        guard end.isAskedForParameters else { return .commandDisallowed }
        guard CommandEntry.isValid(parameters) else { return .invalidHCICommandParameters }
        end.isAskedForParameters = false
        requestUpdate(end, parameters)
        return .success
    }

    func refuseParameterRequest(_ controller: Controller, _ handle: UInt16, _ reason: HCIErrorCode) -> HCIErrorCode {
        guard let end = controller.end(handle) else { return .unknownConnectionIdentifier }
        guard end.isAskedForParameters else { return .commandDisallowed }
        end.isAskedForParameters = false
        send(.rejectExtendedIndication(.connectionParameterRequest, reason), from: end)
        return .success
    }
}
