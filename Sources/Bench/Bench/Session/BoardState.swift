import BenchModel
import BLECentral
public import BLECore
import Console
import MonotonicTime

/// A board of a session: its console, and how its firmware has crashed.
struct BoardState {
    /// The source of the board's own events; its name, where there are several boards.
    let source: String
    /// The source of its console lines; its name, where there are several boards.
    let consoleSource: String
    /// The board as failures name it: `the board`, or `'server'`.
    let words: String
    /// The suffix by which failures name the board: nothing, or ` of 'server'`.
    let ofBoard: String
    /// Its name, where there are several boards.
    let name: String?

    var lines = LineAssembler()
    /// The console line at which the power is to be cut.
    var cutLine: ConsolePattern?
    /// While a board is flashed its port speaks the bootloader's protocol.
    var isFlashing = false
    var crashes = CrashDetector()
    /// True if a crash has been noticed since the firmware was last started on purpose.
    var hasCrashed = false
    /// The backtrace of a crash.
    var backtrace = BacktraceDecoder()
    /// Finds the places of a backtrace in the sketch's source, where its program is known.
    var symbols: (any AddressResolver)?

    /// A board, the only one or one of several.
    init(name: String, isOnly: Bool) {
        self.name = isOnly ? nil : name
        source = isOnly ? BenchBoard.onlyName : name
        consoleSource = isOnly ? "console" : name
        words = isOnly ? "the board" : "'\(name)'"
        ofBoard = isOnly ? "" : " of '\(name)'"
    }

    /// Its supply as failures name it: `the board's power`, or `the power of 'server'`.
    var power: String { name == nil ? "the board's power" : "the power\(ofBoard)" }

    /// Its console begins a new line: the board has no power, or starts again.
    mutating func restartConsole() {
        lines = LineAssembler()
    }
}

extension BenchSession {
    /// The name of a board, where there are several.
    public func name(of board: BoardID) -> String? { boards[board.index].name }

    /// Forgets what the board did so far, as it starts again. An only board's links start again as well, so that all is
    /// forgotten, but for what `isKept`.
    func forgetEvents(of board: BoardID, except isKept: ((any EventPayload) -> Bool)? = nil) {
        if boards.count == 1 {
            log.clear(except: isKept)
        } else {
            log.clear(board: board.index)
        }
    }

