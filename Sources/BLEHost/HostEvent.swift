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
