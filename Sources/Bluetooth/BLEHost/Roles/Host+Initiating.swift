public import BLECore
internal import BLEPackets
public import MonotonicTime

extension Host {
    /// Connects to an advertiser; ``HostEvent/connected(_:)`` or ``HostEvent/connectionFailed(_:)`` follows. There is
    /// no time-out: ``cancelConnect(now:)`` ends the attempt.
    ///
    /// - Throws: `notReady`; `alreadyActive` while another attempt runs; `invalidParameters`.
    public func connect(
        to peer: DeviceAddress, _ parameters: ConnectionParameters = ConnectionParameters(), now: MonotonicInstant
    ) throws(HostError) {
        let controller = try controller("connect")
        guard !isInitiating else {
            throw HostError(.alreadyActive, "connect to \(peer): expected no other attempt, but one runs")
        }
        try check(parameters, "connect to \(peer)")
        rotateIfDue(now)
        isInitiating = true
        initiatingAddress = ownAddress
        let parameters = HCIConnectionParameters(parameters)
        if usesExtendedCommands {
            // The advertiser chooses the PHY of the connection.
            var phys = HCIPHYs.le1M
            if controller.has2MPHY { phys.insert(.le2M) }
            if controller.hasCodedPHY { phys.insert(.leCoded) }
            commands.append(
                HCILEExtendedCreateConnection(
                    usesFilterAcceptList: false, ownAddressType: ownAddressType, peerAddress: peer, phys: phys,
                    initiations: phys.each.map { _ in .init(scanInterval: 16, scanWindow: 16, parameters: parameters) }
                ).packet)
        } else {
            commands.append(
                HCILECreateConnection(
                    scanInterval: 16, scanWindow: 16, usesFilterAcceptList: false, peerAddress: peer,
                    ownAddressType: ownAddressType, parameters: parameters
                ).packet)
        }
        flush(now)
    }

    /// Cancels an attempt to connect; ``HostEvent/connectionFailed(_:)`` follows, unless the connection is created
    /// first.
    public func cancelConnect(now: MonotonicInstant) {
        guard isInitiating else { return }
        commands.append(HCILECreateConnectionCancel().packet)
        flush(now)
    }

    func check(_ parameters: ConnectionParameters, _ what: String) throws(HostError) {
        guard parameters.areValid else {
            throw HostError(
                .invalidParameters,
                """
                \(what): expected connection parameters of Vol 4 Part E 7.8.18, got interval \
                \(parameters.intervalMin)...\(parameters.intervalMax), latency \(parameters.latency), \
                time-out \(parameters.supervisionTimeout)
                """)
        }
    }
}
