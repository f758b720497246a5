internal import BLECore

extension PeripheralDefinition {
    /// Checks what a ``PeripheralBackend`` is to publish.
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

    /// The length of the longest value of the attribute at a place.
    ///
    /// - Throws: `noSuchAttribute`; `valueTooLong` if `value` is longer.
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

    /// Checks what is to be notified, and returns whether as an indication.
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
