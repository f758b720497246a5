public import BLECore

/// The properties that a controller reported at startup.
public struct ControllerInfo: Hashable, Sendable {
    /// The HCI version: 6 is 4.0, 7 is 4.1, 8 is 4.2, 9 is 5.0.
    public internal(set) var hciVersion: UInt8 = 0
    /// The manufacturer's company identifier.
    public internal(set) var manufacturer: UInt16 = 0
    var supportedCommands: [UInt8] = []
    var leFeatures: UInt64 = 0
    /// The public address; zero if the controller has no public address.
    public internal(set) var publicAddress = DeviceAddress(0, .public)
    var aclLength = 0
    var aclCount = 0

    /// True if the controller supports the command at a position in Supported_Commands (Core 5.4, Vol 4 Part E 6.27).
    func supports(octet: Int, bit: UInt8) -> Bool {
        octet < supportedCommands.count && supportedCommands[octet] & bit != 0
    }

    /// LE 2M PHY, LE Coded PHY and LE Extended Advertising.
    var has2MPHY: Bool { leFeatures & 1 << 8 != 0 }
    var hasCodedPHY: Bool { leFeatures & 1 << 11 != 0 }
    var hasExtendedAdvertising: Bool { leFeatures & 1 << 12 != 0 }

    /// LE Data Packet Length Extension (Core 5.4, Vol 6 Part B 4.6).
    var hasDataLengthExtension: Bool { leFeatures & 1 << 5 != 0 }
}
