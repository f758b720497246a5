import BLECore
import BLEPackets

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
    /// Checks whether the host may connect, without the ranges of parameters (Core 5.4, Vol 4 Part E 7.8.12).
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
