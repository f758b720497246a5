import MonotonicTime

/// What is sent next to a board's serial line, and when: a pure state machine, which knows neither radio nor clock.
///
/// A write without response has no answer, and a board that cannot take it drops it. So no more bytes are under way than the
/// board has room for: those that it has not confirmed, and those that it has, but that its UART has not passed on yet. A
/// write with response confirms all that was written before it, since a board handles them in order; where the board takes
/// none, any request does. A board that counts what it has passed on needs neither: ``BLESerialStatus``.
struct BLESerialSender {
    /// What to do.
    enum Step: Hashable {
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
    struct Writes: Hashable {
        /// Those without a response.
        var commands: Bool
        /// Those with one.
        var requests: Bool
    }

    /// The longest chunk: with its headers it fills a packet of the link layer, 251 bytes (Core 5.4, Vol 6 Part B 2.4).
    static let maximumChunk = 244

    let pace: BLESerialPace
    private var queue: [UInt8] = []
    private var start = 0
    /// The bytes that were written and not confirmed, on this connection.
    private(set) var unconfirmed = 0
    /// When the board's UART has passed on all confirmed bytes, at the latest.
    private var lineIsFree = MonotonicInstant.zero
    private var chunk = 20
    private var writes = Writes(commands: true, requests: true)
    /// The room of a board that counts, and what it had counted last.
    private var credits: (capacity: Int, sent: UInt32)?

    init(_ pace: BLESerialPace) {
        self.pace = pace
    }

    /// The bytes that have not been written.
    var queued: Int { queue.count - start }

    /// Adds bytes.
    mutating func append(_ bytes: some Collection<UInt8>) { queue += bytes }

    /// Removes all bytes that have not been written; returns how many.
    mutating func removeAll() -> Int {
        defer { (queue, start) = ([], 0) }
        return queued
    }

    /// A connection begins; returns the longest chunk.
    ///
    /// - Parameters:
    ///   - mtu: its ATT MTU.
    ///   - status: that of a board which counts.
    mutating func begin(mtu: Int, _ writes: Writes, _ status: BLESerialStatus? = nil) -> Int {
        credits = status.map { ($0.capacity, $0.sent) }
        self.writes = writes
        chunk = max(1, min(mtu - 3, Self.maximumChunk, (credits?.capacity ?? pace.window) / 2))
        return chunk
    }

    /// The next step. What it returns to be written counts as written.
    mutating func next(_ now: MonotonicInstant) -> Step {
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
        guard count > 0, unconfirmed + count <= capacity else { return unconfirmed > 0 ? .awaitStatus : .idle }
        let bytes = take(count)
        return writes.commands ? .command(bytes) : .request(bytes)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(queue[start..<start + count])
        start += count
        // Moved now and then only.
        if start == queue.count || start >= 65_536 { (queue, start) = (Array(queue[start...]), 0) }
        unconfirmed += count
        return bytes
    }

    /// A request was answered, which confirms what was written; returns how much, 0 with a board that counts.
    mutating func confirm(_ now: MonotonicInstant) -> Int {
        guard credits == nil else { return 0 }
        defer { unconfirmed = 0 }
        lineIsFree = max(lineIsFree, now).advanced(by: pace.time(for: unconfirmed))
        return unconfirmed
    }

    /// A board that counts tells how far it is; returns how many bytes that confirms. One that has counted more than was written
    /// is not believed.
    mutating func confirm(_ status: BLESerialStatus) -> Int {
        guard let former = credits?.sent, let count = Int(exactly: status.sent &- former), count <= unconfirmed else {
            return 0
        }
        credits?.sent = status.sent
        unconfirmed -= count
        return count
    }

    /// The last step's bytes were not written.
    mutating func takeBack(_ bytes: [UInt8]) {
        queue.insert(contentsOf: bytes, at: start)
        unconfirmed -= bytes.count
    }

    /// The connection has ended; returns how many bytes may have been lost with it.
    mutating func end() -> Int {
        defer { unconfirmed = 0 }
        return unconfirmed
    }
}
