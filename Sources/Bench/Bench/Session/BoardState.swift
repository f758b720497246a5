import BenchModel
import BLECentral
public import BLECore
import Console
import MonotonicTime

/// A board of a session: the state of its console and of its last crash.
struct BoardState {
    /// The source of the board's own events; with several boards, the board's name.
    let source: String
    /// The source of its console lines; with several boards, the board's name.
    let consoleSource: String
    /// The board as failures name it: `the board`, or `'server'`.
    let words: String
    /// The suffix by which failures name the board: nothing, or ` of 'server'`.
    let ofBoard: String
    /// The board's name, if there are several boards; else `nil`.
    let name: String?

    var lines = LineAssembler()
    /// The console line at which the power is to be cut.
    var cutLine: ConsolePattern?
    /// True while the board is flashed: its port then carries the bootloader's protocol.
    var isFlashing = false
    var crashes = CrashDetector()
    /// True if a crash has been noticed since the firmware was last started on purpose.
    var hasCrashed = false
    /// The pins whose button is held.
    var heldButtons: Set<Int> = []
    /// The backtrace of a crash.
    var backtrace = BacktraceDecoder()
    /// Resolves the addresses of a backtrace to the sketch's source; `nil`: the program is not known.
    var symbols: (any AddressResolver)?

    /// A board, the only one or one of several.
    init(name: String, isOnly: Bool) {
        self.name = isOnly ? nil : name
        source = isOnly ? BenchBoard.onlyName : name
        consoleSource = isOnly ? "console" : name
        words = isOnly ? "the board" : "'\(name)'"
        ofBoard = isOnly ? "" : " of '\(name)'"
    }

    /// The supply as failures name it: `the board's power`, or `the power of 'server'`.
    var power: String { name == nil ? "the board's power" : "the power\(ofBoard)" }

    /// Begins a new console line: the board has no power, or has restarted.
    mutating func restartConsole() {
        lines = LineAssembler()
    }
}

extension BenchSession {
    /// The name of a board, if there are several boards; else `nil`.
    public func name(of board: BoardID) -> String? { boards[board.index].name }

    /// Discards the events of a board that restarts. If it is the only board, its links restart as well, so that all
    /// events are discarded except those for which `isKept` is true.
    func forgetEvents(of board: BoardID, except isKept: ((any EventPayload) -> Bool)? = nil) {
        log.states.forgetUse(of: board.index)
        if boards.count == 1 {
            log.clear(except: isKept)
        } else {
            log.clear(board: board.index)
        }
    }

    /// The remark that names the boards that have restarted by themselves; `nil`: none has.
    var restarts: String? {
        let texts = boards.indices.compactMap { log.restarts(of: $0, boards[$0].words) }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// Identifies a central of a session.
public struct CentralID: Hashable, Sendable {
    let index: Int
}

/// A central as a suite or a test describes it.
public struct CentralDescription: Hashable, Sendable {
    /// The source of a central's identity address.
    public enum Address: Hashable, Sendable {
        /// The central's own address.
        case own
        /// This static random address.
        case fixed(DeviceAddress)
        /// A new central at each connection, with an address of its own.
        case new
        /// The address of another central, given by that central's index in the list of descriptions: a clone.
        case of(Int)
    }

    /// The central's name, which its events carry.
    public var name: String
    /// The source of its identity address.
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
    /// The abilities that the bench needs for this central.
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

/// A central of a session, with its link if it has one. A class, since each operation refers to it: a copy of what a
/// discovery found would cost more than a write.
final class CentralState {
    let description: CentralDescription
    /// True if its bonds could not be deleted: its next stack may still have some of them.
    var mustForgetBonds = false
    /// The central's stack, created at its first use.
    var central: Central?
    /// The number of ``central`` among the session's stacks, counted from 1: events of a former stack are ignored.
    var stack = 0
    /// The central's identity address; `nil` on stacks that hide it.
    var identity: DeviceAddress?
    /// Peers whose bonds existed before the bench.
    var foreignBonds: Set<DeviceAddress> = []
    var link: CentralLink?
    var services: [DiscoveredService] = []
    /// True if ``services`` were discovered on this link; else on an earlier one.
    var isDiscovered = false
    /// The characteristics' values by UUID, on this link.
    var attributes: [BLEUUID: AttributeID] = [:]
    /// Names of the attributes in events.
    var eventAttributes: [AttributeID: EventAttribute] = [:]
    /// Events received during a discovery, whose attributes are known at its end; `nil`: no discovery is in progress.
    var valuesBeforeDiscovery: [CentralEvent]?
    /// The subscriptions made on this link.
    var subscriptions: [AttributeID: Subscription] = [:]
    /// How the last link ended; `nil` if the bench ended it.
    var lostLink: String?
    /// True if the session has requested the disconnection, which is then not an event to expect.
    var isDisconnecting = false

    init(description: CentralDescription, mustForgetBonds: Bool = false) {
        self.description = description
        self.mustForgetBonds = mustForgetBonds
    }

    /// Begins a link with services discovered on this link or on an earlier one.
    func begin(
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
            // If several characteristics have one UUID, the name means the first of them.
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

/// The user's answers to the requests of a pairing.
public struct PairingAnswers: Hashable, Sendable {
    /// The passkey the user enters when the pairing asks for one.
    public enum Passkey: Hashable, Sendable {
        /// A request for a passkey is a failure.
        case unexpected
        /// This number, 0...999999.
        case number(UInt32)
        /// The number in the newest console line that matches a regular expression: its first group, or the whole
        /// match.
        case console(String)
        /// A wrong passkey: the number after the one in the console line.
        case wrongConsole(String)
        /// The user refuses.
        case refused
        /// The user does not answer.
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

    /// A given answer, if the pairing has requested none of the given answers; else `nil`.
    var unrequested: String? {
        let hasPasskey = passkey != .unexpected
        if isPasskeyRequested && hasPasskey || isComparisonRequested && confirmation != nil { return nil }
        return hasPasskey ? "a passkey" : confirmation != nil ? "a comparison of numbers" : nil
    }

    /// The valid passkeys.
    public static let passkeys: ClosedRange<UInt32> = 0...999_999
}
