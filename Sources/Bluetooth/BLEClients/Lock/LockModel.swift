/// A user's command to a lock.
public enum LockCommand: String, Sendable, CaseIterable {
    /// Lock it.
    case lock
    /// Unlock it.
    case unlock
}

/// The lock as its user sees and operates it: a pure state machine, which uses neither radio nor clock.
public struct LockModel: Sendable, Hashable {
    /// The position of the bolt.
    public enum Bolt: String, Sendable {
        /// The lock has not reported the position, or does not report it to this client.
        case unknown
        /// Locked.
        case locked
        /// Unlocked.
        case unlocked
        /// Moving to its new position.
        case moving
    }

    /// The state of the last command.
    public enum Outcome: Sendable, Hashable {
        /// No command was given.
        case none
        /// The bolt has not reached its position yet.
        case pending(LockCommand)
        /// The bolt has reached its position.
        case done(LockCommand)
        /// The command was not executed; the reason.
        case failed(LockCommand, String)
    }

    /// Limit of lines in ``log``; beyond it, the oldest are dropped.
    public static let logLimit = 500
    /// The reason for a command that fails because its connection has ended.
    static let ended = "the connection ended"

    /// The connection.
    public private(set) var link = ClientLink.disconnected
    /// The bolt.
    public private(set) var bolt = Bolt.unknown
    /// The last command.
    public private(set) var outcome = Outcome.none
    /// The events, a line each, oldest first.
    public private(set) var log: [String] = []
    /// True from the start of a pairing for the current command until the pairing succeeds.
    private var isPairing = false

    /// Not connected.
    public init() {}

    /// True if a command is being executed.
    public var isBusy: Bool {
        if case .pending = outcome { true } else { false }
    }

    /// True if a command may be given: connected, no other command in progress, and the bolt not already in that
    /// position.
    public func allows(_ command: LockCommand) -> Bool {
        guard link == .connected, !isBusy else { return false }
        return bolt != (command == .lock ? .locked : .unlocked)
    }

    /// The command of a toggle; locks if the position of the bolt is unknown.
    public var opposite: LockCommand { bolt == .locked ? .unlock : .lock }

    /// Gives a command; returns the bytes to write, or `nil` if it is not allowed.
    public mutating func begin(_ command: LockCommand) -> [UInt8]? {
        guard allows(command) else { return nil }
        outcome = .pending(command)
        isPairing = false
        note(command.rawValue)
        return [command == .lock ? 0x30 : 0x31]
    }

    /// A value of the state characteristic: `0` is locked, `1` unlocked. Others are ignored.
    public mutating func receive(state value: [UInt8]) {
        switch value {
        case [0x30]: receive(.locked)
        case [0x31]: receive(.unlocked)
        default: note("an unknown state of \(value.count) bytes was ignored")
        }
    }

    /// A text of the bolt or status characteristic: `locked`, `unlocked`, `moving`. Others are ignored.
    public mutating func receive(bolt value: [UInt8]) {
        if let bolt = Bolt(rawValue: String(decoding: value, as: UTF8.self)), bolt != .unknown { receive(bolt) }
    }

    private mutating func receive(_ new: Bolt) {
        if new != bolt { note(new.rawValue) }
        bolt = new
        guard case .pending(let command) = outcome, new == (command == .lock ? .locked : .unlocked) else { return }
        outcome = .done(command)
    }

    /// The command could not be executed.
    public mutating func fail(_ reason: String) {
        guard case .pending(let command) = outcome else { return }
        // When a pairing fails, the lock may end the connection before the stack reports the failure.
        let why = isPairing && reason == Self.ended ? "the pairing failed: \(reason)" : reason
        outcome = .failed(command, why)
        note("\(command.rawValue): \(why)")
    }

    /// The connection has changed. While disconnected, the position of the bolt is unknown.
    public mutating func setLink(_ new: ClientLink) {
        guard new != link else { return }
        if link == .connected {
            bolt = .unknown
            fail(Self.ended)
        }
        isPairing = false
        link = new
        note(new.text("lock"))
    }

    /// A pairing has begun for the current command.
    package mutating func beginPairing() { isPairing = true }

    /// The pairing has succeeded.
    package mutating func endPairing() { isPairing = false }

    /// Adds a line to ``log``.
    public mutating func note(_ line: String) {
        if log.count == Self.logLimit { log.removeFirst() }
        log.append(line)
    }

    /// The connection and the bolt.
    public var status: String {
        link == .connected && bolt != .unknown ? "\(link.text("lock"))   \(bolt.rawValue)" : link.text("lock")
    }
}
