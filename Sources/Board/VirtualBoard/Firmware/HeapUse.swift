/// The chip's heap, in bytes, as `ESP.getHeapSize()`, `getFreeHeap()` and `getMinFreeHeap()` tell it.
public struct HeapUse: Sendable, Hashable {
    /// Of blocks of any size, with their headers.
    public let size: Int
    /// What is free.
    public let free: Int
    /// The least that was free since the application started.
    public let minimumFree: Int
}
