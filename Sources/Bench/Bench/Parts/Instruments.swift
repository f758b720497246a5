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

/// A chip's heap in bytes, as `ESP.getHeapSize()`, `getFreeHeap()` and `getMinFreeHeap()` tell it.
public struct BoardHeap: Sendable, Hashable {
    /// Of blocks of any size, with their headers.
    public var size: Int
    /// What is free.
    public var free: Int
    /// The least that was free since the application started.
    public var minimumFree: Int

    /// A heap.
    public init(size: Int, free: Int, minimumFree: Int) {
        self.size = size
        self.free = free
        self.minimumFree = minimumFree
    }
}
