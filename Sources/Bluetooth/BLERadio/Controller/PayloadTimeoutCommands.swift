import BLEPackets

extension CommandEntry {
    /// The authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.93, 7.3.94). On the simulated radio it never
    /// expires: the supervision time-out is shorter.
    static let payloadTimeoutCommands: [CommandEntry] = [
        .complete(32, 4) { (_, controller, command: HCIReadAuthenticatedPayloadTimeout) in
            guard let end = controller.end(command.handle) else {
                return .init(status: .unknownConnectionIdentifier, handle: command.handle, timeout: 0)
            }
            return .init(status: .success, handle: command.handle, timeout: end.authenticatedPayloadTimeout)
        },
        .complete(32, 5) { (_, controller, command: HCIWriteAuthenticatedPayloadTimeout) in
            guard let end = controller.end(command.handle), let link = end.link else {
                return .init(status: .unknownConnectionIdentifier, handle: command.handle)
            }
            // A peripheral may be silent for its latency.
            let silence = link.interval * (Int64(link.parameters.latency) + 1)
            guard command.timeout >= 1, Int64(command.timeout) * 10 * AirTime.millisecond >= silence else {
                return .init(status: .invalidHCICommandParameters, handle: command.handle)
            }
            end.authenticatedPayloadTimeout = command.timeout
            return .init(status: .success, handle: command.handle)
        },
    ]
}
