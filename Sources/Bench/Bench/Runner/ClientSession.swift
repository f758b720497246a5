import BLECentral
import BLECore
import BenchModel

/// One of a suite's centrals, with its link if it has one.
struct ClientSession {
    /// The client's name in the suite.
    let name: String
    let backend: any CentralBackend
    /// The identity address.
    let identity: DeviceAddress
    var connection: ConnectionID?
    var services: [DiscoveredService] = []
    /// Whether ``services`` were discovered on this link; else on an earlier one.
    var isDiscovered = false
    /// The value attribute of each of the suite's UUIDs on this link, by the UUID's index.
    var attributes: [AttributeID?] = []
    /// Their handles, for PDUs that no stack sends.
    var handles: [UInt16?] = []
    /// Whether the suite has asked for the link's end, so that the end is no event to expect.
    var isDisconnecting = false

    /// Begins a link with what a discovery found: on this link, or before.
    mutating func begin(
        _ connection: ConnectionID, _ services: [DiscoveredService], _ uuids: [NamedUUID], isDiscovered: Bool
    ) {
        self.connection = connection
        self.services = services
        self.isDiscovered = isDiscovered
        isDisconnecting = false
        let characteristics = services.flatMap(\.characteristics)
        let named = uuids.map { named in characteristics.first { $0.uuid == named.uuid } }
        attributes = named.map { $0?.value }
        handles = named.map { $0?.handle }
    }

    /// The Client Characteristic Configuration of a characteristic.
    func configuration(of characteristic: AttributeID) -> AttributeID? {
        services.lazy.flatMap(\.characteristics).first { $0.value == characteristic }?
            .descriptors.first { $0.uuid == BLEUUID(0x2902) }?.attribute
    }
}
