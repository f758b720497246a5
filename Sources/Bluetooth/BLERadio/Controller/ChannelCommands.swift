import BLEPackets

extension CommandEntry {
    /// The data channels of connections (Core 5.4, Vol 4 Part E 7.8.19, 7.8.20).
    static let channelCommands: [CommandEntry] = [
        .simple(27, 3) { (air, controller, command: HCILESetHostChannelClassification) in
            let bits = command.channelMap.rawValue
            guard bits != 0, bits & ~HCIChannelMap.all.rawValue == 0 else { return .invalidHCICommandParameters }
            // A connection needs two channels (Core 5.4, Vol 6 Part B 4.5.8.1): if the host allows only one, the
            // controller uses all.
            controller.host.channelMap = bits.nonzeroBitCount >= 2 ? command.channelMap : .all
            air.updateChannelMaps(controller)
            return .success
        },
        .complete(27, 4) { (_, controller, command: HCILEReadChannelMap) in
            let end = controller.end(command.handle)
            return .init(
                status: end == nil ? .unknownConnectionIdentifier : .success, handle: command.handle,
                channelMap: end?.channelMap ?? HCIChannelMap(rawValue: 0))
        },
    ]
}

extension Air {
    /// The channel map update procedure, for connections of a central with another channel map (Core 5.4, Vol 6 Part B
    /// 5.1.2).
    fileprivate func updateChannelMaps(_ controller: Controller) {
        let map = controller.host.channelMap
        for case let end? in controller.ends where end.role == .central && end.channelMap != map {
            send(.channelMapIndication(map, instant: 0), from: end)
        }
    }
}
