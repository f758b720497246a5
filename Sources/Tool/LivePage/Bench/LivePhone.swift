/// A phone beside the board: a central that its user controls.
public protocol LivePhone: Sendable {
    /// Begins or ends a search for peers.
    func search(_ isOn: Bool) async throws

    /// Connects to a peer that was found, and discovers its services; an earlier connection ends.
    func connect(to peer: String) async throws

    /// Ends the connection, or the attempt.
    func disconnect() async throws

    /// Reads the value of a characteristic.
    func read(_ characteristic: String) async throws

    /// Writes a value.
    func write(_ value: [UInt8], to characteristic: String, hasResponse: Bool) async throws

    /// Subscribes to a characteristic, or ends that.
    func subscribe(_ characteristic: String, _ isOn: Bool) async throws

    /// Pairs.
    func pair() async throws

    /// Answers the question of a pairing; `passkey` has six digits.
    func answer(isAccepted: Bool, passkey: String?) async throws

    /// Forgets all bonds of the phone.
    func forget() async throws

    /// Opens or closes the app for the calculator or the lock: it finds its peripheral and connects.
    func open(_ app: LiveApp, _ isOn: Bool) async throws

    /// Presses a key of the calculator: `0` to `9`, `+`, `-`, `×`, `=`, `back`, `clear`.
    func press(_ key: String) async throws

    /// Locks or unlocks.
    func setLock(_ isLocked: Bool) async throws
}

/// An app of the phone.
public enum LiveApp: String, Sendable, Codable {
    /// The calculator's client.
    case calculator
    /// The lock's client.
    case lock
}

/// The state of the phone that the page shows.
public struct PhoneState: Sendable, Encodable, Equatable {
    /// A characteristic.
    public struct Characteristic: Sendable, Encodable, Equatable {
        /// Identifies it for commands.
        public var id: String
        /// Its type.
        public var uuid: String
        /// Its name; `nil`: not known.
        public var name: String?
        /// `read`, `write`, `write without response`, `notify`, `indicate`, …
        public var properties: [String]
        /// Its last value, in hexadecimal digits; `nil`: not known.
        public var value: String?
        /// The value in words; `nil`: there are none.
        public var text: String?
        /// How many values came since the connection began.
        public var count = 0
        /// True if this phone has subscribed to it.
        public var isSubscribed = false

        /// A characteristic.
        public init(id: String, uuid: String, name: String?, properties: [String]) {
            self.id = id
            self.uuid = uuid
            self.name = name
            self.properties = properties
        }
    }

    /// A service.
    public struct Service: Sendable, Encodable, Equatable {
        /// Its type.
        public var uuid: String
        /// Its name; `nil`: not known.
        public var name: String?
        /// Its characteristics.
        public var characteristics: [Characteristic]

        /// A service.
        public init(uuid: String, name: String?, characteristics: [Characteristic]) {
            self.uuid = uuid
            self.name = name
            self.characteristics = characteristics
        }
    }

    /// A question of a pairing to the user.
    public enum Question: Sendable, Encodable, Equatable {
        /// The six digits that the peer shows.
        case enterPasskey
        /// The user has to tell if the peer shows the same number.
        case compare(String)
        /// Nothing: the peer's user is to enter these digits.
        case display(String)

        /// As JSON: `{"kind":"compare","number":"012345"}`.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .enterPasskey: try container.encode("enter", forKey: .kind)
            case .compare(let number):
                try container.encode("compare", forKey: .kind)
                try container.encode(number, forKey: .number)
            case .display(let number):
                try container.encode("display", forKey: .kind)
                try container.encode(number, forKey: .number)
            }
        }

        private enum CodingKeys: CodingKey { case kind, number }
    }

    /// The state of its Bluetooth stack: `powered on`.
    public var bluetooth = "unknown"
    /// True if it searches.
    public var isSearching = false
    /// The peers that the search has found, nearest first.
    public var found: [AirState.Peer] = []
    /// The connection: `none`, `connecting`, `connected`, `reconnecting`.
    public var connection = "none"
    /// The peer of the connection, or of the last one.
    public var peer: String?
    /// The peer's name.
    public var peerName: String?
    /// The protection of the link: `encrypted, authenticated, bonded`; `nil`: none.
    public var security: String?
    /// The peer's services.
    public var services: [Service] = []
    /// The question of the pairing.
    public var question: Question?
    /// The last event, for the user.
    public var message = ""

    /// A phone that is off.
    public init() {}
}

/// The state of the calculator's client that the page shows.
public struct CalculatorState: Sendable, Encodable, Equatable {
    /// True if it is open.
    public var isOpen = false
    /// The connection, in words.
    public var status = ""
    /// The calculation.
    public var display = ""
    /// True if keys do something.
    public var isKeypadShown = false

    /// It is closed.
    public init() {}
}

/// The state of the lock's client that the page shows.
public struct LockState: Sendable, Encodable, Equatable {
    /// True if it is open.
    public var isOpen = false
    /// The connection and the bolt, in words.
    public var status = ""
    /// `unknown`, `locked`, `unlocked`, `moving`.
    public var bolt = "unknown"
    /// Which commands are allowed.
    public var canLock = false, canUnlock = false
    /// The last lines of its log, oldest first.
    public var log: [String] = []

    /// It is closed.
    public init() {}
}
