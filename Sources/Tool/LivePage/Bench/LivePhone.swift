/// A phone near the board: a central controlled by the page's user.
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

    /// Subscribes to a characteristic, or unsubscribes.
    func subscribe(_ characteristic: String, _ isOn: Bool) async throws

    /// Pairs.
    func pair() async throws

    /// Answers a pairing's request; `passkey` has six digits.
    func answer(isAccepted: Bool, passkey: String?) async throws

    /// Deletes all bonds of the phone.
    func forget() async throws

    /// Opens or closes the app for the calculator or the lock; an open app finds its peripheral and connects.
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
        /// The characteristic's type.
        public var uuid: String
        /// The characteristic's name; `nil`: not known.
        public var name: String?
        /// `read`, `write`, `write without response`, `notify`, `indicate`, …
        public var properties: [String]
        /// The last known value, in hexadecimal digits; `nil`: not known.
        public var value: String?
        /// The value as text for people; `nil`: no such text.
        public var text: String?
        /// The number of values received since the connection began.
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
        /// The service's type.
        public var uuid: String
        /// The service's name; `nil`: not known.
        public var name: String?
        /// The service's characteristics.
        public var characteristics: [Characteristic]

        /// A service.
        public init(uuid: String, name: String?, characteristics: [Characteristic]) {
            self.uuid = uuid
            self.name = name
            self.characteristics = characteristics
        }
    }

    /// A request of a pairing to the user.
    public enum Question: Sendable, Encodable, Equatable {
        /// Enter the six digits that the peer shows.
        case enterPasskey
        /// Confirm whether the peer shows the same number.
        case compare(String)
        /// No answer is needed: the peer's user must enter these digits.
        case display(String)

        /// Encodes e.g. `{"kind":"compare","number":"012345"}`.
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

    /// The state of the phone's Bluetooth stack: `powered on`.
    public var bluetooth = "unknown"
    /// True while the phone searches for peers.
    public var isSearching = false
    /// The peers that the search has found, nearest first.
    public var found: [AirState.Peer] = []
    /// The connection: `none`, `connecting`, `connected`, `reconnecting`.
    public var connection = "none"
    /// The peer of the connection, or of the last one.
    public var peer: String?
    /// The peer's name.
    public var peerName: String?
    /// The security of the link: `encrypted, authenticated, bonded`; `nil`: none.
    public var security: String?
    /// The peer's services.
    public var services: [Service] = []
    /// The pairing's request; `nil`: none.
    public var question: Question?
    /// The last event, for the user.
    public var message = ""

    /// A phone that is off.
    public init() {}
}

/// The state of the calculator's client that the page shows.
public struct CalculatorState: Sendable, Encodable, Equatable {
    /// True once a peripheral with the calculator's service was found: only then the page shows the app.
    public var isOffered = false
    /// True if the app is open.
    public var isOpen = false
    /// The connection as text.
    public var status = ""
    /// The text of the display.
    public var display = ""
    /// True if keys have an effect.
    public var isKeypadShown = false

    /// The state of a closed app.
    public init() {}
}

/// The state of the lock's client that the page shows.
public struct LockState: Sendable, Encodable, Equatable {
    /// True once a peripheral with the lock's service was found: only then the page shows the app.
    public var isOffered = false
    /// True if the app is open.
    public var isOpen = false
    /// The connection and the bolt as text.
    public var status = ""
    /// `unknown`, `locked`, `unlocked`, `moving`.
    public var bolt = "unknown"
    /// True if the command is allowed.
    public var canLock = false, canUnlock = false
    /// The last lines of the app's log, oldest first.
    public var log: [String] = []

    /// The state of a closed app.
    public init() {}
}
