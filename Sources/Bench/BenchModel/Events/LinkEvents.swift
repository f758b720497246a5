public import BLECore

/// A controller was added to the air.
public struct ControllerAdded: EventPayload {
    /// The name of this kind of event.
    public static let kind = "controller"
    /// The controller's public address.
    public var address: String
    /// The company identifier of its manufacturer.
    public var company: Int
    /// The board of the controller; `nil`: the only board's controller, or no board's.
    public var board: String?

    /// A controller.
    public init(address: String, company: Int, board: String? = nil) {
        self.board = board
        self.address = address
        self.company = company
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        address = try fields.string("address")
        company = try fields.integer("company")
        board = try fields.optionalString("board")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("address", address)
        json.integer("company", company)
        if let board { json.string("board", board) }
    }

    /// The event as one line of text.
    public var text: String { "a controller\(board.map { " of '\($0)'" } ?? "") with the address \(address)" }

    /// Only decoding of packets needs it.
    public var isContext: Bool { false }
}

/// A controller has left the air.
public struct ControllerRemoved: EventPayload {
    /// The name of this kind of event.
    public static let kind = "controllerRemoved"

    /// A controller.
    public init() {}

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {}

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {}

    /// The event as one line of text.
    public var text: String { "the controller is gone" }

    /// Only decoding of packets needs it.
    public var isContext: Bool { false }
}

/// A packet passed between a host and its controller.
public struct HCIPacketObserved: EventPayload {
    /// The name of this kind of event.
    public static let kind = "hci"
    /// True if the host sent it.
    public var isFromHost: Bool
    /// The H4 packet, with its indicator.
    public var packet: [UInt8]

    /// A packet.
    public init(isFromHost: Bool, packet: [UInt8]) {
        self.isFromHost = isFromHost
        self.packet = packet
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        isFromHost = try fields.bool("fromHost")
        packet = try fields.bytes("packet")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.bool("fromHost", isFromHost)
        json.hexadecimal("packet", packet)
    }

    /// The event as one line of text.
    public var text: String { "HCI \(isFromHost ? "→" : "←") \(EventText.bytes(packet))" }

    /// Packets are too many for a context.
    public var isContext: Bool { false }
}

/// An advertising peer was heard.
public struct AdvertisementReceived: EventPayload {
    /// The name of this kind of event.
    public static let kind = "advertisement"
    /// The advertiser's address, or the stack's own identifier on stacks that hide addresses.
    public var address: String
    /// The local name.
    public var name: String?
    /// The advertised services.
    public var services: [BLEUUID]
    /// Received signal strength in dBm.
    public var rssi: Int

    /// An advertisement.
    public init(address: String, name: String?, services: [BLEUUID], rssi: Int) {
        self.address = address
        self.name = name
        self.services = services
        self.rssi = rssi
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        address = try fields.string("address")
        name = try fields.optionalString("name")
        services = try fields.uuids("services")
        rssi = try fields.integer("rssi")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.string("address", address)
        if let name { json.string("name", name) }
        json.key("services")
        json.array(services) { $0.string($1.description) }
        json.integer("rssi", rssi)
    }

    /// The event as one line of text.
    public var text: String {
        "heard \(address) \(name.map { "'\($0)' " } ?? "")[\(services.map(\.description).joined(separator: " "))] "
            + "\(rssi) dBm"
    }

    /// Advertisers repeat their advertisements.
    public var isFrequent: Bool { true }

    /// Only the last advertisement of an advertiser is kept.
    public func continues(_ former: any EventPayload) -> Bool {
        guard let former = former as? AdvertisementReceived else { return false }
        return former.address == address && former.name == name && former.services == services
    }
}

/// A connection was made.
public struct Connected: EventPayload {
    /// The name of this kind of event.
    public static let kind = "connected"
    /// The peer.
    public var address: String

    /// A connection.
    public init(address: String) { self.address = address }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { address = try fields.string("address") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.string("address", address) }

    /// The event as one line of text.
    public var text: String { "connected to \(address)" }
}

/// A connection ended.
public struct Disconnected: EventPayload {
    /// The name of this kind of event.
    public static let kind = "disconnected"
    /// The HCI error code (Core 5.4, Vol 1 Part F 1.3); `nil` on stacks that hide it.
    public var reason: UInt8?

    /// The end of a connection.
    public init(reason: UInt8?) { self.reason = reason }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { reason = try fields.optionalNumber("reason") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        if let reason { json.integer("reason", Int(reason)) }
    }

    /// The event as one line of text.
    public var text: String { "disconnected" + (reason.map { ", reason \(EventText.octet($0))" } ?? "") }
}

/// The ATT MTU of a connection changed.
public struct MTUChanged: EventPayload {
    /// The name of this kind of event.
    public static let kind = "mtu"
    /// The MTU in effect, in bytes.
    public var mtu: Int

    /// An MTU.
    public init(_ mtu: Int) { self.mtu = mtu }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) { mtu = try fields.integer("mtu") }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) { json.integer("mtu", mtu) }

    /// The event as one line of text.
    public var text: String { "MTU \(mtu)" }
}

/// The discovery of a board's services ended.
public struct ServicesDiscovered: EventPayload {
    /// The name of this kind of event.
    public static let kind = "discovered"
    /// The number of discovered services.
    public var services: Int
    /// The total number of their characteristics.
    public var characteristics: Int

    /// The numbers of discovered services and characteristics.
    public init(services: Int, characteristics: Int) {
        self.services = services
        self.characteristics = characteristics
    }

    /// Reads the event's fields.
    public init(_ fields: EventFields) throws(TimelineError) {
        services = try fields.integer("services")
        characteristics = try fields.integer("characteristics")
    }

    /// Writes the event's fields.
    public func write(to json: inout JSONWriter) {
        json.integer("services", services)
        json.integer("characteristics", characteristics)
    }

    /// The event as one line of text.
    public var text: String {
        "discovered \(EventText.count(services, "service")), \(EventText.count(characteristics, "characteristic"))"
    }
}
