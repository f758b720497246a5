public import BLECore

/// A service of a connected peripheral.
public struct Service: Sendable {
    /// What was discovered.
    public let discovered: DiscoveredService
    /// Whose.
    public let peripheral: Peripheral

    /// Its type.
    public var uuid: BLEUUID { discovered.uuid }

    /// Its characteristics, in the order of the peripheral.
    public var characteristics: [Characteristic] {
        discovered.characteristics.map { Characteristic(discovered: $0, peripheral: peripheral) }
    }

    /// Its first characteristic of this type.
    ///
    /// - Throws: `invalidState` when there is none.
    public func characteristic(_ uuid: BLEUUID) throws(CentralError) -> Characteristic {
        guard let found = characteristics.first(where: { $0.uuid == uuid }) else {
            let list = characteristics.isEmpty ? "none" : characteristics.map { "\($0.uuid)" }.joined(separator: ", ")
            throw CentralError(
                .invalidState, "expected the characteristic \(uuid), the service \(self.uuid) has \(list)")
        }
        return found
    }
}
