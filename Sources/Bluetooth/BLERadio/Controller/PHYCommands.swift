import BLEPackets

extension CommandEntry {
    /// The PHYs of connections (Core 5.4, Vol 4 Part E 7.8.47 to 7.8.49).
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

    /// The PHYs for sending, of `supported`.
    func transmit(_ supported: HCIPHYs) -> HCIPHYs { all & 1 != 0 ? supported : tx }
    /// The PHYs for receiving, of `supported`.
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
