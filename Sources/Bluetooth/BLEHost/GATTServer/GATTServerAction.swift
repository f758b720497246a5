/// An action for the owner of a ``GATTServer``; the order matters.
public enum GATTServerAction: Hashable, Sendable {
    /// Send an ATT PDU on a connection.
    case send(connection: UInt16, pdu: [UInt8])
    /// Call the application's read callback of an attribute; the value is read when the token is resumed.
    case readRequested(GATTCallbackToken, handle: UInt16, connection: UInt16)
    /// A client wrote an attribute; its value has been stored. With a token, call the application's write callback: the
    /// response follows when the token is resumed.
    case written(GATTCallbackToken?, handle: UInt16, connection: UInt16, value: [UInt8])
    /// A client changed its configuration of a characteristic, or the connection ended (value 0). Bit 0: notifications,
    /// bit 1: indications. With a token, call the application's subscribe callback.
    case subscribed(GATTCallbackToken?, valueHandle: UInt16, connection: UInt16, value: UInt16)
    /// A client exchanged the MTU; the response has been sent. With a token, call the application's callback.
    case mtuChanged(GATTCallbackToken?, connection: UInt16, mtu: Int)
    /// A client on an unencrypted link subscribed to a characteristic that requires encryption: request security
    /// (``Host/startSecurity(on:now:)``), as NimBLE-Arduino does. A refusal has no effect.
    case startSecurity(connection: UInt16)
    /// ``GATTServer/storedSubscriptions`` or ``GATTServer/storedFeatures`` changed: store them.
    case subscriptionsStored
    /// The result of a notification or indication of a characteristic with callbacks.
    case sent(valueHandle: UInt16, connection: UInt16, status: GATTSendStatus)
    /// The connection has ended, and all its events have been reported.
    case closed(connection: UInt16)
    /// End the connection with this HCI reason: the client left a queued write or an indication open too long.
    case disconnect(connection: UInt16, reason: UInt8)
}

/// Identifies one callback that the server waits for.
public struct GATTCallbackToken: Hashable, Sendable {
    /// The number, counted from 1; never reused by a server.
    public let rawValue: UInt64
}

/// NimBLE's status of a notification or indication: a host return code (`BLE_HS_E*`, or 0x100 and an ATT error code);
/// open for any value.
public struct GATTSendStatus: RawRepresentable, Hashable, Sendable {
    /// NimBLE's number.
    public let rawValue: Int

    /// A status by NimBLE's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The notification was sent.
    public static let success = GATTSendStatus(rawValue: 0)
    /// No such attribute.
    public static let noEntry = GATTSendStatus(rawValue: 5)
    /// No buffer was free, or four indications were outstanding.
    public static let noMemory = GATTSendStatus(rawValue: 6)
    /// The connection does not exist, or ended before the confirmation.
    public static let notConnected = GATTSendStatus(rawValue: 7)
    /// The client did not confirm within 30 s.
    public static let timedOut = GATTSendStatus(rawValue: 13)
    /// The client confirmed the indication.
    public static let done = GATTSendStatus(rawValue: 14)
}
