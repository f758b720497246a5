package import MonotonicTime

/// Decides which bytes are sent next to a board's serial line, and when: a pure state machine, which knows neither
/// radio nor clock.
///
/// A write without response has no answer, and a board that cannot take it drops it. So no more bytes are under way than the
/// board has room for: those that it has not confirmed, and those that it has, but that its UART has not passed on yet. A
/// write with response confirms all that was written before it, since a board handles them in order; where the board takes
/// none, any request does. A board that counts what it has passed on needs neither: ``BLESerialStatus``.
package struct BLESerialSender {
    /// The next step.
    package enum Step: Hashable {
        /// Write these bytes without a response.
        case command([UInt8])
        /// Write these bytes with a response, which confirms them and all before.
        case request([UInt8])
        /// Make a request whose answer confirms all that was written.
        case confirm
        /// Wait for the board's status.
        case awaitStatus
        /// Wait for the board's UART.
        case wait(until: MonotonicInstant)
        /// There is nothing to send.
        case idle
    }

    /// The writes that a board takes.
    package struct Writes: Hashable {
        /// Writes without a response.
        package var commands: Bool
        /// Writes with a response.
        package var requests: Bool

        package init(commands: Bool, requests: Bool) {
            self.commands = commands
            self.requests = requests
        }
    }

    /// The longest chunk: with its headers it fills a packet of the link layer, 251 bytes (Core 5.4, Vol 6 Part B 2.4).
    static let maximumChunk = 244

    let pace: BLESerialPace
    /// The bytes that are not confirmed: first those that were written, then those that were not.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The bytes that were written and not confirmed; between connections those of the last one, until its board
    /// reports which it has received.
    package private(set) var unconfirmed = 0
    /// When the board's UART has passed on all confirmed bytes, at the latest.
    private var lineIsFree = MonotonicInstant.zero
    private var chunk = 20
    private var writes = Writes(commands: true, requests: true)
    /// The room of a board that counts, what it had counted last, and how many bytes of former connections it still counts.
    private var credits: (capacity: Int, sent: UInt32, former: Int)?
    /// Which power-on of a board that numbers its bytes this is, and its number of the first byte not confirmed.
    private var position: (boot: UInt32, accepted: UInt32)?

    package init(_ pace: BLESerialPace) {
        self.pace = pace
    }

    /// The bytes that have not been written.
    package var queued: Int { bytes.count - start - unconfirmed }

    /// Adds bytes.
    package mutating func append(_ new: some Collection<UInt8>) { bytes += new }

    /// Removes all bytes; returns how many were not written, and of how many it is not known whether the board has them.
    package mutating func removeAll() -> (unsent: Int, unconfirmed: Int) {
        defer { (bytes, start, unconfirmed) = ([], 0, 0) }
        return (queued, unconfirmed)
    }

    /// A connection begins; returns the longest chunk, and of the bytes of the last connection how many the board has,
    /// and how many may have been lost: a board that numbers its bytes has reported which it received, and the others
    /// are written again.
    ///
    /// - Parameters:
    ///   - mtu: its ATT MTU.
    ///   - status: that of a board which counts.
    ///   - new: where a board is that numbers its bytes.
    package mutating func begin(
        mtu: Int, _ writes: Writes, _ status: BLESerialStatus? = nil, _ new: BLESerialPosition? = nil
    ) -> (chunk: Int, arrived: Int, lost: Int) {
        credits = status.map { ($0.capacity, $0.sent, $0.former) }
        self.writes = writes
        chunk = max(1, min(mtu - 3, Self.maximumChunk, (credits?.capacity ?? pace.window) / 2))
        var (arrived, lost) = (0, 0)
        if let new, let position, new.boot == position.boot,
            let accepted = Int(exactly: new.accepted &- position.accepted), accepted <= unconfirmed
        {
            arrived = accepted
            remove(arrived)
            // The others are written again.
            unconfirmed = 0
        } else {
            // The position is that of another board or power-on, or another client has written in between.
            lost = unconfirmed
            remove(lost)
        }
        position = new.map { ($0.boot, $0.accepted) }
        return (chunk, arrived, lost)
    }

    /// The next step. The bytes it returns count as written.
    package mutating func next(_ now: MonotonicInstant) -> Step {
        if let credits { return next(credits.capacity) }
        guard queued > 0 else { return unconfirmed > 0 ? .confirm : .idle }
        let count = min(chunk, queued)
        guard unconfirmed + count <= max(count, pace.window / 2) else { return .confirm }
        let backlog = pace.bytes(in: now.duration(to: lineIsFree))
        guard pace.window - unconfirmed - backlog >= count else {
            return .wait(until: lineIsFree.advanced(by: .zero - pace.time(for: pace.window - unconfirmed - count)))
        }
        let bytes = take(count)
        let isLast = queued == 0 || unconfirmed + min(chunk, queued) > pace.window / 2
        return writes.requests && (isLast || !writes.commands) ? .request(bytes) : .command(bytes)
    }

    private mutating func next(_ capacity: Int) -> Step {
        let count = min(chunk, queued)
        let pending = unconfirmed + (credits?.former ?? 0)
        guard count > 0, pending + count <= capacity else { return pending > 0 ? .awaitStatus : .idle }
        let bytes = take(count)
        return writes.commands ? .command(bytes) : .request(bytes)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let first = start + unconfirmed
        unconfirmed += count
        return Array(bytes[first..<first + count])
    }

    /// The first bytes are no longer needed.
    private mutating func remove(_ count: Int) {
        start += count
        unconfirmed -= count
        position?.accepted &+= UInt32(truncatingIfNeeded: count)
        // Moved now and then only.
        if start == bytes.count || start >= 65_536 { (bytes, start) = (Array(bytes[start...]), 0) }
    }

    /// A request was answered, which confirms what was written; returns how much, 0 with a board that counts.
    package mutating func confirm(_ now: MonotonicInstant) -> Int {
        guard credits == nil else { return 0 }
        let count = unconfirmed
        lineIsFree = max(lineIsFree, now).advanced(by: pace.time(for: count))
        remove(count)
        return count
    }

    /// A board that counts tells how far it is; returns how many bytes that confirms. One that has counted more than was written,
    /// or less than before, is not believed: `nil`.
    package mutating func confirm(_ status: BLESerialStatus) -> Int? {
        guard let credits, let growth = Int(exactly: status.sent &- credits.sent),
            growth <= credits.former + unconfirmed
        else { return nil }
        let former = min(growth, credits.former)
        self.credits = (credits.capacity, status.sent, credits.former - former)
        remove(growth - former)
        return growth - former
    }

    /// The last step's bytes were not written. A board that counts may have counted them all the same: then they are gone.
    package mutating func takeBack(_ bytes: [UInt8]) { unconfirmed = max(0, unconfirmed - bytes.count) }

    /// The connection has ended; returns how many bytes may have been lost with it: none of a board that numbers its bytes, which
    /// will tell.
    package mutating func end() -> Int {
        guard position == nil else { return 0 }
        let lost = unconfirmed
        remove(lost)
        return lost
    }
}
