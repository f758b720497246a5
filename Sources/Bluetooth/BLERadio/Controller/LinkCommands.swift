internal import BLEPackets

extension CommandEntry {
    /// Commands for the data channels of connections (Core 5.4, Vol 4 Part E 7.8.19, 7.8.20).
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
    /// Starts the channel map update procedure on the controller's connections as central that use another channel map
    /// (Core 5.4, Vol 6 Part B 5.1.2).
    fileprivate func updateChannelMaps(_ controller: Controller) {
        let map = controller.host.channelMap
        for case let end? in controller.ends where end.role == .central && end.channelMap != map {
            send(.channelMapIndication(map, instant: 0), from: end)
        }
    }
}

extension CommandEntry {
    /// Commands for the PHYs of connections (Core 5.4, Vol 4 Part E 7.8.47 to 7.8.49).
    static let phyCommands: [CommandEntry] = [
        .complete(35, 4) { (_, controller, command: HCILEReadPHY) in
            guard let end = controller.end(command.handle) else {
                return .init(
                    status: .unknownConnectionIdentifier, handle: command.handle, txPHY: .none, rxPHY: .none)
            }
            return .init(status: .success, handle: command.handle, txPHY: end.phys.tx, rxPHY: end.phys.rx)
        },
        .simple(35, 5) { (_, controller, command: HCILESetDefaultPHY) in
            let wanted = PHYPreference(all: command.allPHYs, tx: command.txPHYs, rx: command.rxPHYs)
            let status = controller.check(wanted)
            if status == .success { controller.host.defaultPHYs = wanted }
            return status
        },
        .status(
            35, 6,
            check: { (_, controller, command: HCILESetPHY) in
                guard let end = controller.end(command.handle) else { return .unknownConnectionIdentifier }
                guard command.options <= 2 else { return .invalidHCICommandParameters }
                let status = controller.check(
                    PHYPreference(all: command.allPHYs, tx: command.txPHYs, rx: command.rxPHYs))
                return status == .success && end.wantsPHYs ? .commandDisallowed : status
            },
            begin: { air, controller, command in
                if let end = controller.end(command.handle) {
                    air.requestPHYs(
                        end, PHYPreference(all: command.allPHYs, tx: command.txPHYs, rx: command.rxPHYs))
                }
            }),
    ]
}

/// A host's preferred PHYs of a connection.
struct PHYPreference: Equatable {
    /// Bit 0: no transmit preference, bit 1: no receive preference.
    var all: UInt8
    var tx: HCIPHYs
    var rx: HCIPHYs

    static let any = PHYPreference(all: 3, tx: [], rx: [])

    /// The wanted PHYs for sending, a subset of `supported`.
    func transmit(_ supported: HCIPHYs) -> HCIPHYs { all & 1 != 0 ? supported : tx }
    /// The wanted PHYs for receiving, a subset of `supported`.
    func receive(_ supported: HCIPHYs) -> HCIPHYs { all & 2 != 0 ? supported : rx }
}

extension Controller {
    var supportedPHYs: HCIPHYs {
        var phys = HCIPHYs.le1M
        if has(LEFeature.le2MPHY) { phys.insert(.le2M) }
        if has(LEFeature.leCodedPHY) { phys.insert(.leCoded) }
        return phys
    }

    fileprivate func check(_ wanted: PHYPreference) -> HCIErrorCode {
        let tx = wanted.transmit(supportedPHYs)
        let rx = wanted.receive(supportedPHYs)
        guard wanted.all <= 3, !tx.isEmpty, !rx.isEmpty else { return .invalidHCICommandParameters }
        return tx.union(rx).isSubset(of: supportedPHYs) ? .success : .unsupportedFeatureOrParameterValue
    }
}

extension HCIPHYs {
    /// The set of one PHY.
    init(_ phy: HCIPHY) {
        self.init(rawValue: 1...3 ~= phy.rawValue ? 1 << (phy.rawValue - 1) : 0)
    }

    /// The PHY of the lowest bit, or ``HCIPHY/none``.
    var first: HCIPHY {
        isEmpty ? .none : HCIPHY(rawValue: UInt8(rawValue.trailingZeroBitCount) + 1)
    }
}

extension CommandEntry {
    /// Commands for the authenticated payload time-out (Core 5.4, Vol 4 Part E 7.3.93, 7.3.94). On the simulated radio
    /// it never expires: the supervision time-out is shorter.
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
            // A peripheral may be silent during its latency.
            let silence = link.interval * (Int64(link.parameters.latency) + 1)
            guard command.timeout >= 1, Int64(command.timeout) * 10 * AirTime.millisecond >= silence else {
                return .init(status: .invalidHCICommandParameters, handle: command.handle)
            }
            end.authenticatedPayloadTimeout = command.timeout
            return .init(status: .success, handle: command.handle)
        },
    ]
}
