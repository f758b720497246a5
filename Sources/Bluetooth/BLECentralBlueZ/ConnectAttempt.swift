package import BLECentral
package import DBus
package import MonotonicTime

/// One attempt of ``BlueZCentral/connect(to:within:)``, once bluetoothd knows the device. A pure state machine: its owner
/// performs the actions, and calls it again at ``wake`` at the latest.
///
/// bluetoothd answers Connect at once if a connection exists, but may have no attribute channel on it: a restarted
/// bluetoothd sees the connections of the previous process, which the kernel ends 2 s after the exit of that process.
/// On a connection with a channel the services are discovered sooner or later.
///
/// Linux 6.1 creates one connection at a time. If the kernel meanwhile sends a command for an existing connection, e.g.
/// for encryption, it stops for 4 s, and never ends the connection being created
/// (``BlueZCentral/awaitEnd(of:_:until:)``). Therefore attempts take turns. A peer out of range must not block the
/// other attempts: an attempt waits only a short time for its turn.
///
/// bluetoothd reports the end of a connection when the kernel has accepted the request to end it. If a new attempt
/// begins before the controller and bluetoothd have removed the old connection, it fails (EBUSY), the new connection
/// ends at once, or it is never created: Linux 6.1 then forgets which peer it is looking for.
package struct ConnectAttempt {
    /// The event for which the attempt waits.
    package enum State: Hashable {
        /// A connection made by another program, or by a previous bluetoothd process, becomes usable or ends.
        case awaitingLink
        /// No other connection is being set up.
        case awaitingTurn
        /// The kernel has ended the last connection.
        case awaitingKernel
        /// bluetoothd has handled what it received before.
        case flushing
        /// bluetoothd answers Connect.
        case calling
        /// bluetoothd answers Connect, until this instant: the connection has ended, so the answer may not come.
        case losing(until: MonotonicInstant)
        /// The kernel has released the channel of the last connection.
        case pausing(until: MonotonicInstant)
        /// bluetoothd answers Disconnect.
        case cancelling(CentralError)
        case ended
    }

    package enum Event {
        /// The attempt begins, time has passed, or the device or another connection has changed.
        case proceed
        /// True: the kernel has no connection to the device any more; false: it keeps one that it should have ended.
        case kernelEnded(Bool)
        /// bluetoothd has handled what it received before.
        case flushed
        /// bluetoothd has reported a connection that can be used.
        case connected(ConnectionID)
        /// bluetoothd has reported the end of that connection.
        case linkEnded
        /// bluetoothd has answered Connect; `nil` also if a connection already existed.
        case answered(DBusError?)
        /// bluetoothd has answered Disconnect.
        case disconnected
        /// The caller has cancelled the attempt.
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
        /// Begin a round of a running discovery: the kernel connects to a peer when the controller reports it, once per
        /// round.
        case beginRound
        /// bluetoothd could not use the connection, and may connect again without a request.
        case expectStray
        case finish(Result<ConnectionID, CentralError>)
    }

    /// The state of the attempt's device, and of other connections.
    package struct Situation {
        package var isConnected = false
        package var hasResolvedServices = false
        package var isPaired = false
        /// Another attempt has its turn, or the services of another connection are being discovered.
        package var areOthersSetUp = false

        package init() {}
    }

    /// How long BlueZ may try before it is cancelled and restarted. After a late answer of a controller, Linux 6.1
    /// leaves its scan for the peer incomplete and does not retry; bluetoothd gives up only after 40 s. The limit
    /// exceeds the longest advertising interval, 10.24 s, plus a turn.
    static let longest = Duration.seconds(14)
    /// How long an attempt lets others go first; at most 1/``turnPart`` of its own time.
    private static let turnTime = Duration.seconds(2)
    private static let turnPart = 4
    private static let retryDelay = Duration.milliseconds(100)
    /// How long bluetoothd may take to answer Connect after the connection has ended. After an immediate Disconnect
    /// bluetoothd would close a channel that the kernel is removing: Linux 6.1.192 then removes the channel twice
    /// ("list_del corruption"), and kills bluetoothd.
    private static let answerDelay = Duration.seconds(2)
    /// BlueZ's error messages while the kernel has not yet released the channel of the last connection, whose end it
    /// has already reported (EBUSY). The last message means that bluetoothd makes an unrequested connection.
    private static let busyMessages: Set<String> = [
        "Input/output error", "Device or resource busy", "Operation already in progress",
    ]

    package private(set) var state = State.awaitingTurn
    private let peer: PeerID
    private let deadline: MonotonicInstant
    private let turnEnd: MonotonicInstant
    /// The connection, from BlueZ's report until it ends.
    private var connection: ConnectionID?
    /// True once Connect was called: cancelling then requires Disconnect.
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

    /// When ``Event/proceed`` is due; `nil` if only another event can continue the attempt.
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
        case (.connected(let id), _):
            connection = id
            // bluetoothd has connected again: it answers Connect for the new connection.
            if case .losing = state { state = .calling }
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
            // The reasons are kept if a connection already exists.
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

    /// Waits if a connection exists that this attempt has not made, and it is unknown yet if that connection is usable.
    /// A connection that bluetoothd has made since the attempt began has a channel.
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

    /// Ends the attempt as soon as BlueZ has stopped trying. A connection of another program stays open.
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

    /// The likely reason if a bonded device ends its connections at once: BlueZ encrypts connections, and hides the
    /// reason of a failed encryption.
    static let bondRemark = "there is a bond with it, which it may have lost"

    private static func bondRemark(_ isPaired: Bool) -> String { isPaired ? "; \(bondRemark)" : "" }
}
