import BLEPackets

extension CommandEntry {
    /// How long an encrypted connection may go without an authenticated packet (Core 5.4, Vol 4 Part E 7.3.93,
    /// 7.3.94). No connection of the air goes without one for longer than its supervision time-out, so that nothing
    /// ever comes of it.
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
            // A peripheral that uses its latency is silent that long.
            let silence = link.interval * (Int64(link.parameters.latency) + 1)
            guard command.timeout >= 1, Int64(command.timeout) * 10 * AirTime.millisecond >= silence else {
                return .init(status: .invalidHCICommandParameters, handle: command.handle)
            }
            end.authenticatedPayloadTimeout = command.timeout
            return .init(status: .success, handle: command.handle)
        },
    ]
}
