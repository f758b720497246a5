import CFirmwareChannel
import MonotonicTime

/// Runs a sketch's process on the board's clock: gives it turns when it is due or has news, and works off what it says
/// at the times it says it.
///
/// A pure machine but for the process itself: the owner passes the time, wakes it at ``nextDeadline``, and after each
/// call takes the ``Effect``s.
final class FirmwareRuntime {
    /// What the sketch wants of the board.
    enum Effect {
        /// A message that concerns the board.
        case message(FirmwareMessage)
        /// It called `esp_restart()`; the process has ended.
        case restart
        /// It cannot go on; the process has ended.
        case fault(FirmwareFault)
    }

    private enum State {
        /// Until an instant (`nil`: until an event).
        case sleeping(MonotonicInstant?)
        case calling(reply: [UInt8]?)
        case ended
    }

    private let process: FirmwareProcess
    private var state = State.sleeping(.zero)
    private var outgoing = FirmwareMessageWriter()
    /// What the last turn brought and is not due yet or not worked off, in order, and how the turn ended.
    private var inbox: [FirmwareMessage] = []
    private var nextInInbox = 0
    private var turnEnd: FirmwareProcess.TurnEnd?
    /// The sketch's own time: it has run ahead of the board up to here.
    private var firmwareNow = MonotonicInstant.zero

    /// Starts `program`; its first turn brings `start`.
    init(program: ArraySlice<UInt8>, start: cfc_start, now: MonotonicInstant) throws(FirmwareProcessError) {
        process = try FirmwareProcess(program: program)
        outgoing.append(CFC_START, at: now, start)
    }

    /// Queues a message for the sketch's next turn, which is then due at once.
    func send<Fields: BitwiseCopyable>(
        _ type: Int, _ fields: Fields, tail: ArraySlice<UInt8> = [], now: MonotonicInstant
    ) {
        outgoing.append(type, at: now, fields, tail: tail)
    }

    /// The bytes of messages that wait for the sketch's next turn.
    var waitingByteCount: Int { outgoing.bytes.count }

    /// Answers the call the sketch waits in.
    func reply(status: Int32 = 0, _ bytes: [UInt8] = []) {
        guard case .calling = state else { return }
        var writer = FirmwareMessageWriter()
        writer.append(CFC_REPLY, at: firmwareNow, cfc_reply(status: status, reserved: 0), tail: bytes[...])
        state = .calling(reply: writer.bytes)
    }

    /// Ends the process.
    func end() {
        process.end()
        state = .ended
        inbox = []
        turnEnd = nil
    }

    /// When ``nextEffect(now:horizon:)`` has something to do, if nothing comes before.
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

    /// Lets the sketch run as far as it may now; returns the next thing it wants of the board, in order, or `nil` when
    /// it sleeps. `horizon`: when something else on the bench happens next.
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
                if let effect = take(end) { return effect }
            } else {
                takeTurn(now: now, horizon: horizon)
            }
        }
    }

    private func take(_ end: FirmwareProcess.TurnEnd) -> Effect? {
        switch end {
        case .sleeping(let wake): state = .sleeping(wake)
        case .calling: break
        case .restart:
            self.end()
            return .restart
        case .fault(let fault):
            self.end()
            return .fault(fault)
        }
        return nil
    }

    private func takeTurn(now: MonotonicInstant, horizon: MonotonicInstant?) {
        var batch: ArraySlice<UInt8> = []
        if case .calling(let reply?) = state {
            batch = reply[...]
            state = .sleeping(nil)
        } else {
            batch = outgoing.takeBatch()
        }
        inbox.removeAll(keepingCapacity: true)
        nextInInbox = 0
        let turn = process.takeTurn(batch, now: now, horizon: horizon) { FirmwareMessage.read($0, into: &inbox) }
        firmwareNow = max(turn.firmwareNow, now)
        turnEnd = turn.end
        // A call is answered by the board's work on the message itself, which comes before the turn's end is taken.
        if case .calling = turn.end { state = .calling(reply: nil) }
    }
}
