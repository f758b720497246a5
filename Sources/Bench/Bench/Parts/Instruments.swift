public import BenchModel

/// What a bench measures at the board's pins. Measurements are posted as events of the board, except for what changes all the time.
public protocol Instruments: Actor {
    /// What they measure.
    nonisolated var instrumentAbilities: Set<BenchAbility> { get }

    /// The chip's heap at this moment; `nil`: it cannot be seen, or no firmware runs.
    var heap: BoardHeap? { get async }
}

extension Instruments {
    /// Not seen.
    public var heap: BoardHeap? { nil }
}
