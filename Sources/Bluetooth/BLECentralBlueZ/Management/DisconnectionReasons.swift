/// The reasons of the last disconnections, as the kernel reports them, until they are asked for. A pure state machine.
///
/// The kernel reports the end of a connection before bluetoothd does, but for those that bluetoothd was asked to end. It
/// may have reported that of the next one, too.
package struct DisconnectionReasons {
    /// The number of ends that are kept: those of connections of other programs are never asked for.
    private static let limit = 64

    private var reasons: [(path: String, reason: UInt8?)] = []

    package init() {}

    /// Handles the end of a connection of the device at `path`.
    package mutating func receive(_ event: DeviceDisconnected, of path: String) {
        reasons.append((path, event.reason))
        if reasons.count > Self.limit { reasons.removeFirst() }
    }

    /// Returns the HCI error code with which the oldest connection of a device ended, once; `nil` if it is not known.
    package mutating func take(_ path: String) -> UInt8? {
        guard let index = reasons.firstIndex(where: { $0.path == path }) else { return nil }
        return reasons.remove(at: index).reason
    }

    /// Forgets those of a device.
    package mutating func forget(_ path: String) { reasons.removeAll { $0.path == path } }
}
