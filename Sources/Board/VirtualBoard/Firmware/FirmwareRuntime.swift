internal import CFirmwareChannel
import ESPImage
import MonotonicTime

/// Runs a sketch's process on the board's clock: gives it turns when it is due or has messages, and processes its
/// messages at their times.
///
/// A state machine except for the process: the owner passes the time, wakes it at ``nextDeadline``, and performs the
/// ``Effect``s after each call.
final class FirmwareRuntime {
    /// The requests of the sketch to the board.
    enum Effect {
        /// A message to the board.
        case message(FirmwareMessage)
        /// It called `esp_restart()`; the process has ended.
        case restart
        /// It started deep sleep; the process has ended.
        case deepSleep
        /// It crashed or hung; the process has ended.
        case fault(FirmwareFault)
    }

    private enum State {
        /// The sketch sleeps until an instant (`nil`: until an event).
        case sleeping(MonotonicInstant?)
        case calling(reply: [UInt8]?)
        case ended
    }

    /// The size of `CFC_TX_BLOCKS`.
    private static let blocksMessageSize = 24

    /// Before each turn: the number of free blocks of NimBLE's pool to report to the sketch; `nil`: none.
    var blocksToTell: (() -> Int32?)?
    private let process: FirmwareProcess
    // `@exclusivity(unchecked)`: read several times per packet, so run-time checks would dominate the cost; the
    // compiler's static checks remain.
    @exclusivity(unchecked) private var state = State.sleeping(.zero)
    @exclusivity(unchecked) private var outgoing = FirmwareMessageWriter()
    /// Messages of the last turn that are not processed yet, in order, and how the turn ended.
    @exclusivity(unchecked) private var inbox: [FirmwareMessage] = []
    @exclusivity(unchecked) private var nextInInbox = 0
    @exclusivity(unchecked) private var turnEnd: FirmwareProcess.TurnEnd?
    /// The sketch's own time, which may be ahead of the board's.
    private var firmwareNow = MonotonicInstant.zero
    /// The number of turns since ``firmwareNow`` last changed.
    private var turnsAtOneInstant = 0

    /// More turns without letting time pass count as an endless loop. The measured maxima are 584 for the tests'
    /// sketches and 135 for the shipped ones, with NimBLE-Arduino; 57 with the built-in NimBLE. Computations between
    /// the calls of a sketch let time pass after 4,000 blocks.
    private static let mostTurnsAtOneInstant = 10_000
    /// The largest lead of a sketch's time over the board's at the end of a turn: the host core ends a turn after 10
    /// ms, plus the time of one call, at most 19 µs as measured.
    private static let furthestAhead = Duration.seconds(1)

    /// Starts `program`; `start` is the first message.
    init(
        _ program: HostProgram, start: cfc_start, _ handOver: HandOver, now: MonotonicInstant
    ) throws(FirmwareProcessError) {
        process = try FirmwareProcess(program, handOver)
        outgoing.append(CFC_START, at: now, start)
    }

    /// Queues a message for the sketch's next turn, which is then due at once.
    func send<Fields: BitwiseCopyable>(
        _ type: Int, _ fields: Fields, tail: ArraySlice<UInt8> = [], now: MonotonicInstant
    ) {
        outgoing.append(type, at: now, fields, tail: tail)
    }

    /// Queues a message of `bytes` alone.
    func send(_ type: Int, bytes: ArraySlice<UInt8>, now: MonotonicInstant) {
        outgoing.append(type, at: now, bytes: bytes)
    }

    /// The chip's heap at the end of the sketch's last turn.
    var heap: HeapUse? { process.heap }

    /// The sketch's tasks at this moment; `nil`: it has not begun, or has ended.
    func tasks() -> [FirmwareTask]? {
        if case .ended = state { nil } else { process.tasks() }
    }

    /// The bytes that the sketch has printed to `Serial` while it was not begun.
    var lostOutput: Int { process.lostOutput }

    /// The size of the messages for the sketch's next turn, in bytes.
    var queuedByteCount: Int { outgoing.bytes.count }

    /// Answers the pending call of the sketch.
    func reply(status: Int32 = 0, _ bytes: [UInt8] = []) {
        guard case .calling = state else { return }
        var writer = FirmwareMessageWriter()
        writer.append(CFC_REPLY, at: firmwareNow, cfc_reply(status: status, reserved: 0), tail: bytes[...])
        state = .calling(reply: writer.bytes)
    }

