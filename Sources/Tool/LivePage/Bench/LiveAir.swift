/// Listens to the air.
public protocol LiveAir: Sendable {
    /// Begins or ends listening.
    func listen(_ isOn: Bool) async throws
}

/// What the page shows of the air.
public struct AirState: Sendable, Encodable, Equatable {
    /// Somebody who advertises.
    public struct Peer: Sendable, Encodable, Equatable {
        /// Identifies it for commands.
        public var id: String
        /// Its name; `nil`: not known.
        public var name: String?
        /// Its strength in dBm; `nil`: not known.
        public var rssi: Int?
        /// The colour of the strength, as in HTML.
        public var color: String
        /// Names or UUIDs of the services that it advertises.
        public var services: [String]
        /// How often it was heard.
        public var count: Int
        /// When it was heard last, in milliseconds of the bench's clock.
        public var time: Double

        /// A peer.
        public init(
            id: String, name: String?, rssi: Int?, color: String, services: [String], count: Int, time: Double
        ) {
            self.id = id
            self.name = name
            self.rssi = rssi
            self.color = color
            self.services = services
            self.count = count
            self.time = time
        }
    }

    /// A connection.
    public struct Link: Sendable, Encodable, Equatable {
        /// The central, and the peripheral.
        public var central, peripheral: String
        /// The strength of the peripheral at the central in dBm; `nil`: not known.
        public var rssi: Int?

        /// A connection.
        public init(central: String, peripheral: String, rssi: Int?) {
            self.central = central
            self.peripheral = peripheral
            self.rssi = rssi
        }
    }

    /// Whether somebody listens.
    public var isListening = false
    /// Who advertises, nearest first.
    public var peers: [Peer] = []
    /// Who is connected.
    public var links: [Link] = []

    /// Nobody.
    public init() {}
}
