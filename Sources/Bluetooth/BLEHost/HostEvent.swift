public import BLECore
public import BLEPackets
public import ByteCodec

/// What a ``Host`` tells its owner.
public enum HostEvent: Sendable {
    /// Host and controller are synchronized; the controller's public address.
    case synchronized(publicAddress: DeviceAddress)
    /// The host has stopped: its connections are gone, only ``Host/start(now:)`` revives it.
    case failed(HostError)
    /// The controller refused a command; the procedure it belongs to is over.
    case commandFailed(HCIOpcode, HCIErrorCode)
    /// The controller sent what cannot be decoded; it was ignored.
    case malformedPacket(CodecError)

    /// A link is there; ATT PDUs may follow.
    case linkEstablished(ConnectionInfo)
    /// The connection is ready for the application. In the peripheral role this comes when the peer's version and
    /// features are known, as NimBLE's `onConnect` does; in the central role at once.
    case connected(ConnectionInfo)
    /// A link is gone, but stays known until ``Host/finishDisconnection(of:now:)``; only with
    /// ``Host/keepsEndedLinks``.
    case linkEnding(ConnectionHandle)
    /// A link is gone. `wasConnected` says whether ``connected(_:)`` came for it.
    case disconnected(ConnectionInfo, reason: HCIErrorCode, wasConnected: Bool)
    /// The controller changed the parameters of a connection.
    case parametersUpdated(ConnectionInfo)
    /// A change of parameters that was asked for did not come about.
    case parameterUpdateFailed(ConnectionInfo, HCIErrorCode)
    /// A PDU of the Attribute Protocol.
    case attributePDU(ConnectionHandle, ArraySlice<UInt8>)
    /// PDUs wait no more after ``Host/hasRoom(on:)`` was false.
    case roomAvailable(ConnectionHandle)

    /// A pairing waits for an answer by ``Host/answerPairing(_:on:now:)``.
    case pairingInput(ConnectionHandle, PairingInput)
    /// A pairing or encryption ended; how, and how the connection is protected now. NimBLE's `BLE_GAP_EVENT_ENC_CHANGE`,
    /// which in a pairing comes when the keys have been exchanged.
    case encryptionChanged(ConnectionHandle, SecurityStatus, LinkSecurity)
    /// A pairing ended; follows ``encryptionChanged(_:_:_:)``.
    case pairingEnded(ConnectionHandle, SecurityStatus)
    /// A peer has paired and both keep the keys: a GATT server keeps its subscriptions from now on
    /// (``GATTServer/bondEstablished(_:peer:)``). Follows ``encryptionChanged(_:_:_:)``.
    case bondEstablished(ConnectionHandle, DeviceAddress)
    /// A bonded peer has encrypted again: a GATT server restores its subscriptions
    /// (``GATTServer/bondRestored(_:peer:now:)``). Follows ``encryptionChanged(_:_:_:)``.
    case bondRestored(ConnectionHandle, DeviceAddress)
    /// What ``Host/gattSecurity(of:)`` says of a connection may have changed.
    case securityChanged(ConnectionHandle)
    /// A peer with a private address told its identity address.
    case identityResolved(ConnectionHandle, DeviceAddress)
    /// The peripheral asks the central for security; the owner encrypts, pairs or does nothing.
    case securityRequested(ConnectionHandle, SMPAuthenticationRequirements)
    /// ``Host/bonds`` changed: the owner stores them.
    case bondsChanged
    /// The keys of a peer are gone: its subscriptions go, too (``GATTServer/forgetSubscriptions(of:)``).
    case bondRemoved(DeviceAddress)
    /// The host made itself an Identity Resolving Key, 16 bytes: the owner stores it.
    case identityKeyMade([UInt8])

    /// The filter accept list is the one that was asked for, or, unless `success`, the controller refused a part of it.
    case acceptListAnswered(HCIErrorCode)
    /// Advertising ended because its duration is over.
    case advertisingEnded
    /// Scanning began, or began anew.
    case scanningStarted
    /// Scanning ended.
    case scanningStopped
    /// The scanner heard a peer.
    case advertisingReport(HCILEAdvertisingReport.Report)
    /// The attempt to connect ended without a connection; `unknownConnectionIdentifier` after a cancel.
    case connectionFailed(HCIErrorCode)
}