    /// Ends the process.
    func terminate() {
        process.terminate()
        state = .ended
        inbox = []
        turnEnd = nil
    }

    /// The time at which ``nextEffect(now:horizon:)`` is due if no event precedes it.
    var nextDeadline: MonotonicInstant? {
        if nextInInbox < inbox.count { return inbox[nextInInbox].time }
        switch state {
        case .ended: return nil
        case .calling(let reply): return turnEnd != nil || reply != nil ? firmwareNow : nil
        case .sleeping(let wake):
            if turnEnd != nil || !outgoing.isEmpty { return firmwareNow }
            return wake.map { max($0, firmwareNow) }
        }
    }

    /// Runs the sketch up to `now`; returns its next request to the board, in order, or `nil` when it sleeps.
    /// `horizon`: the time of the next other event on the bench.
    func nextEffect(now: MonotonicInstant, horizon: MonotonicInstant?) -> Effect? {
        while true {
            if nextInInbox < inbox.count {
                guard inbox[nextInInbox].time <= now else { return nil }
                defer { nextInInbox += 1 }
                return .message(inbox[nextInInbox])
            }
            guard let deadline = nextDeadline, deadline <= now else { return nil }
            if let end = turnEnd {
                turnEnd = nil
                if let effect = handle(end) { return effect }
            } else {
                runTurn(now: now, horizon: horizon)
            }
        }
    }

    private func handle(_ end: FirmwareProcess.TurnEnd) -> Effect? {
        switch end {
        case .sleeping(let wake): state = .sleeping(wake)
        case .calling: break
        case .restart:
            self.terminate()
            return .restart
        case .deepSleep:
            self.terminate()
            return .deepSleep
        case .fault(let fault):
            self.terminate()
            return .fault(fault)
        }
        return nil
    }

    private func runTurn(now: MonotonicInstant, horizon: MonotonicInstant?) {
        var batch: ArraySlice<UInt8> = []
        if case .calling(let reply?) = state {
            // With what is queued, which came first: a sketch that calls in its loop may never sleep.
            batch = outgoing.removeBatch(reserve: reply.count + Self.blocksMessageSize) + reply
            state = .sleeping(nil)
        } else {
            batch = outgoing.removeBatch(reserve: Self.blocksMessageSize)
        }
        if let blocks = blocksToTell?() {
            // The first message: it applies from the start of the turn.
            var writer = FirmwareMessageWriter()
            writer.append(CFC_TX_BLOCKS, at: now, cfc_number(value: blocks))
            batch = (writer.bytes + batch)[...]
        }
        inbox.removeAll(keepingCapacity: true)
        nextInInbox = 0
        var nonsense: String?
        let turn = process.runTurn(batch, now: now, horizon: horizon) {
            nonsense = FirmwareMessage.read($0, into: &inbox)
        }
        let before = firmwareNow
        firmwareNow = max(turn.firmwareNow, now)
        turnEnd = turn.end
        turnsAtOneInstant = firmwareNow > before ? 0 : turnsAtOneInstant + 1
        if turnsAtOneInstant >= Self.mostTurnsAtOneInstant {
            switch turn.end {
            case .sleeping, .calling: turnEnd = .fault(process.faultWhereItWaits(.standing))
            case .restart, .deepSleep, .fault: break
            }
        }
        if turn.firmwareNow > now.advanced(by: Self.furthestAhead) {
            nonsense = nonsense ?? "a turn from \(now) to \(turn.firmwareNow)"
        }
        if let last = inbox.last, last.time > firmwareNow {
            nonsense = nonsense ?? "a message is of \(last.time), after the end of its turn at \(firmwareNow)"
        }
        if case .calling = turn.end, inbox.last?.isCall != true {
            nonsense = nonsense ?? "the firmware waits for a reply, and its last message is no call"
        }
        if let nonsense {
            inbox.removeAll(keepingCapacity: true)
            turnEnd = .fault(process.faultWhereItWaits(.channel, nonsense))
        }
        // The board answers a call when it processes the message, which is before the end of the turn.
        if case .calling? = turnEnd { state = .calling(reply: nil) }
    }
}

/// The chip's heap, in bytes, as `ESP.getHeapSize()`, `getFreeHeap()` and `getMinFreeHeap()` report it.
public struct HeapUse: Sendable, Hashable {
    /// The size of the heap, including the headers of blocks.
    public let size: Int
    /// The number of free bytes.
    public let free: Int
    /// The smallest number of free bytes since the application started.
    public let minimumFree: Int
}
