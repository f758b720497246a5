public import BoardParts

/// The world around a board: drives the parts that are wired to it.
public protocol BoardWorld: Actor {
    /// The abilities of the world.
    nonisolated var worldAbilities: Set<BenchAbility> { get }

    /// Replaces all parts by new ones, also at each later restoring of the board.
    ///
    /// - Throws: `PartFault` for a wiring that the chip or the part refuses.
    func wire(_ parts: [WiredPart]) async throws

    /// Sets a quantity of a part, at once or over time.
    ///
    /// - Throws: `PartFault` for an unknown part or quantity.
    func set(_ part: String, _ quantity: String, to course: QuantityCourse) async throws

    /// Unplugs a part, or plugs it in again.
    ///
    /// - Throws: `PartFault` for an unknown part.
    func setPlugged(_ part: String, _ isPlugged: Bool) async throws

    /// Plans a fault of a part on an I²C bus, under a number for ``busFaultsToCome()``.
    ///
    /// - Throws: `PartFault` for an unknown part, or one that is not on such a bus.
    func plan(_ fault: BusFault, of part: String, number: Int) async throws

    /// The planned faults that have not occurred, by number, and why.
    func busFaultsToCome() async -> [Int: String]

    /// Removes all planned faults of buses.
    func clearBusFaults() async

    /// Carries out a transaction of a master outside the board on one of its I²C buses, whose slave the firmware is.
    ///
    /// - Throws: `I2CMasterFault` if the firmware cannot take part in it.
    func transfer(_ request: I2CMasterRequest) async throws -> I2CMasterAnswer

    /// A part that was set since the board was restored, although the firmware cannot have noticed it, and the reason;
    /// `nil`: there is none.
    var unnoticedPart: (part: String, reason: String)? { get async }

    /// The value of a part's reading at this moment, by default its first; `nil`: there is none of this name.
    func reading(_ part: String, _ reading: String?) async -> PartReading?
}
