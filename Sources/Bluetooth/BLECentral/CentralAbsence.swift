/// What is missing when a Bluetooth stack is ``CentralError/Code/unavailable``.
public enum CentralAbsence: String, Hashable, Sendable, CaseIterable {
    /// The message bus of the system, or the connection to it.
    case bus
    /// This user's permission to use the stack.
    case permission
    /// The stack's service, e.g. bluetoothd.
    case service
    /// The adapter.
    case adapter
    /// The adapter's power: it is switched off.
    case power
    /// The right of the adapter to be switched on: the system blocks it, e.g. by rfkill.
    case unblocked
}
