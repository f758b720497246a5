package import BLECentral
package import DBus
package import MonotonicTime

/// One attempt of ``BlueZCentral/connect(to:within:)``, once bluetoothd knows the device. A pure state machine: its owner
/// performs the actions, and calls it again at ``wake`` at the latest.
///
/// bluetoothd answers Connect at once if there is a connection, but may have no attribute channel on it: a bluetoothd
/// that was started again knows of the connections of the last one, which the kernel ends 2 s after that has ended. One
/// with a channel has its services discovered, or will have.
///
/// Linux 6.1 makes one connection after the other. If it sends a command for one that is there already meanwhile, such
/// as for its encryption, it then does nothing for 4 s, and never ends the one that it was making
/// (``BlueZCentral/awaitEnd(of:_:until:)``): attempts take turns. A peer that is out of range must not stop all others: a
/// turn is waited for a short time only.
///
/// bluetoothd reports the end of a connection when the kernel has accepted to end it. A new one that begins before the
/// controller and bluetoothd itself have removed the old one fails (EBUSY), is dropped again, or is never made: Linux
/// 6.1 then forgets whom it looks for.
package struct ConnectAttempt {
    /// The event that it waits for.
    package enum State: Hashable {
        /// The connection of another program, or of a bluetoothd that has ended, can be used or ends.
        case awaitingLink
        /// No other connection is being set up.
        case awaitingTurn
        /// The kernel has ended the last connection.
        case awaitingKernel
        /// bluetoothd has handled what it received before.
        case flushing
        /// bluetoothd answers Connect.
        case calling
        /// The same, until then only: the connection has ended, and bluetoothd may not answer.
        case losing(until: MonotonicInstant)
        /// The kernel has released the channel of the last connection.
        case pausing(until: MonotonicInstant)
        /// bluetoothd answers Disconnect.
        case cancelling(CentralError)
        case ended
    }

    package enum Event {
        /// It begins, time has passed, or the device or another connection has changed.
        case proceed
        /// The kernel has no connection to the device any more, or, if false, keeps one that it should have ended.
        case kernelEnded(Bool)
        /// bluetoothd has handled what it received before.
        case flushed
        /// bluetoothd has reported a connection that can be used.
        case connected(ConnectionID)
        /// It has reported the end of that.
        case linkEnded
        /// It has answered Connect, or there was a connection already.
        case answered(DBusError?)
        /// It has answered Disconnect.
        case disconnected
        /// Its caller does not want it any more.
        case cancelled(CentralError)
    }

    package enum Action: Hashable {
        /// Wait until the kernel has ended the last connection; then ``Event/kernelEnded(_:)``.
        case awaitKernel
        /// Wait until bluetoothd has handled what it received before; then ``Event/flushed``.
        case flush
        /// Forget the reasons of former disconnections.
        case forgetReasons
        case connect
        case disconnect
        /// Begin a round of a running discovery: the kernel connects to a peer when it hears it, once a round.
        case beginRound
        /// bluetoothd, which could not use its connection, may connect once more by itself.
        case expectStray
        case finish(Result<ConnectionID, CentralError>)
    }

    /// The state of its device, and of other connections.
    package struct Situation {
        package var isConnected = false
        package var hasResolvedServices = false
        package var isPaired = false
        /// Another attempt has its turn, or the services of another connection are being discovered.
        package var areOthersSetUp = false

        package init() {}
    }

    /// How long BlueZ may try before it is cancelled and restarted. When a controller answers late, Linux (6.1) sets up
    /// its scan for the peer by halves and never again; bluetoothd gives up after 40 s only. Longer than the longest
    /// advertising interval, 10.24 s, and a turn.
    static let longest = Duration.seconds(14)
    /// How long an attempt lets others go first, but no more than a part of its time.
    private static let turnTime = Duration.seconds(2)
    private static let turnPart = 4
    private static let retryDelay = Duration.milliseconds(100)
    /// How long bluetoothd may take to answer Connect after the connection has ended. A Disconnect at once makes it close
    /// a channel that the kernel is removing: Linux 6.1.192 then removes it twice ("list_del corruption"), and bluetoothd
    /// is killed.
    private static let answerDelay = Duration.seconds(2)
    /// BlueZ's messages while the kernel still holds the channel of the last connection (EBUSY), whose end it has already
    /// reported; the last is that of a bluetoothd that connects by itself.
    private static let busyMessages: Set<String> = [
        "Input/output error", "Device or resource busy", "Operation already in progress",
    ]

    package private(set) var state = State.awaitingTurn
    private let peer: PeerID
    private let deadline: MonotonicInstant
    private let turnEnd: MonotonicInstant
    /// The connection, once BlueZ has reported it, until it ends.
    private var connection: ConnectionID?
    /// True once bluetoothd was asked to connect: it must be asked to end that, too.
    private var isCalled = false

    package init(to peer: PeerID, from start: MonotonicInstant, until limit: MonotonicInstant) {
        self.peer = peer
        deadline = min(limit, start.advanced(by: Self.longest))
        turnEnd = start.advanced(by: min(Self.turnTime, start.duration(to: deadline) / Self.turnPart))
    }

    /// True while the kernel may be making this connection.
    package var hasTurn: Bool {
        switch state {
        case .awaitingKernel, .flushing, .calling, .losing, .pausing: true
        case .awaitingLink, .awaitingTurn, .cancelling, .ended: false
        }
    }

    /// When it has to proceed; `nil` if only an event can continue it.
    package var wake: MonotonicInstant? {
        switch state {
        case .awaitingTurn: min(turnEnd, deadline)
        case .losing(let end), .pausing(let end): min(end, deadline)
        case .awaitingLink, .awaitingKernel, .flushing, .calling: deadline
        case .cancelling, .ended: nil
        }
    }

    /// Handles an event; returns the actions, in order.
    package mutating func handle(_ event: Event, _ situation: Situation, at now: MonotonicInstant) -> [Action] {
        switch (event, state) {
        case (_, .ended): return []
        case (.connected(let id), _): connection = id
        case (.linkEnded, _):
            connection = nil
            if state == .calling { state = .losing(until: now.advanced(by: Self.answerDelay)) }
        case (.disconnected, .cancelling(let error)): return finish(.failure(error))
        case (_, .cancelling): return []
        case (.cancelled(let error), _): return cancel(error)
        case (.proceed, _): return proceed(situation, now)
        case (.kernelEnded(true), .awaitingKernel):
            if awaitsLink(situation) { return [] }
            state = .flushing
            return [.flush]
        case (.kernelEnded(false), .awaitingKernel): return finish(.failure(BlueZCentral.held("connect to \(peer)")))
        case (.flushed, .flushing):
            defer { isCalled = true }
            state = .calling
            // Not those of a connection that there is already.
            return (connection == nil ? [.forgetReasons] : []) + [.connect] + (isCalled ? [] : [.beginRound])
        case (.answered(let error), .calling), (.answered(let error), .losing): return answered(error, situation, now)
        case (.kernelEnded, _), (.flushed, _), (.answered, _), (.disconnected, _): break
        }
        return []
    }

    private mutating func proceed(_ situation: Situation, _ now: MonotonicInstant) -> [Action] {
        guard now < deadline else { return cancel(state == .awaitingLink ? unusable : Self.timeout(peer)) }
        switch state {
        case .awaitingLink, .awaitingTurn: break
        case .pausing(let end) where now >= end: break
        case .losing(let end) where now >= end: return cancel(endedEarly(situation))
        default: return []
        }
        if awaitsLink(situation) { return [] }
        let mustWait = !hasTurn && situation.areOthersSetUp && now < turnEnd
        state = mustWait ? .awaitingTurn : .awaitingKernel
        return mustWait ? [] : [.awaitKernel]
    }

    /// Waits if there is a connection that this central has not made, and it is not known yet if it can be used. One that
    /// bluetoothd has made since the attempt began has a channel.
    private mutating func awaitsLink(_ situation: Situation) -> Bool {
        guard connection == nil, situation.isConnected, !situation.hasResolvedServices else { return false }
        state = .awaitingLink
        return true
    }

    private mutating func answered(
        _ error: DBusError?, _ situation: Situation, _ now: MonotonicInstant
    ) -> [Action] {
        if let error {
            let next = now.advanced(by: Self.retryDelay)
            if error.name == BlueZ.Fault.failed, Self.busyMessages.contains(error.detail), connection == nil,
                state == .calling, next < deadline
            {
                state = .pausing(until: next)
                return []
            }
            var failure = CentralError(error, "connect to \(peer)")
            if case .disconnected = failure.code { failure.detail += Self.bondRemark(situation.isPaired) }
            return finish(.failure(failure))
        }
        guard let connection else { return [.expectStray] + finish(.failure(endedEarly(situation))) }
        return finish(.success(connection))
    }

    /// Ends it as soon as BlueZ does not try any more. The connection of others is left to them.
    private mutating func cancel(_ error: CentralError) -> [Action] {
        guard isCalled, state != .awaitingLink else { return finish(.failure(error)) }
        state = .cancelling(error)
        return [.disconnect]
    }

    private mutating func finish(_ result: Result<ConnectionID, CentralError>) -> [Action] {
        state = .ended
        return [.finish(result)]
    }

    // MARK: Errors

    /// The error of an attempt whose time has passed, or whose task was cancelled.
    static func timeout(_ peer: PeerID) -> CentralError {
        CentralError(.timedOut, "connect to \(peer): expected a connection in time, got none")
    }

    private var unusable: CentralError {
        CentralError(
            .timedOut,
            "connect to \(peer): there is a connection to it that another program made, or a bluetoothd that has "
                + "ended: expected bluetoothd to discover its services, or it to end, in time")
    }

    private func endedEarly(_ situation: Situation) -> CentralError {
        CentralError(
            .disconnected(reason: nil),
            "connect to \(peer): the connection ended while it was set up\(Self.bondRemark(situation.isPaired))")
    }

    /// The likely reason if a bonded device ends its connections at once: BlueZ encrypts them, and hides why that failed.
    static let bondRemark = "there is a bond with it, which it may have lost"

    private static func bondRemark(_ isPaired: Bool) -> String { isPaired ? "; \(bondRemark)" : "" }
}