    /// The boards that have restarted by themselves, if there are some.
    var restarts: String? {
        let texts = boards.indices.compactMap { log.restarts(of: $0, boards[$0].words) }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// Names a central of a session.
public struct CentralID: Hashable, Sendable {
    let index: Int
}

/// A central as a suite or a test describes it.
public struct CentralDescription: Hashable, Sendable {
    /// Where its identity address comes from.
    public enum Address: Hashable, Sendable {
        /// It has its own.
        case own
        /// This static random address.
        case fixed(DeviceAddress)
        /// It is another central at each connection, with an address of its own.
        case new
        /// It has the address of another central, given by its index in the list of descriptions: a clone. By that
        /// central's place in the list of descriptions.
        case of(Int)
    }

    /// Its name, which its events carry.
    public var name: String
    /// Its identity address.
    public var address: Address
    /// True if it shows resolvable private addresses in place of its identity address.
    public var usesPrivacy: Bool

    /// A central.
    public init(name: String, address: Address = .own, usesPrivacy: Bool = false) {
        self.name = name
        self.address = address
        self.usesPrivacy = usesPrivacy
    }
}

extension CentralDescription {
    /// The abilities a bench needs for it.
    public var needs: Set<BenchAbility> {
        var needs: Set<BenchAbility> = address == .own ? [] : [.centralAddresses]
        if usesPrivacy { needs.insert(.central(.privacy)) }
        return needs
    }
}

/// A link of a central.
struct CentralLink {
    let peripheral: Peripheral
    let connection: ConnectionID
    var central: Central { peripheral.central }
}

/// A central of a session, with its link if it has one.
struct CentralState {
    let description: CentralDescription
    /// True if its bonds could not be deleted, so that its stack may still have some when it is made.
    var mustForgetBonds = false
    /// Its session with its stack, from its first use on.
    var central: Central?
    /// Which of the session's stacks that is, counted from 1: events of a former one are not the central's any more.
    var stack = 0
    /// Its identity address, where its stack tells it.
    var identity: DeviceAddress?
    /// Peers whose bonds are not the bench's.
    var foreignBonds: Set<DeviceAddress> = []
    var link: CentralLink?
    var services: [DiscoveredService] = []
    /// True if ``services`` were discovered on this link; else on an earlier one.
    var isDiscovered = false
    /// The characteristics' values by UUID, on this link.
    var attributes: [BLEUUID: AttributeID] = [:]
    /// Names of the attributes in events.
    var eventAttributes: [AttributeID: EventAttribute] = [:]
    /// Values of attributes that are not known before the discovery in progress ends; `nil`: none is in progress.
    var valuesBeforeDiscovery: [CentralEvent]?
    /// The subscriptions made on this link.
    var subscriptions: [AttributeID: Subscription] = [:]
    /// How the last link ended, when nobody of the bench has asked for that.
    var lostLink: String?
    /// True if the session has asked for the link's end, so that the end is not an event to expect.
    var isDisconnecting = false

    /// Begins a link with what a discovery found: on this link, or before.
    mutating func begin(
        _ link: CentralLink, _ services: [DiscoveredService], _ names: [BLEUUID: String], showsUUIDs: Bool,
        isDiscovered: Bool
    ) {
        self.link = link
        self.services = services
        self.isDiscovered = isDiscovered
        isDisconnecting = false
        attributes.removeAll(keepingCapacity: true)
        eventAttributes.removeAll(keepingCapacity: true)
        for characteristic in services.flatMap(\.characteristics) {
            // The name means the first of several characteristics with one UUID.
            if attributes[characteristic.uuid] == nil { attributes[characteristic.uuid] = characteristic.value }
            let isShown = showsUUIDs || characteristic.handle == nil
            eventAttributes[characteristic.value] = EventAttribute(
                handle: characteristic.handle,
                name: names[characteristic.uuid] ?? (isShown ? "\(characteristic.uuid)" : nil))
        }
    }

    /// The name of an attribute in events.
    func eventAttribute(_ attribute: AttributeID) -> EventAttribute {
        eventAttributes[attribute] ?? EventAttribute(handle: nil, name: "attribute \(attribute.rawValue)")
    }

    /// The Client Characteristic Configuration of a characteristic.
    func configuration(of characteristic: AttributeID) -> AttributeID? {
        services.lazy.flatMap(\.characteristics).first { $0.value == characteristic }?
            .descriptors.first { $0.uuid == BLEUUID(0x2902) }?.attribute
    }
}

/// How the user answers what a pairing asks.
public struct PairingAnswers: Hashable, Sendable {
    /// The passkey the user enters when the pairing asks for one.
    public enum Passkey: Hashable, Sendable {
        /// None: a request for a passkey is a failure.
        case unexpected
        /// This number, 0...999999.
        case number(UInt32)
        /// The number in the newest console line that matches a regular expression: its first group, or all of it.
        case console(String)
        /// The number after that one, which is wrong.
        case wrongConsole(String)
        /// The user refuses.
        case refused
        /// Nobody answers.
        case unanswered
    }

    /// The passkey.
    public var passkey: Passkey
    /// The board on whose console passkeys are looked up; `nil`: any.
    public var board: BoardID?
    /// The answer to a numeric comparison; `nil`: such a request is a failure.
    public var confirmation: Bool?
    /// A request of the pairing that the answers do not cover.
    var unexpected: String?
    /// True if the pairing has asked for the passkey.
    var isPasskeyRequested = false
    /// True if the pairing has asked for a comparison.
    var isComparisonRequested = false

    /// Answers.
    public init(passkey: Passkey = .unexpected, confirmation: Bool? = nil, board: BoardID? = nil) {
        self.board = board
        self.passkey = passkey
        self.confirmation = confirmation
    }

    /// An answer that the pairing has not requested, if it has requested none of the given ones.
    var unrequested: String? {
        let hasPasskey = passkey != .unexpected
        if isPasskeyRequested && hasPasskey || isComparisonRequested && confirmation != nil { return nil }
        return hasPasskey ? "a passkey" : confirmation != nil ? "a comparison of numbers" : nil
    }

    /// The passkeys there are.
    public static let passkeys: ClosedRange<UInt32> = 0...999_999
}
