public import BLEPackets
internal import ByteCodec
public import MonotonicTime

/// Questions to the controller about a link; the answers come in the order of the calls.
extension Host {
    /// Asks for the strength of a link; ``HostEvent/rssiAnswered(_:)`` follows.
    ///
    /// - Throws: `notConnected`.
    public func readRSSI(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "read RSSI")
        commands.append(HCIReadRSSI(handle: link.info.handle).packet)
        flush(now)
    }

    /// Asks for the PHYs of a link; ``HostEvent/phyAnswered(_:)`` follows. A controller without the command has 1M only.
    ///
    /// - Throws: `notConnected`.
    public func readPHY(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "read the PHY")
        guard try controller("read the PHY").supports(octet: 35, bit: 0x10) else {
            return emit(.phyAnswered(.success(LinkPHYs(sends: .le1M, receives: .le1M))))
        }
        commands.append(HCILEReadPHY(handle: link.info.handle).packet)
        flush(now)
    }

    func rssiAnswered(_ parameters: ArraySlice<UInt8>) {
        // 127 means unknown (Core 5.4, Vol 4 Part E 7.5.4).
        emit(
            .rssiAnswered(
                answer(to: HCIReadRSSI.self, parameters, \.status).map { $0.rssi == 127 ? nil : Int($0.rssi) }))
    }

    func phyAnswered(_ parameters: ArraySlice<UInt8>) {
        emit(
            .phyAnswered(
                answer(to: HCILEReadPHY.self, parameters, \.status).map {
                    LinkPHYs(sends: $0.txPHY, receives: $0.rxPHY)
                }))
    }

    /// The answer to a command, which contains only the status if the controller could not execute it.
    private func answer<Command: HCIConnectionCommand>(
        to command: Command.Type, _ parameters: ArraySlice<UInt8>,
        _ status: KeyPath<Command.ReturnParameters, HCIErrorCode>
    ) -> Result<Command.ReturnParameters, HostError> {
        var reader = ByteReader(parameters, subject: command.name)
        if let answer = try? Command.ReturnParameters(from: &reader), answer[keyPath: status] == .success {
            return .success(answer)
        }
        let status = HCIErrorCode(rawValue: parameters.first ?? HCIErrorCode.unspecifiedError.rawValue)
        let found = status == .success ? "\(parameters.count) bytes of parameters" : "\(status)"
        return .failure(
            HostError(
                .commandRefused(command.opcode, status == .success ? .unspecifiedError : status),
                "\(command.name): expected its return parameters, got \(found)"))
    }
}

/// The PHYs of a link.
public struct LinkPHYs: Hashable, Sendable {
    /// The PHY on which this side sends.
    public var sends: HCIPHY
    /// The PHY on which it receives.
    public var receives: HCIPHY
}
