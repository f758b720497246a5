/// The code of an event (Core 5.4, Vol 4 Part E 5.4.4); open for any value.
public struct HCIEventCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An event code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Disconnection Complete.
    public static let disconnectionComplete = HCIEventCode(rawValue: 0x05)
    /// Encryption Change.
    public static let encryptionChange = HCIEventCode(rawValue: 0x08)
    /// Read Remote Version Information Complete.
    public static let readRemoteVersionInformationComplete = HCIEventCode(rawValue: 0x0C)
    /// Command Complete.
    public static let commandComplete = HCIEventCode(rawValue: 0x0E)
    /// Command Status.
    public static let commandStatus = HCIEventCode(rawValue: 0x0F)
    /// Number Of Completed Packets.
    public static let numberOfCompletedPackets = HCIEventCode(rawValue: 0x13)
    /// Data Buffer Overflow.
    public static let dataBufferOverflow = HCIEventCode(rawValue: 0x1A)
    /// Encryption Key Refresh Complete.
    public static let encryptionKeyRefreshComplete = HCIEventCode(rawValue: 0x30)
    /// LE Meta: the subevent code follows.
    public static let leMeta = HCIEventCode(rawValue: 0x3E)
}

/// The first parameter of an LE Meta event (Core 5.4, Vol 4 Part E 7.7.65); open for any value.
public struct HCILESubeventCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A subevent code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// LE Connection Complete.
    public static let connectionComplete = HCILESubeventCode(rawValue: 0x01)
    /// LE Advertising Report.
    public static let advertisingReport = HCILESubeventCode(rawValue: 0x02)
    /// LE Connection Update Complete.
    public static let connectionUpdateComplete = HCILESubeventCode(rawValue: 0x03)
    /// LE Read Remote Features Complete.
    public static let readRemoteFeaturesComplete = HCILESubeventCode(rawValue: 0x04)
    /// LE Long Term Key Request.
    public static let longTermKeyRequest = HCILESubeventCode(rawValue: 0x05)
    /// LE Remote Connection Parameter Request.
    public static let remoteConnectionParameterRequest = HCILESubeventCode(rawValue: 0x06)
    /// LE Data Length Change.
    public static let dataLengthChange = HCILESubeventCode(rawValue: 0x07)
    /// LE Read Local P-256 Public Key Complete.
    public static let readLocalP256PublicKeyComplete = HCILESubeventCode(rawValue: 0x08)
    /// LE Generate DHKey Complete.
    public static let generateDHKeyComplete = HCILESubeventCode(rawValue: 0x09)
    /// LE Enhanced Connection Complete.
    public static let enhancedConnectionComplete = HCILESubeventCode(rawValue: 0x0A)
    /// LE Directed Advertising Report.
    public static let directedAdvertisingReport = HCILESubeventCode(rawValue: 0x0B)
    /// LE PHY Update Complete.
    public static let phyUpdateComplete = HCILESubeventCode(rawValue: 0x0C)
    /// LE Extended Advertising Report.
    public static let extendedAdvertisingReport = HCILESubeventCode(rawValue: 0x0D)
    /// LE Scan Timeout.
    public static let scanTimeout = HCILESubeventCode(rawValue: 0x11)
    /// LE Advertising Set Terminated.
    public static let advertisingSetTerminated = HCILESubeventCode(rawValue: 0x12)
    /// LE Scan Request Received.
    public static let scanRequestReceived = HCILESubeventCode(rawValue: 0x13)
    /// LE Channel Selection Algorithm.
    public static let channelSelectionAlgorithm = HCILESubeventCode(rawValue: 0x14)
}

extension HCIEventCode: CustomStringConvertible {
    /// The number, e.g. `0x3E`.
    public var description: String { hexadecimal(UInt64(rawValue), digits: 2) }
}

extension HCILESubeventCode: CustomStringConvertible {
    /// The number, e.g. `0x02`.
    public var description: String { hexadecimal(UInt64(rawValue), digits: 2) }
}
