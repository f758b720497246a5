public import BLECore

/// A central that uses a published peripheral, as its stack identifies it: by the address (the identity address, if the
/// stack knows it), or by CoreBluetooth's UUID.
public struct RemoteCentral: Hashable, Sendable, CustomStringConvertible {
    /// The address or UUID.
    public let description: String

    /// A central by its address or UUID.
    public init(_ description: String) {
        self.description = description
    }
}

/// What happens at a published peripheral, other than accesses to its attributes.
public enum PeripheralEvent: Sendable {
    /// A central has connected. CoreBluetooth does not report it; BlueZ reports every connection of the adapter.
    case connected(RemoteCentral)
    /// A connection has ended.
    case disconnected(RemoteCentral)
    /// The stack has chosen the passkey that the central's user has to enter: show it.
    case passkeyDisplayed(UInt32, RemoteCentral)
    /// There is room again after ``PeripheralBackend/notify(_:of:to:)`` has returned false.
    case roomAvailable
    /// The stack is gone: nothing is published any more. ``PeripheralBackend/publish(_:_:)`` may be tried again.
    case failed(any Error)
}

/// What a program does when centrals use its published peripheral.
///
/// The handlers are called on the bench's executor, one at a time and in the order of the events; while one runs no
/// request is answered. They may call ``PeripheralBackend/setValue(_:of:)`` and ``PeripheralBackend/notify(_:of:to:)``.
public struct PeripheralHandlers: Sendable {
    /// A central reads an attribute from its beginning; returns the value, which is stored and sent, or `nil` for the
    /// stored one. An `ATTErrorCode` that it throws is sent in an Error Response; any other error becomes Unlikely
    /// Error (0x0E).
    public var onRead: @Sendable (AttributePath, RemoteCentral) throws -> [UInt8]?
    /// A central has written an attribute, and the value has been stored. An error restores the former value, and is sent
    /// as those of ``onRead``.
    public var onWrite: @Sendable (_ value: [UInt8], AttributePath, RemoteCentral) throws -> Void
    /// A central has changed its subscription, or its subscription has ended with its connection. Without a central
    /// where the stack hides it (BlueZ): the subscription of all of them together.
    public var onSubscribe: @Sendable (Subscription, AttributePath, RemoteCentral?) -> Void
    /// A pairing asks this peripheral's user.
    public var onPairingInput: @Sendable (PairingInput, RemoteCentral) -> PairingAnswer
    /// Everything else.
    public var onEvent: @Sendable (PeripheralEvent) -> Void

    /// Handlers; by default values are stored and sent as they are, and pairings that ask are cancelled.
    public init(
        onRead: @escaping @Sendable (AttributePath, RemoteCentral) throws -> [UInt8]? = { _, _ in nil },
        onWrite: @escaping @Sendable ([UInt8], AttributePath, RemoteCentral) throws -> Void = { _, _, _ in },
        onSubscribe: @escaping @Sendable (Subscription, AttributePath, RemoteCentral?) -> Void = { _, _, _ in },
        onPairingInput: @escaping @Sendable (PairingInput, RemoteCentral) -> PairingAnswer = { _, _ in .cancel },
        onEvent: @escaping @Sendable (PeripheralEvent) -> Void = { _ in }
    ) {
        self.onRead = onRead
        self.onWrite = onWrite
        self.onSubscribe = onSubscribe
        self.onPairingInput = onPairingInput
        self.onEvent = onEvent
    }
}
