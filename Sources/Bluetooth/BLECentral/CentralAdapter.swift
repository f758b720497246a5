public import BLECore

/// A Bluetooth adapter that a central can use.
public struct CentralAdapter: Hashable, Sendable {
    /// The address that opens it.
    public var address: CentralAddress
    /// Its own public address; `nil` where the stack hides it, or it has none.
    public var deviceAddress: DeviceAddress?
    /// What the stack calls it, e.g. the name of the machine; `nil` if it has no name.
    public var name: String?
    /// The version of the Core Specification by the number of Assigned Numbers 2.1, e.g. 9 for 5.0; `nil` if unknown.
    public var version: UInt8?
    /// The company identifier of the controller's manufacturer; `nil` if unknown.
    public var manufacturer: UInt16?
    /// Whether it is switched on.
    public var isPowered: Bool
    /// Whether the system keeps it from being switched on, e.g. by rfkill.
    public var isBlocked: Bool

    /// An adapter.
    public init(
        address: CentralAddress, deviceAddress: DeviceAddress? = nil, name: String? = nil, version: UInt8? = nil,
        manufacturer: UInt16? = nil, isPowered: Bool = true, isBlocked: Bool = false
    ) {
        self.address = address
        self.deviceAddress = deviceAddress
        self.name = name
        self.version = version
        self.manufacturer = manufacturer
        self.isPowered = isPowered
        self.isBlocked = isBlocked
    }

    /// The version as people name it, e.g. `5.0`.
    public var versionText: String? {
        // Assigned Numbers 2.1.
        let names = [
            "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
        ]
        return version.map { Int($0) < names.count ? names[Int($0)] : "number \($0)" }
    }
}
