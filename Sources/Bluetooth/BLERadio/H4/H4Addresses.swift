import BLECore
import Synchronization

/// The public addresses of the controllers of the H4 servers on one radio.
public final class H4Addresses: Sendable {
    /// Locally administered; virtual boards have 02:EB.
    private static let base: UInt64 = 0x02EC_0000_0000
    private let taken = Mutex<Set<UInt32>>([])

    /// All addresses are free.
    public init() {}

    /// The lowest free address: a single host that reconnects gets the same one.
    func allocate() -> DeviceAddress {
        let number = taken.withLock { taken in
            var number: UInt32 = 1
            while !taken.insert(number).inserted { number += 1 }
            return number
        }
        return DeviceAddress(Self.base | UInt64(number), .public)
    }

    func release(_ address: DeviceAddress) {
        taken.withLock { _ = $0.remove(UInt32(truncatingIfNeeded: address.value)) }
    }
}
