import BoardParts
import MonotonicTime

/// The planned faults of the parts on I²C buses.
struct BusFaults {
    private struct Planned {
        let number: Int
        let part: Int
        let fault: BusFault
        /// When a hold of SDA ends; `nil`: never.
        let end: MonotonicInstant?
        var transactions = 0
        var hasOccurred = false

        /// Why it has not occurred.
        var reason: String {
            if case .heldData = fault.kind { return "there was no transaction on the bus in that time" }
            if transactions < fault.transaction {
                return "\(transactions) of \(fault.transaction) transaction\(fault.transaction == 1 ? "" : "s") came"
            }
            let transaction = "transaction \(fault.transaction) with the part"
            return switch fault.kind {
            case .noAcknowledgement(let byte?): "\(transaction) had no byte \(byte) that was written"
            case .invertedBit(_, let byte, let isWritten):
                "\(transaction) had no byte \(byte) that was \(isWritten ? "written" : "read")"
            case .noAcknowledgement, .stretchedClock, .heldData: "\(transaction) ended before its address"
            }
        }
    }

    private var planned: [Planned] = []
    /// The faults of the current transaction, by index.
    private var current: [Int] = []

    /// Plans a fault of the part with an index.
    mutating func plan(_ fault: BusFault, part: Int, number: Int, at time: MonotonicInstant) {
        var end: MonotonicInstant?
        if case .heldData(let duration?) = fault.kind { end = time.advanced(by: duration) }
        planned.append(Planned(number: number, part: part, fault: fault, end: end))
    }

    /// The faults that have not occurred, by number, and why.
    var toCome: [Int: String] {
        Dictionary(uniqueKeysWithValues: planned.lazy.filter { !$0.hasOccurred }.map { ($0.number, $0.reason) })
    }

    /// The parts that hold SDA, and when each hold ends.
    var holds: [(part: Int, end: MonotonicInstant?)] {
        planned.compactMap { if case .heldData = $0.fault.kind { ($0.part, $0.end) } else { nil } }
    }

    /// Handles a transaction on a bus with these parts, for which SDA is held low.
    mutating func occurHold(of parts: Set<Int>, at time: MonotonicInstant) {
        for index in planned.indices where parts.contains(planned[index].part) {
            guard case .heldData = planned[index].fault.kind, planned[index].end.map({ $0 > time }) ?? true else {
                continue
            }
            planned[index].hasOccurred = true
        }
    }

    // MARK: A transaction

    /// Begins a transaction with a part.
    mutating func begin(part: Int?) {
        guard !planned.isEmpty else { return }
        current = []
        for index in planned.indices where planned[index].part == part {
            planned[index].transactions += 1
            let (count, fault) = (planned[index].transactions, planned[index].fault)
            if count == fault.transaction || fault.isRepeated && count > fault.transaction { current.append(index) }
        }
    }

    /// True if the part does not acknowledge its address (`nil`) or the n-th written byte.
    mutating func refuses(byte: Int?) -> Bool { occur { $0 == .noAcknowledgement(byte: byte) } }

    /// The time for which the part stretches the clock, once in a transaction.
    mutating func takeStretch() -> Duration? {
        var time: Duration?
        _ = occur {
            guard case .stretchedClock(let duration) = $0 else { return false }
            time = max(time ?? .zero, duration)
            return true
        }
        current.removeAll { if case .stretchedClock = planned[$0].fault.kind { true } else { false } }
        return time
    }

    /// The n-th byte, with inverted bits.
    mutating func altered(_ byte: UInt8, number: Int, isWritten: Bool) -> UInt8 {
        var result = byte
        _ = occur {
            guard case .invertedBit(let bit, number, isWritten) = $0 else { return false }
            result ^= 1 << UInt8(truncatingIfNeeded: bit & 7)
            return true
        }
        return result
    }

    /// Marks the current faults for which `isDue` is true as occurred; returns whether there are any.
    private mutating func occur(_ isDue: (BusFault.Kind) -> Bool) -> Bool {
        var isAny = false
        for index in current where isDue(planned[index].fault.kind) {
            planned[index].hasOccurred = true
            isAny = true
        }
        return isAny
    }
}
