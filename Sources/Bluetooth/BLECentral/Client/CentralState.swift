/// The state of a central's Bluetooth stack.
public enum CentralState: String, Sendable, Codable, CaseIterable {
    /// Not powered on yet by ``Central/powerOn()``, or closed.
    case unknown
    /// The stack's service has ended: it may come back with the next ``Central/powerOn()``.
    case resetting
    /// There is no stack, or no adapter.
    case unsupported
    /// This user may not use the stack.
    case unauthorized
    /// The adapter is switched off, or blocked.
    case poweredOff
    /// It can be used.
    case poweredOn

    /// The state after a failure of the stack; `nil` if the failure says nothing of it.
    init?(_ failure: CentralError) {
        switch failure.absence {
        case .bus, .service: self = .resetting
        case .adapter: self = .unsupported
        case .permission: self = .unauthorized
        case .power, .unblocked: self = .poweredOff
        case nil where failure.code == .unavailable: self = .resetting
        case nil: return nil
        }
    }
}
