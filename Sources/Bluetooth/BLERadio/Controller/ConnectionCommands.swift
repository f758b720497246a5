import BLECore
internal import BLEPackets
import ByteCodec
internal import MonotonicTime

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
    /// Checks the ranges (Core 5.4, Vol 4 Part E 7.8.33). 4.2 has no LE Coded PHY, so no packet takes longer than 2,120
    /// µs.
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

extension CommandEntry {
    /// Connection creation by the legacy commands.
    static let initiatingCommands: [CommandEntry] = [
        .status(
            26, 4,
            check: { (_, controller, command: HCILECreateConnection) in
                guard isValidScan(interval: command.scanInterval, window: command.scanWindow),
                    isValid(command.parameters)
                else { return .invalidHCICommandParameters }
                return controller.mayInitiate(initiator(command, now: 0))
            },
            begin: { air, controller, command in
                controller.host.initiator = initiator(command, now: air.now)
                air.updateListening(controller)
            }),
        createConnectionCancel,
    ]

    /// Answered by Command Complete, then by LE Connection Complete for the attempt (Core 5.4, Vol 4 Part E 7.8.13).
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

    private static func initiator(_ command: HCILECreateConnection, now: Int64) -> Initiator {
        let listening = Listening(
            start: now, interval: AirTime.slots(command.scanInterval), window: AirTime.slots(command.scanWindow))
        return Initiator(
            usesFilterAcceptList: command.usesFilterAcceptList, ownAddressType: command.ownAddressType,
            peerAddress: command.peerAddress, isExtended: false,
            attempts: [.le1M: .init(listening: listening, parameters: command.parameters)])
    }
}

extension Controller {
    /// Checks whether the host may connect; does not check the ranges of parameters (Core 5.4, Vol 4 Part E 7.8.12).
    func mayInitiate(_ initiator: Initiator) -> HCIErrorCode {
        guard host.initiator == nil else { return .commandDisallowed }
        let peer = initiator.usesFilterAcceptList ? nil : initiator.peerAddress
        guard initiator.ownAddressType.rawValue <= 3,
            hasAddress(initiator.ownAddressType, for: peer, random: host.randomAddress)
        else { return .invalidHCICommandParameters }
        guard freeHandle != nil else { return .connectionLimitExceeded }
        return peer.map(isConnected) == true ? .connectionAlreadyExists : .success
    }
}

extension Air {
    /// Queues data from a host. A packet beyond the host's credits is discarded and reported by Data Buffer Overflow
    /// (Core 5.4, Vol 4 Part E 7.7.26); packets for unknown connections are discarded, since HCI defines no answer.
    func receiveACL(_ packet: consuming HCIPacket, _ controller: Controller) {
        guard let header = header(of: packet.bytes), header.boundary != .complete, header.broadcast == 0,
            let end = controller.end(header.handle), let link = end.link
        else { return }
        guard header.length <= controller.personality.aclDataLength,
            controller.aclInUse < controller.personality.aclPacketCount
        else {
            emit(HCIDataBufferOverflow(linkType: 1), to: controller)
            return
        }
        end.inUse += 1
        controller.aclInUse += 1
        // LL_TERMINATE_IND is already queued, and its acknowledgement ends the link (Core 5.4, Vol 6 Part B 5.1.6). The
        // packet occupies its buffer until Disconnection Complete, as any unsent packet does.
        guard end.terminating == nil else { return }
        end.outgoing.append(.acl(packet))
        schedule(link)
    }

    private func header(of bytes: borrowing [UInt8]) -> HCIACLHeader? {
        var reader = ByteReader(copy bytes, subject: "HCI ACL data")
        guard let header = try? HCIACLHeader(from: &reader), reader.remaining == Int(header.length) else { return nil }
        return header
    }

    /// Handles buffers freed by the host; waiting peers may send again.
    func hostCompleted(_ list: [HCICompletedPackets], _ controller: Controller) {
        for entry in list {
            guard let end = controller.end(entry.handle) else { continue }
            let count = min(Int(entry.count), end.hostOutstanding)
            end.hostOutstanding -= count
            controller.host.flow.outstanding -= count
        }
        for case let end? in controller.ends {
            if let link = end.link { schedule(link) }
        }
    }
}
