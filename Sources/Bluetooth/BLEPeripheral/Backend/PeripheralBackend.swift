public import BLECore

/// A Bluetooth stack in the peripheral role, on which a program publishes a peripheral.
///
/// ```swift
/// let level = definition.characteristic(BLEUUID(0x2A19))
/// try await backend.publish(definition, PeripheralHandlers(onRead: { _, _ in [87] }))
/// try backend.notify([86], of: level)
/// ```
///
/// | | ``HCIPeripheral`` | BlueZ | CoreBluetooth |
/// |---|---|---|---|
/// | GAP's device name | the definition's | the adapter's | the computer's |
/// | to one central only | yes | no: `unsupported` | yes |
/// | the passkey to show | ``PeripheralHandlers/onPairingInput`` chooses | `passkeyDisplayed` | macOS shows it |
/// | `onSubscribe` says which central | yes | no | yes |
///
/// The attributes' values are stored by the backend. All methods are called on the bench's executor.
public protocol PeripheralBackend: Sendable {
    /// Registers the services, and starts advertising; returns when centrals can see and use the peripheral. Withdraws
    /// the former definition first.
    ///
    /// - Parameters:
    ///   - definition: without its own handlers, which only a ``BLEPeripheral`` calls.
    /// - Throws: ``PeripheralError``; `HostError` of espbench's own host; `CentralError` `unavailable` of a system's
    ///   stack, naming the missing part.
    func publish(_ definition: PeripheralDefinition, _ handlers: PeripheralHandlers) async throws

    /// Stores a value without notifying centrals.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`, `stopped`.
    func setValue(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError)

    /// Sends a value to every subscribed central, or to one, without storing it: as a notification if the
    /// characteristic supports them, otherwise as an indication. Without a subscriber, sends nothing.
    ///
    /// - Parameters:
    ///   - value: truncated to MTU − 3 bytes; at least one byte.
    ///   - central: `nil`: all subscribed centrals.
    /// - Returns: false if a queue is full, or an indication is not confirmed yet: nothing has been sent, and
    ///   ``PeripheralEvent/roomAvailable`` follows.
    /// - Throws: `noSuchAttribute`, `valueTooLong` (also for an empty value), `unsupported`, `stopped`.
    func notify(_ value: [UInt8], of attribute: AttributePath, to central: RemoteCentral?) throws(PeripheralError)
        -> Bool

    /// Withdraws the peripheral: ends advertising and its connections, as far as the stack allows. May be followed by
    /// ``publish(_:_:)``.
    func close() async
}

extension PeripheralBackend {
    /// Sends a value to every subscribed central: ``notify(_:of:to:)``.
    @discardableResult
    public func notify(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError) -> Bool {
        try notify(value, of: attribute, to: nil)
    }
}

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

/// An event of a published peripheral, other than accesses to its attributes.
public enum PeripheralEvent: Sendable {
    /// A central has connected. CoreBluetooth does not report it; BlueZ reports every connection of the adapter.
    case connected(RemoteCentral)
    /// A connection has ended.
    case disconnected(RemoteCentral)
    /// The stack has chosen the passkey to be entered by the central's user: show it.
    case passkeyDisplayed(UInt32, RemoteCentral)
    /// Room is available again after ``PeripheralBackend/notify(_:of:to:)`` has returned false.
    case roomAvailable
    /// The stack is no longer available: nothing is published. ``PeripheralBackend/publish(_:_:)`` may be tried again.
    case failed(any Error)
}

/// The reactions of a program to centrals that use its published peripheral.
///
/// The handlers are called on the bench's executor, one at a time and in the order of the events; while one runs, no
/// request is answered. They may call ``PeripheralBackend/setValue(_:of:)`` and ``PeripheralBackend/notify(_:of:to:)``.
public struct PeripheralHandlers: Sendable {
    /// A central reads an attribute from its beginning; returns the value, which is stored and sent, or `nil` for the
    /// stored one. A thrown `ATTErrorCode` is sent in an Error Response, any other error as Unlikely Error (0x0E).
    public var onRead: @Sendable (AttributePath, RemoteCentral) throws -> [UInt8]?
    /// A central has written an attribute, and the value has been stored. An error restores the former value, and is
    /// sent like an error of ``onRead``.
    public var onWrite: @Sendable (_ value: [UInt8], AttributePath, RemoteCentral) throws -> Void
    /// A central has changed its subscription, or its subscription has ended with its connection. If the stack hides
    /// the central (BlueZ), the central is `nil`, and the subscription is that of all centrals together.
    public var onSubscribe: @Sendable (Subscription, AttributePath, RemoteCentral?) -> Void
    /// A pairing requests input from this peripheral's user.
    public var onPairingInput: @Sendable (PairingInput, RemoteCentral) -> PairingAnswer
    /// All other events.
    public var onEvent: @Sendable (PeripheralEvent) -> Void

