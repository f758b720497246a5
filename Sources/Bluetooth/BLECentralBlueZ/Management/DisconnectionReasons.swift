/// The reasons of the last disconnections from the kernel's reports, each kept until it is read. A pure state machine.
///
/// The kernel reports the end of a connection before bluetoothd does, except after a Disconnect call to bluetoothd. The
/// kernel may also have reported the end of the following connection already.
package struct DisconnectionReasons {
    /// The maximum number of stored reasons: those of other programs' connections are never read.
    private static let limit = 64

    private var reasons: [(path: String, reason: UInt8?)] = []

    package init() {}

    /// Handles the end of a connection of the device at `path`.
    package mutating func receive(_ event: DeviceDisconnected, of path: String) {
        reasons.append((path, event.reason))
        if reasons.count > Self.limit { reasons.removeFirst() }
    }

    /// Removes and returns the HCI error code with which the oldest connection of a device ended; `nil` if unknown.
    package mutating func take(_ path: String) -> UInt8? {
        guard let index = reasons.firstIndex(where: { $0.path == path }) else { return nil }
        return reasons.remove(at: index).reason
    }

    /// Forgets the reasons of a device.
    package mutating func forget(_ path: String) { reasons.removeAll { $0.path == path } }
}
