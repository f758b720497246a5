/// A chip's heap in bytes, as `ESP.getHeapSize()`, `getFreeHeap()` and `getMinFreeHeap()` tell it.
public struct BoardHeap: Sendable, Hashable, Encodable {
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