    /// Handlers; by default values are stored and sent unchanged, and pairings that request input are cancelled.
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

/// The position of an attribute in a ``PeripheralDefinition``, where a UUID may occur more than once.
public struct AttributePath: Hashable, Sendable {
    /// The index in ``PeripheralDefinition/services``.
    public var service: Int
    /// The index in ``ServiceDefinition/characteristics``.
    public var characteristic: Int
    /// The index in ``CharacteristicDefinition/descriptors``; `nil`: the characteristic's value.
    public var descriptor: Int?

    /// A path; the attribute need not exist.
    public init(service: Int, characteristic: Int, descriptor: Int? = nil) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }
}

extension PeripheralDefinition {
    /// The paths of all characteristic values and descriptors, in order.
    public var attributes: [AttributePath] {
        services.indices.flatMap { service in
            services[service].characteristics.indices.flatMap { characteristic in
                let descriptors = services[service].characteristics[characteristic].descriptors.indices
                return [AttributePath(service: service, characteristic: characteristic)]
                    + descriptors.map {
                        AttributePath(service: service, characteristic: characteristic, descriptor: $0)
                    }
            }
        }
    }

    /// The characteristic at a path, or of the descriptor at a path; `nil` if it does not exist.
    public func characteristic(at path: AttributePath) -> CharacteristicDefinition? {
        guard services.indices.contains(path.service),
            services[path.service].characteristics.indices.contains(path.characteristic)
        else { return nil }
        return services[path.service].characteristics[path.characteristic]
    }

    /// The descriptor at a path; `nil` if it does not exist, or is a characteristic's value.
    public func descriptor(at path: AttributePath) -> DescriptorDefinition? {
        guard let index = path.descriptor, let descriptors = characteristic(at: path)?.descriptors,
            descriptors.indices.contains(index)
        else { return nil }
        return descriptors[index]
    }

    /// The UUID of the attribute at a path; `nil` if it does not exist.
    public func uuid(at path: AttributePath) -> BLEUUID? {
        path.descriptor == nil ? characteristic(at: path)?.uuid : descriptor(at: path)?.uuid
    }

    /// The path of the first characteristic value with this UUID; in this service, if given.
    public func characteristic(_ uuid: BLEUUID, in service: BLEUUID? = nil) -> AttributePath? {
        attributes.first { path in
            path.descriptor == nil && self.uuid(at: path) == uuid
                && (service == nil || services[path.service].uuid == service)
        }
    }
}

extension PeripheralDefinition {
    /// Checks a definition for a ``PeripheralBackend``.
    ///
    /// - Throws: `invalidDefinition`.
    public func checkForBackend() throws(PeripheralError) {
        try check()
        _ = try AttributeTable(self)
        let hasHandlers = attributes.contains { path in
            if let descriptor = descriptor(at: path) { return descriptor.onRead != nil || descriptor.onWrite != nil }
            guard let characteristic = characteristic(at: path) else { return false }
            return characteristic.onRead != nil || characteristic.onWrite != nil || characteristic.onSubscribe != nil
                || characteristic.onSent != nil
        }
        guard !hasHandlers, onConnect == nil, onDisconnect == nil, onPairingInput == nil, onEvent == nil,
            onHandlerError == nil
        else {
            throw PeripheralError(
                .invalidDefinition, "\(name): expected a definition without handlers, which a backend does not call")
        }
    }

    /// Checks that `value` is not too long for the attribute at a path.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`.
    public func check(_ value: [UInt8], of path: AttributePath) throws(PeripheralError) {
        let limit =
            path.descriptor == nil ? characteristic(at: path)?.maximumLength : descriptor(at: path)?.maximumLength
        guard let limit else {
            throw PeripheralError(.noSuchAttribute, "\(name): expected an attribute at \(path), which it lacks")
        }
        guard value.count <= limit else {
            throw PeripheralError(
                .valueTooLong,
                "\(name): expected a value of at most \(limit) bytes for \(path), got \(value.count)")
        }
    }

    /// Checks a value to be sent; returns true for an indication, false for a notification.
    ///
    /// - Throws: `noSuchAttribute`, `valueTooLong`, `unsupported`.
    public func checkNotification(_ value: [UInt8], of path: AttributePath) throws(PeripheralError) -> Bool {
        try check(value, of: path)
        guard path.descriptor == nil, let properties = characteristic(at: path)?.properties,
            !properties.isDisjoint(with: [.notify, .indicate])
        else {
            throw PeripheralError(
                .unsupported, "\(name): expected \(path) to have notifications or indications, it has none")
        }
        guard !value.isEmpty else {
            throw PeripheralError(.valueTooLong, "\(name): expected at least 1 byte to notify of \(path), got none")
        }
        return !properties.contains(.notify)
    }
}
