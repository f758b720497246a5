import MonotonicTime

/// The two directions of a UART whose bytes take their time: 10 bits each at the rate of the chip.
///
/// Bytes arrive in chunks, each when its last bit has been sent. A pure state machine.
struct PacedUART {
    /// The most bytes that arrive at once: a chunk of 256 bytes is 2.8 ms at 921,600 baud.
    private static let chunkSize = 256

    /// Bytes, and when the last of them has arrived.
    struct Chunk {
        let bytes: [UInt8]
        let arrival: MonotonicInstant
    }

    /// One direction.
    private struct Wire {
        private(set) var chunks: [Chunk] = []
        private var first = 0
        /// When the last byte has been sent.
        private var end = MonotonicInstant.zero

        var next: MonotonicInstant? { first < chunks.count ? chunks[first].arrival : nil }

        mutating func send(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
            let byteTime = Duration.nanoseconds(10_000_000_000 / max(1, rate))
            for start in stride(from: 0, to: bytes.count, by: PacedUART.chunkSize) {
                let chunk = bytes[start..<min(start + PacedUART.chunkSize, bytes.count)]
                end = max(end, now).advanced(by: byteTime * chunk.count)
                chunks.append(Chunk(bytes: Array(chunk), arrival: end))
            }
        }

        mutating func receive(at now: MonotonicInstant) -> [UInt8]? {
            guard let next, next <= now else { return nil }
            let bytes = chunks[first].bytes
            first += 1
            if first == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                first = 0
            }
            return bytes
        }

        mutating func clear() {
            self = Wire()
        }
    }

    private var toChip = Wire()
    private var toClient = Wire()

    /// When the next chunk arrives at either end.
    var nextDeadline: MonotonicInstant? {
        .earliest(toChip.next, toClient.next)
    }

    /// The client sends `bytes`; the chip's receiver runs at `rate`.
    mutating func sendToChip(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
        toChip.send(bytes, at: now, rate: rate)
    }

    /// The chip sends `bytes` at `rate`.
    mutating func sendToClient(_ bytes: [UInt8], at now: MonotonicInstant, rate: Int) {
        toClient.send(bytes, at: now, rate: rate)
    }

    /// The next chunk that has arrived at the chip.
    mutating func receiveAtChip(at now: MonotonicInstant) -> [UInt8]? { toChip.receive(at: now) }

    /// The next chunk that has arrived at the client.
    mutating func receiveAtClient(at now: MonotonicInstant) -> [UInt8]? { toClient.receive(at: now) }

    /// Discards what is on its way: the chip was reset.
    mutating func reset() {
        toChip.clear()
        toClient.clear()
    }
}
