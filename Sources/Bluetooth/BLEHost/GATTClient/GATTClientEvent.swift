/// Names one operation of a ``GATTClient``.
public struct GATTOperation: Hashable, Sendable {
    /// The number, counted from 1.
    let rawValue: UInt64
}

/// How an operation ended well.
public enum GATTResult: Hashable, Sendable {
    /// There is nothing to say.
    case done
    /// The ATT MTU in effect, in bytes.
    case mtu(Int)
    /// What was read.
    case value([UInt8])
    /// What was discovered, in handle order.
    case services([RemoteService])
}

/// What a ``GATTClient`` tells its owner.
public enum GATTClientEvent: Sendable {
    /// An operation ended.
    case completed(GATTOperation, Result<GATTResult, GATTClientError>)
    /// The server sent a value of its own accord; indications have been confirmed.
    case notification(handle: UInt16, value: ArraySlice<UInt8>, isIndication: Bool)
    /// The ATT MTU in effect, in bytes, is another one.
    case mtuChanged(Int)
}
