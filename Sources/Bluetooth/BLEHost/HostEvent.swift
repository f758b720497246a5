public import BLECore
public import BLEPackets
public import ByteCodec

/// An event of a ``Host``.
public enum HostEvent: Sendable {
    /// Host and controller are synchronized; the controller's public address.
    case synchronized(publicAddress: DeviceAddress)
    /// The host has stopped: its connections have been removed, and only ``Host/start(now:)`` restarts it.
    case failed(HostError)
    /// The controller refused a command; its procedure has ended.
    case commandFailed(HCIOpcode, HCIErrorCode)
    /// A packet of the controller could not be decoded; it was ignored.
    case malformedPacket(CodecError)

    /// A link was created; ATT PDUs may follow.
    case linkEstablished(ConnectionInfo)
    /// The connection is ready for the application. In the peripheral role this is reported when the peer's version and
    /// features are known, as NimBLE's `onConnect` does; in the central role at once.
    case connected(ConnectionInfo)
    /// A link has ended, but is kept until ``Host/finishDisconnection(of:now:)``; only with ``Host/keepsEndedLinks``.
    case linkEnding(ConnectionHandle)
    /// A link has ended. `wasConnected`: true if ``connected(_:)`` was reported for it.
    case disconnected(ConnectionInfo, reason: HCIErrorCode, wasConnected: Bool)
    /// The controller changed the parameters of a connection.
    case parametersUpdated(ConnectionInfo)
    /// The answer to ``Host/readRSSI(on:now:)``: in dBm; `nil` if the controller does not know it.
    case rssiAnswered(Result<Int?, HostError>)
    /// The answer to ``Host/readPHY(on:now:)``.
    case phyAnswered(Result<LinkPHYs, HostError>)
    /// A requested update of parameters failed.
    case parameterUpdateFailed(ConnectionInfo, HCIErrorCode)
    /// A PDU of the Attribute Protocol.
    case attributePDU(ConnectionHandle, ArraySlice<UInt8>)
    /// The queue has space again after ``Host/hasRoom(on:)`` was false.
    case roomAvailable(ConnectionHandle)

    /// A pairing waits for an answer by ``Host/answerPairing(_:on:now:)``.
    case pairingInput(ConnectionHandle, PairingInput)
    /// A pairing or encryption ended; its status, and the connection's security. Corresponds to NimBLE's
    /// `BLE_GAP_EVENT_ENC_CHANGE`: a pairing reports it after the exchange of keys.
    case encryptionChanged(ConnectionHandle, SecurityStatus, LinkSecurity)
    /// A pairing ended; follows ``encryptionChanged(_:_:_:)``.
    case pairingEnded(ConnectionHandle, SecurityStatus)
    /// A peer has bonded: a GATT server stores its subscriptions from now on (``GATTServer/bondEstablished(_:peer:)``).
    /// Follows ``encryptionChanged(_:_:_:)``.
    case bondEstablished(ConnectionHandle, DeviceAddress)
    /// A bonded peer has encrypted again: a GATT server restores its subscriptions
    /// (``GATTServer/bondRestored(_:peer:now:)``). Follows ``encryptionChanged(_:_:_:)``.
    case bondRestored(ConnectionHandle, DeviceAddress)
    /// The result of ``Host/gattSecurity(of:)`` for a connection may have changed.
    case securityChanged(ConnectionHandle)
    /// A peer with a private address distributed its identity address.
    case identityResolved(ConnectionHandle, DeviceAddress)
    /// Security Request of the peripheral; the owner encrypts, pairs or does nothing.
    case securityRequested(ConnectionHandle, SMPAuthenticationRequirements)
    /// ``Host/bonds`` changed: the owner stores them.
    case bondsChanged
    /// A bond was deleted: delete the peer's subscriptions, too (``GATTServer/forgetSubscriptions(of:)``).
    case bondRemoved(DeviceAddress)
    /// The host generated its Identity Resolving Key, 16 bytes: the owner stores it.
    case identityKeyMade([UInt8])

    /// `success`: the filter accept list was set; otherwise the controller refused an entry.
    case acceptListAnswered(HCIErrorCode)
    /// Advertising ended after its duration.
    case advertisingEnded
    /// Scanning started or restarted.
    case scanningStarted
    /// Scanning ended.
    case scanningStopped
    /// An advertising report.
    case advertisingReport(HCILEAdvertisingReport.Report)
    /// The attempt to connect ended without a connection; `unknownConnectionIdentifier` after a cancel.
    case connectionFailed(HCIErrorCode)
}
