package import SerialPort
import Synchronization

/// Recognises a device that has left the bus when it comes back, perhaps with other ids: a chip may have two USB
/// controllers, and a loader and an application with ids of their own.
package final class DeviceReturn: Sendable {
    private let device: USBIdentity
    /// Where there were devices when it had left.
    private let occupied = Mutex<Set<String>?>(nil)

    /// Waits for `device`.
    package init(_ device: USBIdentity) { self.device = device }

    /// The place among `devices` of the one that has come back; `nil` while it has not.
    ///
    /// It is the one in the same place, or, plugged in elsewhere since the first call, the one with the same ids and
    /// serial number. That alone would not do: some devices all have the same number.
    package func index(in devices: [USBIdentity]) -> Int? {
        let occupied = occupied.withLock { occupied in
            let places = occupied ?? Set(devices.map(\.location))
            occupied = places
            return places
        }
        return devices.firstIndex { $0.location == device.location && mayBe($0) }
            ?? devices.firstIndex {
                !occupied.contains($0.location) && $0.serialNumber != nil && $0.serialNumber == device.serialNumber
                    && ($0.vendor, $0.product) == (device.vendor, device.product)
            }
    }

    /// Whether `other`, in the same place, may be it.
    private func mayBe(_ other: USBIdentity) -> Bool {
        guard other.vendor == device.vendor else { return false }
        guard let before = device.serialNumber, let now = other.serialNumber else { return true }
        if other.product == device.product { return before == now }
        // The numbers of a chip's controllers differ, unless both are its MAC address.
        guard let before = Self.address(before), let now = Self.address(now) else { return true }
        return before == now
    }

    /// The twelve digits of a MAC address, with or without separators.
    private static func address(_ text: String) -> String? {
        let digits = text.filter { $0 != ":" && $0 != "-" }.uppercased()
        return digits.count == 12 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}
