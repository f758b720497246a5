/// What a bench measures at the board's pins. Measurements are posted as events of the board.
public protocol Instruments: Actor {
    /// What they measure.
    nonisolated var instrumentAbilities: Set<BenchAbility> { get }
}
