package import BLECore
package import BLEPackets
package import MonotonicTime

/// The Security Manager of one link, as a pure state machine (Core 5.4, Vol 3 Part H).
///
/// After each call the owner performs every ``nextAction()``, and calls ``advance(to:)`` at ``nextDeadline``.
package final class SecurityManager {
    /// The time-out of a procedure's wait for the peer (Core 5.4, Vol 3 Part H 3.4).
    static let timeout = Duration.seconds(30)
    /// The maximum number of inputs queued while waiting for random numbers; a correct peer sends only a few.
    private static let inboxLimit = 16

    /// Input received while random numbers are awaited.
    private enum Input {
        case pdu([UInt8])
        case encryptionChanged(HCIErrorCode, Bool)
        case longTermKeyRequested(UInt16, UInt64, LongTermKey?)
    }

    /// The continuation with random bytes. The state machine, which owns the closure, is an argument to avoid a
    /// reference cycle.
    typealias Continuation = (SecurityManager, [UInt8], MonotonicInstant) -> Void

    /// The configuration of later procedures.
    package var configuration: SecurityConfiguration
    /// The link's security.
    package internal(set) var security = LinkSecurity()
    /// The address of the peer's bond: its identity address if known.
    package var peerIdentity: DeviceAddress
    let context: SecurityContext
    let isCentral: Bool
    /// The addresses of the connection, which are inputs of the keys.
    let local: DeviceAddress
    let peer: DeviceAddress
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) var procedure: PairingProcedure?
    /// True if a time-out has closed the channel until the link ends.
    var isClosed = false
    private var actions = FIFO<SecurityAction>()
    private var inbox = FIFO<Input>()
    private var awaitedRandom: (count: Int, resume: Continuation)?

    /// The Security Manager of a link between two addresses, as used on air.
    package init(
        isCentral: Bool, local: DeviceAddress, peer: DeviceAddress, configuration: SecurityConfiguration,
        context: SecurityContext
    ) {
        self.isCentral = isCentral
        self.local = local
        self.peer = peer
        peerIdentity = peer
        self.configuration = configuration
        self.context = context
    }

    /// True if a pairing or encryption runs, or a Security Request is pending.
    package var isBusy: Bool { procedure != nil || awaitedRandom != nil }

    // MARK: Input

    /// Receives a PDU of the peer.
    package func receive(_ pdu: ArraySlice<UInt8>, now: MonotonicInstant) {
        receive(.pdu(Array(pdu)), now)
    }

    /// The controller's Encryption Change or Encryption Key Refresh Complete.
    package func encryptionChanged(_ status: HCIErrorCode, isEncrypted: Bool, now: MonotonicInstant) {
        receive(.encryptionChanged(status, isEncrypted), now)
    }

    /// Peripheral: the controller's Long Term Key Request. `bonded` is ``Bond/localKey`` of the peer's bond, regardless
    /// of EDIV and Rand.
    package func longTermKeyRequested(ediv: UInt16, rand: UInt64, bonded: LongTermKey?, now: MonotonicInstant) {
        receive(.longTermKeyRequested(ediv, rand, bonded), now)
    }

    /// Supplies the bytes requested by ``SecurityAction/needsRandom(_:)``; others are ignored.
    package func supply(random: [UInt8], now: MonotonicInstant) {
        guard let awaited = awaitedRandom, awaited.count == random.count else { return }
        awaitedRandom = nil
        awaited.resume(self, random, now)
        while awaitedRandom == nil, let input = inbox.popFirst() { handle(input, now) }
    }

    /// Handles the end of the link. In NimBLE the link keeps its security, and security may be requested, until the
    /// callbacks have returned.
    package func disconnected() {
        awaitedRandom = nil
        inbox.removeAll()
        if configuration.conduct == .specification {
            isClosed = true
            security = LinkSecurity()
        }
        end(.disconnected)
    }

    /// When ``advance(to:)`` must be called next.
    package var nextDeadline: MonotonicInstant? { procedure?.deadline }

    /// Handles the deadlines at `now`.
    package func advance(to now: MonotonicInstant) {
        guard let procedure, procedure.deadline <= now else { return }
        if procedure.configuration.conduct == .specification { isClosed = true }
        awaitedRandom = nil
        inbox.removeAll()
        end(.timedOut)
    }

    private func receive(_ input: Input, _ now: MonotonicInstant) {
        if awaitedRandom == nil {
            handle(input, now)
        } else if inbox.count < Self.inboxLimit {
            inbox.append(input)
        }
    }

    private func handle(_ input: Input, _ now: MonotonicInstant) {
        switch input {
        case .pdu(let pdu): handle(pdu, now)
        case .encryptionChanged(let status, let isEncrypted): handleEncryption(status, isEncrypted, now)
        case .longTermKeyRequested(let ediv, let rand, let key): handleKeyRequest(ediv, rand, key, now)
        }
    }

    // MARK: Output

    /// The next action, until `nil`.
    package func nextAction() -> SecurityAction? { actions.popFirst() }

    func emit(_ action: SecurityAction) {
        actions.append(action)
    }

    func send(_ pdu: some SMPPDU) {
        actions.append(.send(pdu.bytes))
    }

    /// Continues with `count` random bytes; input received before them is queued.
    func draw(_ count: Int, _ resume: @escaping Continuation) {
        awaitedRandom = (count, resume)
        actions.append(.needsRandom(count))
    }

    // MARK: Procedures

    /// True if the running procedure, or else the next, follows the specification strictly.
    var isStrict: Bool { (procedure?.configuration ?? configuration).conduct == .specification }

    /// Begins a procedure; `nil` when the maximum number is running.
    func begin(_ state: PairingProcedure.State, isInitiator: Bool, now: MonotonicInstant) -> PairingProcedure? {
        guard !context.isFull else { return nil }
        context.runningProcedures += 1
        let procedure = PairingProcedure(
            isInitiator: isInitiator, configuration: configuration, state: state,
            deadline: now.advanced(by: Self.timeout))
        self.procedure = procedure
        return procedure
    }

    /// Drops the procedure without an event.
    func drop() {
        guard let procedure else { return }
        context.runningProcedures -= 1
        if procedure.association?.model == .outOfBand { context.hasHandedOutOutOfBandValue = false }
        self.procedure = nil
    }

    /// Removes and returns the procedure; it is still counted as running.
    func removeProcedure() -> PairingProcedure? {
        defer { procedure = nil }
        return procedure
    }

    /// Adopts the procedure of an earlier link.
    func adopt(_ procedure: PairingProcedure) {
        self.procedure = procedure
    }

    /// Ends the procedure, if there is one, and reports its status.
    func end(_ status: SecurityStatus) {
        guard let kind = procedure?.kind else { return }
        drop()
        emit(.ended(kind, status))
    }

    /// Sends Pairing Failed, and ends the procedure.
    func refuse(_ reason: SMPFailureReason, _ now: MonotonicInstant, as status: SecurityStatus? = nil) {
        send(SMPPairingFailed(reason: reason))
        // An attempt during the wait does not extend it; otherwise the wait might never end.
        if reason != .repeatedAttempts { recordFailure(now) }
        end(status ?? .failed(reason))
    }

    func recordFailure(_ now: MonotonicInstant) {
        guard isStrict, procedure?.isInitiator == false else { return }
        context.attempts.recordFailure(of: peer, now: now)
    }

    /// Restarts the 30 s time-out after an answer of the peer.
    func restartTimer(_ now: MonotonicInstant) {
        procedure?.deadline = now.advanced(by: Self.timeout)
    }
}
