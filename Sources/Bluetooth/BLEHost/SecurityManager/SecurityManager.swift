package import BLECore
package import BLEPackets
package import MonotonicTime

/// The Security Manager of one link, as a pure state machine (Core 5.4, Vol 3 Part H).
///
/// After each call that changes it the owner takes every ``nextAction()`` and does it, and wakes the machine at
/// ``nextDeadline`` with ``advance(to:)``.
package final class SecurityManager {
    /// How long a procedure waits for the peer (Core 5.4, Vol 3 Part H 3.4).
    static let timeout = Duration.seconds(30)
    /// How many inputs may wait for random numbers; a peer can send no more than a few unasked.
    private static let inboxLimit = 16

    /// What arrives while random numbers are awaited.
    private enum Input {
        case pdu([UInt8])
        case encryptionChanged(HCIErrorCode, Bool)
        case longTermKeyRequested(UInt16, UInt64, LongTermKey?)
    }

    /// What goes on with random bytes. The machine is an argument, not a capture: it owns the closure.
    typealias Continuation = (SecurityManager, [UInt8], MonotonicInstant) -> Void

    /// For procedures that begin later.
    package var configuration: SecurityConfiguration
    /// How the link is protected.
    package internal(set) var security = LinkSecurity()
    /// Whom a bond with this peer belongs to: its identity address if that is known.
    package var peerIdentity: DeviceAddress
    let context: SecurityContext
    let isCentral: Bool
    /// The addresses on air, which go into the keys.
    let local: DeviceAddress
    let peer: DeviceAddress
    var procedure: PairingProcedure?
    /// Whether a time-out has closed the channel for good.
    var isClosed = false
    private var actions = FIFO<SecurityAction>()
    private var inbox = FIFO<Input>()
    private var awaitedRandom: (count: Int, resume: Continuation)?

    /// The Security Manager of a link between two addresses, as they are on air.
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

    /// Whether a pairing or encryption runs, or a Security Request waits for its answer.
    package var isBusy: Bool { procedure != nil || awaitedRandom != nil }

    // MARK: Input

    /// Takes a PDU of the peer.
    package func receive(_ pdu: ArraySlice<UInt8>, now: MonotonicInstant) {
        take(.pdu(Array(pdu)), now)
    }

    /// The controller says that the link is encrypted, is not any more, or could not be; also when a key was refreshed.
    package func encryptionChanged(_ status: HCIErrorCode, isEncrypted: Bool, now: MonotonicInstant) {
        take(.encryptionChanged(status, isEncrypted), now)
    }

    /// Peripheral: the controller asks for a key. `bonded` is ``Bond/localKey`` of the peer's bond, whatever EDIV and
    /// Rand say.
    package func longTermKeyRequested(ediv: UInt16, rand: UInt64, bonded: LongTermKey?, now: MonotonicInstant) {
        take(.longTermKeyRequested(ediv, rand, bonded), now)
    }

    /// Takes the bytes asked for with ``SecurityAction/needsRandom(_:)``; others are ignored.
    package func supply(random: [UInt8], now: MonotonicInstant) {
        guard let awaited = awaitedRandom, awaited.count == random.count else { return }
        awaitedRandom = nil
        awaited.resume(self, random, now)
        while awaitedRandom == nil, let input = inbox.popFirst() { handle(input, now) }
    }

    /// The link is gone. To NimBLE it is as well protected as it was, and may be asked for more, until its callbacks
    /// have returned.
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

    /// Does what is due at `now`.
    package func advance(to now: MonotonicInstant) {
        guard let procedure, procedure.deadline <= now else { return }
        if procedure.configuration.conduct == .specification { isClosed = true }
        awaitedRandom = nil
        inbox.removeAll()
        end(.timedOut)
    }

    private func take(_ input: Input, _ now: MonotonicInstant) {
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

    /// What to do next, until `nil`.
    package func nextAction() -> SecurityAction? { actions.popFirst() }

    func emit(_ action: SecurityAction) {
        actions.append(action)
    }

    func send(_ pdu: some SMPPDU) {
        actions.append(.send(pdu.bytes))
    }

    /// Goes on with `count` random bytes; what arrives before they do waits.
    func draw(_ count: Int, _ resume: @escaping Continuation) {
        awaitedRandom = (count, resume)
        actions.append(.needsRandom(count))
    }

    // MARK: Procedures

    /// Whether the running procedure, or else the next, is one by the letter.
    var isStrict: Bool { (procedure?.configuration ?? configuration).conduct == .specification }

    /// Begins a procedure; `nil` when there is no room for one.
    func begin(_ state: PairingProcedure.State, isInitiator: Bool, now: MonotonicInstant) -> PairingProcedure? {
        guard !context.isFull else { return nil }
        context.runningProcedures += 1
        let procedure = PairingProcedure(
            isInitiator: isInitiator, configuration: configuration, state: state,
            deadline: now.advanced(by: Self.timeout))
        self.procedure = procedure
        return procedure
    }

    /// Forgets the procedure and says nothing.
    func drop() {
        guard let procedure else { return }
        context.runningProcedures -= 1
        if procedure.association?.model == .outOfBand { context.hasHandedOutOutOfBandValue = false }
        self.procedure = nil
    }

    /// Hands the procedure over; it goes on being counted as running.
    func takeProcedure() -> PairingProcedure? {
        defer { procedure = nil }
        return procedure
    }

    /// Takes over the procedure of an earlier link.
    func adopt(_ procedure: PairingProcedure) {
        self.procedure = procedure
    }

    /// Ends the procedure, if there is one, and says how.
    func end(_ status: SecurityStatus) {
        guard let kind = procedure?.kind else { return }
        drop()
        emit(.ended(kind, status))
    }

    /// Tells the peer that pairing failed, and ends it.
    func refuse(_ reason: SMPFailureReason, _ now: MonotonicInstant) {
        send(SMPPairingFailed(reason: reason))
        // Knocking too early does not make the wait longer, or it would never end.
        if reason != .repeatedAttempts { recordFailure(now) }
        end(.failed(reason))
    }

    func recordFailure(_ now: MonotonicInstant) {
        guard isStrict, procedure?.isInitiator == false else { return }
        context.attempts.recordFailure(of: peer, now: now)
    }

    /// The peer goes on, so it has another 30 s.
    func restartTimer(_ now: MonotonicInstant) {
        procedure?.deadline = now.advanced(by: Self.timeout)
    }
}
