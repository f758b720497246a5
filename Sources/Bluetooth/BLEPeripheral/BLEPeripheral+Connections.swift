public import BLECore
public import BLEHost
import BenchExecutor
public import BLEPackets

/// Advertising, connections and security.
extension BLEPeripheral {
    /// Starts to advertise, and goes on by itself as ``PeripheralDefinition/maximumConnections`` says.
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

    /// Whether it advertises.
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

    /// Asks for other connection parameters; ``HostEvent/parametersUpdated(_:)`` or
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

    /// Changes what pairings that begin later ask for.
    public func setSecurity(_ security: SecurityConfiguration) {
        peripheral.setSecurity(security)
    }

    /// Asks a central for security with a Security Request (Core 5.4, Vol 3 Part H 3.6.7).
    ///
    /// - Throws: `HostError`: `notConnected`, `alreadyActive`, `tooManyPairings`.
    public func startSecurity(on connection: ConnectionHandle) throws(HostError) {
        try peripheral.host.startSecurity(on: connection, now: executor.now)
        handleEvents()
    }

    /// Answers what ``PeripheralDefinition/onPairingInput`` was called for and did not answer.
    ///
    /// - Throws: `HostError`: `notConnected`, `notAwaited`.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionHandle) throws(HostError) {
        try peripheral.host.answerPairing(answer, on: connection, now: executor.now)
        handleEvents()
    }

    /// Makes out-of-band data of LE Secure Connections, to be told to the peer and used in an answer.
    ///
    /// - Throws: `HostError`: `notReady`; `PeripheralError`: `stopped`.
    public func makeOutOfBandValue() async throws -> OutOfBandValue {
        try peripheral.host.makeOutOfBandValue(now: executor.now)
        handleEvents()
        return try await withCheckedThrowingContinuation { outOfBandWaiters.append($0) }
    }

    /// The peers whose keys are kept, oldest first.
    public var bonds: [Bond] { peripheral.host.bonds }

    /// Puts these bonds in place of those that are kept; peers are not told.
    public func setBonds(_ bonds: [Bond]) {
        peripheral.host.setBonds(bonds)
        handleEvents()
    }

    /// Uses resolvable private addresses from now on, or no more (Core 5.4, Vol 3 Part C 10.7); advertising starts anew.
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
