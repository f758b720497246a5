public import BLECore
import Synchronization

/// The public addresses of a radio's controllers that are offered to external hosts.
public final class ControllerAddresses: Sendable {
    /// Locally administered; virtual boards have 02:EB.
    private static let base: UInt64 = 0x02EC_0000_0000
    private let taken = Mutex<Set<DeviceAddress>>([])

    /// An allocator whose addresses are all free.
    public init() {}

    /// Reserves `address` until ``release(_:)``.
    ///
    /// - Returns: true if the address was free.
    public func reserve(_ address: DeviceAddress) -> Bool {
        taken.withLock { $0.insert(address).inserted }
    }

    /// Reserves the lowest free address: a single host that reconnects gets the same address.
    public func allocate() -> DeviceAddress {
        taken.withLock { taken in
            var number: UInt64 = 1
            while !taken.insert(DeviceAddress(Self.base | number, .public)).inserted { number += 1 }
            return DeviceAddress(Self.base | number, .public)
        }
    }

    /// Frees an address.
    public func release(_ address: DeviceAddress) {
        taken.withLock { _ = $0.remove(address) }
    }
}
