public import BLECore
public import BLEHost
internal import BenchExecutor
public import BLEPackets

/// Advertising, connections and security.
extension BLEPeripheral {
    /// Starts advertising; it restarts automatically while there are fewer connections than
    /// ``PeripheralDefinition/maximumConnections``.
    ///
    /// - Throws: `HostError`: `notReady`, `alreadyActive`, `invalidParameters`.
    public func startAdvertising() throws(HostError) {
        advertisesByItself = true
        let now = executor.now
        try peripheral.host.setAdvertisingData(definition.advertisingData.bytes, now: now)
        try peripheral.host.setScanResponseData(definition.scanResponseData.bytes, now: now)
        try peripheral.host.startAdvertising(definition.advertising, now: now)
        handleEvents()
    }

    /// Stops advertising until ``startAdvertising()`` or ``start()``.
    ///
    /// - Throws: `HostError`: `notReady`.
    public func stopAdvertising() throws(HostError) {
        advertisesByItself = false
        try peripheral.host.stopAdvertising(now: executor.now)
        handleEvents()
    }

    /// True while advertising.
    public var isAdvertising: Bool { peripheral.host.isAdvertising }

    /// Every connection, oldest first.
    public var connections: [ConnectionInfo] { peripheral.host.connections }

    /// Ends a connection; ``PeripheralDefinition/onDisconnect`` follows.
    ///
    /// - Throws: `HostError`: `notConnected`.
    public func disconnect(
        _ connection: ConnectionHandle, reason: HCIErrorCode = .remoteUserTerminatedConnection
    ) throws(HostError) {
        try peripheral.host.disconnect(connection, reason: reason, now: executor.now)
        handleEvents()
    }

    /// Requests other connection parameters; ``HostEvent/parametersUpdated(_:)`` or
    /// ``HostEvent/parameterUpdateFailed(_:_:)`` follows.
    ///
    /// - Throws: `HostError`: `notConnected`, `invalidParameters`, `alreadyActive`.
    public func updateParameters(
        _ parameters: ConnectionParameters, on connection: ConnectionHandle
    ) throws(HostError) {
        try peripheral.host.updateParameters(parameters, on: connection, now: executor.now)
        handleEvents()
    }

    // MARK: Security

    /// Sets the security configuration of later pairings.
    public func setSecurity(_ security: SecurityConfiguration) {
        peripheral.setSecurity(security)
    }

    /// Sends a Security Request to a central (Core 5.4, Vol 3 Part H 3.6.7).
    ///
    /// - Throws: `HostError`: `notConnected`, `alreadyActive`, `tooManyPairings`.
    public func startSecurity(on connection: ConnectionHandle) throws(HostError) {
        try peripheral.host.startSecurity(on: connection, now: executor.now)
        handleEvents()
    }

    /// Answers a pairing that ``PeripheralDefinition/onPairingInput`` left unanswered.
    ///
    /// - Throws: `HostError`: `notConnected`, `notAwaited`.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionHandle) throws(HostError) {
        try peripheral.host.answerPairing(answer, on: connection, now: executor.now)
        handleEvents()
    }

    /// Generates out-of-band data of LE Secure Connections, for the peer and for an answer of this device.
    ///
    /// - Throws: `HostError`: `notReady`; `PeripheralError`: `stopped`.
    public func makeOutOfBandValue() async throws -> OutOfBandValue {
        // The host of a stopped peripheral still seems ready, but the event would never follow.
        if !isRunning, peripheral.host.isReady {
            throw PeripheralError(.stopped, "\(definition.name): stopped")
        }
        try peripheral.host.makeOutOfBandValue(now: executor.now)
        handleEvents()
        return try await withCheckedThrowingContinuation { outOfBandWaiters.append($0) }
    }

    /// The bonds, oldest first.
    public var bonds: [Bond] { peripheral.host.bonds }

    /// Replaces the bonds without notifying peers.
    public func setBonds(_ bonds: [Bond]) {
        peripheral.host.setBonds(bonds)
        handleEvents()
    }

    /// Sets whether to use resolvable private addresses (Core 5.4, Vol 3 Part C 10.7); restarts advertising.
    ///
    /// - Throws: `HostError`: `notReady`.
    public func setPrivacy(_ isOn: Bool) throws(HostError) {
        let now = executor.now
        let wasAdvertising = peripheral.host.isAdvertising
        if wasAdvertising { try peripheral.host.stopAdvertising(now: now) }
        try peripheral.host.setPrivacy(isOn, now: now)
        if wasAdvertising { try startAdvertising() }
        handleEvents()
    }
}
