public import BLECore

/// A descriptor of a characteristic. It is that of one connection, as its characteristic.
public struct Descriptor: Sendable {
    /// What was discovered.
    public let discovered: DiscoveredDescriptor
    /// Whose.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }

    private var central: Central { peripheral.central }

    /// Reads the value.
    ///
    /// - Parameter timeout: `nil`: the stack's own, 30 s by the specification.
    public func read(within timeout: Duration? = nil) async throws(CentralError) -> [UInt8] {
        try await central.read(discovered.attribute, uuid, of: peripheral.id, within: timeout)
    }

    /// Writes the value, with a response: descriptors take no other writes (Core 5.4, Vol 3 Part G 4.12.3).
    ///
    /// - Parameter timeout: `nil`: the stack's own, 30 s by the specification.
    public func write(_ value: [UInt8], within timeout: Duration? = nil) async throws(CentralError) {
        try await central.write(
            value, .withResponse, to: discovered.attribute, uuid, of: peripheral.id, within: timeout)
    }
}

extension Characteristic {
    /// Its descriptors, in the order of the server. What a stack keeps to itself is not among them: BlueZ shows no Client
    /// Characteristic Configuration.
    public var descriptors: [Descriptor] {
        discovered.descriptors.map { Descriptor(discovered: $0, peripheral: peripheral) }
    }
}
