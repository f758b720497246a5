public import BLECore

/// What the observer of a Bluetooth stack's controllers sees.
public enum ControllerEvent: Hashable, Sendable {
    /// The controller is there; its packets follow.
    ///
    /// - Parameter company: the company identifier of its manufacturer.
    case added(address: DeviceAddress, company: UInt16)
    /// A packet between the host and the controller: an H4 packet with its indicator (Core 5.4, Vol 4 Part A 2).
    case packet([UInt8], isFromHost: Bool)
    /// The controller is gone.
    case removed
}

/// A backend that shows the HCI packets between its host and the controller.
public protocol PacketObserving: CentralBackend {
    /// Sets who sees the packets from now on, the controller first; `nil`: nobody. It is called on the backend's executor.
    ///
    /// - Throws: ``CentralError`` with code `unavailable` when the operating system does not let this program see them.
    func setPacketObserver(_ observer: (@Sendable (ControllerEvent) -> Void)?) async throws(CentralError)
}
