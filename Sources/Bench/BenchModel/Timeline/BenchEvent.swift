public import BLECore
public import MonotonicTime

/// One thing that happened on a bench: the timeline is a list of these, and every report a view of it.
public struct BenchEvent: Hashable, Sendable {
    /// The version of the timeline's format; a reader refuses a higher one.
    public static let formatVersion = 1

    /// When, on the bench's clock.
    public var time: MonotonicInstant
    /// Who: `suite`, `board`, `console`, or the name of a central in the suite.
    public var source: String
    /// What.
    public var payload: Payload

    /// An event.
    public init(time: MonotonicInstant, source: String, payload: Payload) {
        self.time = time
        self.source = source
        self.payload = payload
    }

    /// What happened. Attributes are ATT handles, reasons and statuses the numbers of their specifications.
    public enum Payload: Hashable, Sendable {
        /// A timeline begins: its format and the run's seed.
        case timeline(version: Int, seed: UInt64)
        /// A suite begins.
        case suite(name: String, file: String)
        /// An instance of a case begins.
        case `case`(name: String)
        /// A step begins.
        case step(line: Int, text: String)
        /// An instance of a case has ended: passed, or failed with this cause.
        case verdict(cause: FailureCause?)
        /// The board's supply was switched.
        case power(isOn: Bool)
        /// The board was reset by its EN pin.
        case reset
        /// The firmware image was written to the board: how many bytes, from where.
        case flash(bytes: Int, address: Int)
        /// The board started, loads or runs: a line of what its ROM and bootloader do.
        case boot(text: String)
        /// The firmware set an output pin.
        case pin(number: Int, isHigh: Bool)
        /// A servo was attached, detached or sent to an angle, in degrees.
        case servo(pin: Int, isAttached: Bool, angle: Int?)
        /// A button was pressed or released.
        case button(pin: Int, isPressed: Bool)
        /// The firmware changed its NVS, or the bench erased it.
        case nvs(text: String)
        /// A packet passed between a host and its controller: the H4 packet, whole.
        case hci(isFromHost: Bool, packet: [UInt8])
        /// A line of the board's console, without its line ending.
        case console(line: String)
        /// A line typed into the board's console.
        case input(line: String)
        /// The firmware crashed: the panic's first line.
        case panic(message: String)
        /// The firmware hung: the watchdog's line.
        case watchdog(message: String)
        /// A peer was heard.
        case advertisement(address: String, name: String?, services: [BLEUUID], rssi: Int)
        /// A connection was made.
        case connected(address: String)
        /// A connection ended.
        case disconnected(reason: UInt8)
        /// The ATT MTU changed.
        case mtu(Int)
        /// Discovery ended.
        case discovered(services: Int, characteristics: Int)
        /// A write was sent.
        case write(attribute: UInt16, value: [UInt8], hasResponse: Bool)
        /// A value was read.
        case read(attribute: UInt16, value: [UInt8])
        /// A Client Characteristic Configuration was written.
        case subscription(attribute: UInt16, kind: SubscriptionKind)
        /// A notification came.
        case notification(attribute: UInt16, value: [UInt8])
        /// An indication came.
        case indication(attribute: UInt16, value: [UInt8])
        /// An operation failed with an ATT error.
        case attError(attribute: UInt16, code: UInt8)
        /// An ATT PDU was sent or received past the stack.
        case attPDU(isSent: Bool, pdu: [UInt8])
        /// A pairing begins.
        case pairing
        /// A pairing asks the user something.
        case pairingInput(String)
        /// The user answers.
        case pairingAnswer(String)
        /// A pairing or an encryption failed, for this reason.
        case securityFailure(String)
        /// The board asks for protection.
        case securityRequest
        /// The protection of a link changed.
        case security(isEncrypted: Bool, isAuthenticated: Bool, isBonded: Bool, keySize: Int)
        /// Bonds were deleted.
        case forgotten(String)
        /// A fault was planted, came, or was cleared.
        case fault(String)
    }
}
