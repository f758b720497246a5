package import MonotonicTime

/// Decides which bytes are sent next to a board's serial line, and when: a pure state machine, which uses neither radio
/// nor clock.
///
/// A write without response is not confirmed, and a board with a full buffer drops it. So the unconfirmed bytes, and
/// the confirmed bytes that its UART has not passed on yet, never exceed the board's room. A write with response
/// confirms all writes before it, since a board handles them in order; if the board takes no such write, any other
/// request confirms them. A board that counts the bytes passed on needs neither: ``BLESerialStatus``.
package struct BLESerialSender {
    /// The next step.
    package enum Step: Hashable {
        /// Write these bytes without a response.
        case command([UInt8])
        /// Write these bytes with a response, which confirms them and all bytes before.
        case request([UInt8])
        /// Make a request whose response confirms all written bytes.
        case confirm
        /// Wait for the board's status.
        case awaitStatus
        /// Wait for the board's UART.
        case wait(until: MonotonicInstant)
        /// There is nothing to send.
        case idle
    }

    /// The kinds of writes that a board takes.
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

    /// The longest chunk: with its headers, it fills a packet of the link layer, 251 bytes (Core 5.4, Vol 6 Part B
    /// 2.4).
    static let maximumChunk = 244

    let pace: BLESerialPace
    /// The unconfirmed bytes: first the written ones, then those not yet written.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The number of bytes written and not confirmed; between connections the number for the last one, until its board
    /// reports which it has received.
    package private(set) var unconfirmed = 0
    /// The latest time at which the board's UART has passed on all confirmed bytes.
    private var lineIsFree = MonotonicInstant.zero
    private var chunk = 20
    private var writes = Writes(commands: true, requests: true)
    /// For a board that counts: its room, its last count, and the number of bytes of former connections still in the
    /// count.
    private var credits: (capacity: Int, sent: UInt32, former: Int)?
    /// For a board that numbers its bytes: the ID of its power-on, and its number of the first unconfirmed byte.
    private var position: (boot: UInt32, accepted: UInt32)?

    package init(_ pace: BLESerialPace) {
        self.pace = pace
    }

    /// The bytes that have not been written.
    package var queued: Int { bytes.count - start - unconfirmed }

    /// Adds bytes.
    package mutating func append(_ new: some Collection<UInt8>) { bytes += new }

    /// Removes all bytes; returns how many were not written, and how many were written but not confirmed.
    package mutating func removeAll() -> (unsent: Int, unconfirmed: Int) {
        defer { (bytes, start, unconfirmed) = ([], 0, 0) }
        return (queued, unconfirmed)
    }

    /// A connection begins; returns the longest chunk, and, for the last connection, how many of its bytes the board
    /// has received and how many may be lost. A board that numbers its bytes has reported those it received; the others
    /// are written again.
    ///
    /// - Parameters:
    ///   - mtu: the ATT MTU of the connection.
    ///   - status: the status of a board that counts.
    ///   - new: the position of a board that numbers its bytes.
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
            // The other bytes are written again.
            unconfirmed = 0
        } else {
            // The position is that of another board or power-on, or another client has written in between.
            lost = unconfirmed
            remove(lost)
        }
        position = new.map { ($0.boot, $0.accepted) }
        return (chunk, arrived, lost)
    }

    /// The next step. Its bytes count as written.
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

    /// Removes the first bytes, which are no longer needed.
    private mutating func remove(_ count: Int) {
        start += count
        unconfirmed -= count
        position?.accepted &+= UInt32(truncatingIfNeeded: count)
        // Moves the rest only occasionally.
        if start == bytes.count || start >= 65_536 { (bytes, start) = (Array(bytes[start...]), 0) }
    }

    /// A request was answered, which confirms all written bytes; returns their number, 0 with a board that counts.
    package mutating func confirm(_ now: MonotonicInstant) -> Int {
        guard credits == nil else { return 0 }
        let count = unconfirmed
        lineIsFree = max(lineIsFree, now).advanced(by: pace.time(for: count))
        remove(count)
        return count
    }

    /// A board that counts has reported its status; returns how many bytes that confirms. A count above the written
    /// bytes, or below the last count, is invalid: `nil`.
    package mutating func confirm(_ status: BLESerialStatus) -> Int? {
        guard let credits, let growth = Int(exactly: status.sent &- credits.sent),
            growth <= credits.former + unconfirmed
        else { return nil }
        let former = min(growth, credits.former)
        self.credits = (credits.capacity, status.sent, credits.former - former)
        remove(growth - former)
        return growth - former
    }

    /// The last step's bytes were not written. If a board that counts has counted them anyway, they remain confirmed.
    package mutating func takeBack(_ bytes: [UInt8]) { unconfirmed = max(0, unconfirmed - bytes.count) }

    /// The connection has ended; returns how many bytes may have been lost: 0 with a board that numbers its bytes, as
    /// it will report them.
    package mutating func end() -> Int {
        guard position == nil else { return 0 }
        let lost = unconfirmed
        remove(lost)
        return lost
    }
}
