public import BoardParts
import BenchExecutor
import MonotonicTime

/// The parts that are wired to the board.
extension VirtualBoard {
    /// Replaces all parts. A running sketch does not learn which pins a new part answers: wire before the board starts.
    ///
    /// - Throws: `PartFault`: a pin that the chip lacks, or a wiring that its kind refuses.
    public func wire(_ parts: [WiredPart]) throws(PartFault) {
        wiredParts = parts.map { part in
            var part = part
            var random = partSeeds.fork(part.name)
            part.wiring.seed = random.next()
            return part
        }
        try self.parts.wire(wiredParts, at: executor.now)
        processPendingWork()
    }

    /// Replaces all parts by new ones, as at the beginning.
    public func restoreParts() {
        guard !wiredParts.isEmpty else { return }
        // They could be wired before.
        try? parts.wire(wiredParts, at: executor.now)
    }

    /// Sets a quantity of a part, at once or over time.
    ///
    /// - Throws: `PartFault` for an unknown part or quantity.
    public func set(_ part: String, _ quantity: String, to course: QuantityCourse) throws(PartFault) {
        try parts.set(part, quantity, to: course, at: executor.now)
        partsChanged()
    }

    /// Unplugs a part, or plugs it in again.
    ///
    /// - Throws: `PartFault` for an unknown part.
    public func setPlugged(_ part: String, _ isPlugged: Bool) throws(PartFault) {
        try parts.setPlugged(part, isPlugged, at: executor.now)
        partsChanged()
    }

    /// Plans a fault of a part on an I²C bus, under a number for ``busFaultsToCome``.
    ///
    /// - Throws: `PartFault` for an unknown part, or one that is not on such a bus.
    public func plan(_ fault: BusFault, of part: String, number: Int) throws(PartFault) {
        try parts.plan(fault, of: part, number: number, at: executor.now)
        partsChanged()
    }

    /// The planned faults that have not occurred, by number, and why.
    public var busFaultsToCome: [Int: String] { parts.faults.toCome }

    /// Removes all planned faults.
    public func clearBusFaults() {
        parts.clearFaults()
        partsChanged()
    }

    /// The value of a part's reading, by default its first; `nil`: there is none of this name.
    public func reading(_ part: String, _ reading: String? = nil) -> PartReading? {
        parts.reading(part, reading, at: executor.now)
    }

    /// A part that was set although the program cannot have noticed it, and the reason; `nil`: there is none, or no program
    /// has begun.
    public var unnoticedPart: (part: String, reason: String)? {
        if let application {
            return parts.unnoticed(application.pins).map { ($0.part, $0.reason) }
        }
        guard machine.isAsleep, let contact = parts.contactSet else { return nil }
        return (contact.part, "the chip sleeps, and pin \(contact.pin) does not wake it")
    }

    private func partsChanged() {
        reportParts()
        wakeByPins()
        processPendingWork()
    }

    /// Lets the parts do what is due.
    func advanceParts(to time: MonotonicInstant) {
        guard !parts.isEmpty else { return }
        parts.advance(to: time)
        reportParts()
        wakeByPins()
    }

    /// Reports the parts' events.
    func reportParts() {
        for event in parts.drainEvents() { observer?(event) }
    }
}
