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
    /// The value attribute of each of the suite's UUIDs on this link, by the UUID's index.
    var attributes: [AttributeID?] = []
    /// Whether the suite has asked for the link's end, so that the end is no event to expect.
    var isDisconnecting = false

    /// Takes what discovery found, on a new link.
    mutating func begin(_ connection: ConnectionID, _ services: [DiscoveredService], _ uuids: [NamedUUID]) {
        self.connection = connection
        self.services = services
        isDisconnecting = false
        let characteristics = services.flatMap(\.characteristics)
        attributes = uuids.map { named in characteristics.first { $0.uuid == named.uuid }?.value }
    }
}
