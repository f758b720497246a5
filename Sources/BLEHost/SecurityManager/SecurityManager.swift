import BLECore
import BLEPackets
import MonotonicTime

/// The Security Manager of one link, as a pure state machine (Core 5.4, Vol 3 Part H).
///
/// After each call that changes it the owner takes every ``nextAction()`` and does it, and wakes the machine at
/// ``nextDeadline`` with ``advance(to:)``.
final class SecurityManager {
    /// For procedures that begin later.
    var configuration: SecurityConfiguration
    /// How the link is protected.
    private(set) var security = LinkSecurity()
    let context: SecurityContext
    let isCentral: Bool
    /// The addresses on air, which go into the keys.
    let local: DeviceAddress
    let peer: DeviceAddress
    private var actions = FIFO<SecurityAction>()

    init(
        isCentral: Bool, local: DeviceAddress, peer: DeviceAddress, configuration: SecurityConfiguration,
        context: SecurityContext
    ) {
        self.isCentral = isCentral
        self.local = local
        self.peer = peer
        self.configuration = configuration
        self.context = context
    }

    /// Whether a pairing or encryption runs, or a Security Request waits for its answer.
    var isBusy: Bool { false }

    /// Takes a PDU of the peer.
    func receive(_ pdu: ArraySlice<UInt8>, now: MonotonicInstant) {}

    /// Central: begins a pairing, whatever the link's protection; false when a procedure runs or the channel is closed.
    func pair(now: MonotonicInstant) -> Bool { false }

    /// Central: encrypts with a key of an earlier pairing; false when a procedure runs.
    func encrypt(with key: LongTermKey, now: MonotonicInstant) -> Bool { false }

    /// Peripheral: sends a Security Request; false when a procedure runs or the channel is closed.
    func requestSecurity(now: MonotonicInstant) -> Bool { false }

    /// Takes the user's answer; false when nothing waits for such a one.
    func answer(_ answer: PairingAnswer, now: MonotonicInstant) -> Bool { false }

    /// Takes the bytes asked for with ``SecurityAction/needsRandom(_:)``.
    func supply(random: [UInt8], now: MonotonicInstant) {}

    /// The controller says that the link is encrypted, is not any more, or could not be; also when a key was refreshed.
    func encryptionChanged(_ status: HCIErrorCode, isEncrypted: Bool, now: MonotonicInstant) {}

    /// Peripheral: the controller asks for a key. `bonded` is ``Bond/localKey`` of the peer's bond, whatever EDIV and
    /// Rand say.
    func longTermKeyRequested(ediv: UInt16, rand: UInt64, bonded: LongTermKey?, now: MonotonicInstant) {}

    /// The link is gone.
    func disconnected() {}

    /// When ``advance(to:)`` must be called next.
    var nextDeadline: MonotonicInstant? { nil }

    /// Does what is due at `now`.
    func advance(to now: MonotonicInstant) {}

    /// What to do next, until `nil`.
    func nextAction() -> SecurityAction? { actions.popFirst() }
}
