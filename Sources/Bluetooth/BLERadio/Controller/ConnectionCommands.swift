import BLECore
import BLEPackets

extension CommandEntry {
    /// Commands for connections.
    static let connectionCommands: [CommandEntry] = [
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
            guard controller.isValid(DataLength(octets: command.txOctets, time: command.txTime)) else {
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
            guard controller.isValid(DataLength(octets: command.txOctets, time: command.txTime)) else {
                return .invalidHCICommandParameters
            }
            controller.host.suggestedLength = DataLength(octets: command.txOctets, time: command.txTime)
            return .success
        },
        .complete(35, 3) { (_, controller, _: HCILEReadMaximumDataLength) in
            let length = DataLengths(controller).rx
            return .init(
                status: .success, maximumTxOctets: length.octets, maximumTxTime: length.time,
                maximumRxOctets: length.octets, maximumRxTime: length.time)
        },
    ]

    private static func known(_ handle: UInt16, _ controller: Controller) -> HCIErrorCode {
        controller.end(handle) == nil ? .unknownConnectionIdentifier : .success
    }

    /// Core 5.4, Vol 4 Part E 7.1.6.
    private static func isValidReason(_ reason: HCIErrorCode) -> Bool {
        [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B].contains(reason.rawValue)
    }

    /// Core 5.4, Vol 4 Part E 7.8.12: ranges, minimum not above maximum, and a supervision time-out longer than two
    /// effective intervals.
    static func isValid(_ parameters: HCIConnectionParameters) -> Bool {
        let effective = (Int(parameters.latency) + 1) * Int(parameters.maximumInterval) * 5 / 4 * 2
        return parameters.minimumInterval >= 6 && parameters.maximumInterval <= 0xC80
            && parameters.minimumInterval <= parameters.maximumInterval && parameters.latency <= 0x1F3
            && parameters.minimumEventLength <= parameters.maximumEventLength
            && 0xA...0xC80 ~= parameters.supervisionTimeout && Int(parameters.supervisionTimeout) * 10 > effective
    }
}

extension Controller {
    /// Core 5.4, Vol 4 Part E 7.8.33; 4.2 has no LE Coded PHY, so no packet takes longer than 2,120 µs.
    fileprivate func isValid(_ length: DataLength) -> Bool {
        27...251 ~= length.octets && 328...(personality.hciVersion < 9 ? 2120 : 17_040) ~= length.time
    }
}

extension Air {
    func answerParameterRequest(
        _ controller: Controller, _ handle: UInt16, _ parameters: HCIConnectionParameters
    ) -> HCIErrorCode {
        guard let end = controller.end(handle) else { return .unknownConnectionIdentifier }
        guard end.mustAnswerParameterRequest else { return .commandDisallowed }
        guard CommandEntry.isValid(parameters) else { return .invalidHCICommandParameters }
        end.mustAnswerParameterRequest = false
        requestUpdate(end, parameters)
        return .success
    }

    func refuseParameterRequest(_ controller: Controller, _ handle: UInt16, _ reason: HCIErrorCode) -> HCIErrorCode {
        guard let end = controller.end(handle) else { return .unknownConnectionIdentifier }
        guard end.mustAnswerParameterRequest else { return .commandDisallowed }
        end.mustAnswerParameterRequest = false
        send(.rejectExtendedIndication(.connectionParameterRequest, reason), from: end)
        return .success
    }
}
