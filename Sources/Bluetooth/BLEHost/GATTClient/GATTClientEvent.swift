public import BLECore

/// Identifies one operation of a ``GATTClient``.
public struct GATTOperation: Hashable, Sendable {
    /// The number, counted from 1.
    let rawValue: UInt64
}

/// The result of a successful operation.
public enum GATTResult: Hashable, Sendable {
    /// Success without a value.
    case done
    /// The ATT MTU in effect, in bytes.
    case mtu(Int)
    /// The value read.
    case value([UInt8])
    /// The discovered services, in handle order.
    case services([DiscoveredService])
}

/// An event of a ``GATTClient``.
public enum GATTClientEvent: Sendable {
    /// An operation ended.
    case completed(GATTOperation, Result<GATTResult, GATTClientError>)
    /// The server sent a notification or an indication; indications have been confirmed.
    case notification(handle: UInt16, value: ArraySlice<UInt8>, isIndication: Bool)
    /// The ATT MTU in effect changed; in bytes.
    case mtuChanged(Int)
}
