/// The reasons of the last disconnections, as the kernel reports them, until they are asked for. A pure state machine.
///
/// The kernel reports the end of a connection before bluetoothd does, but for those that bluetoothd was asked to end.
package struct DisconnectionReasons {
    /// The number of devices that are kept: connections of other programs are never asked for.
    private static let limit = 64

    private var reasons: [(path: String, reason: UInt8?)] = []

    package init() {}

    /// Handles the end of a connection of the device at `path`.
    package mutating func receive(_ event: DeviceDisconnected, of path: String) {
        reasons.removeAll { $0.path == path }
        reasons.append((path, event.reason))
        if reasons.count > Self.limit { reasons.removeFirst() }
    }

    /// Returns the HCI error code with which the last connection of a device ended, once; `nil` if it is not known.
    package mutating func take(_ path: String) -> UInt8? {
        guard let index = reasons.firstIndex(where: { $0.path == path }) else { return nil }
        return reasons.remove(at: index).reason
    }
}
