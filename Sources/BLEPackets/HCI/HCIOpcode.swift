/// The code of a command: six bits of group, ten of command (Core 5.4, Vol 4 Part E 5.4.1); open for any value.
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
    /// The two octets.
    public let rawValue: UInt16

    /// An opcode by number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Disconnect.
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    /// Read Remote Version Information.
    public static let readRemoteVersionInformation = HCIOpcode(rawValue: 0x041D)
    /// Set Event Mask.
    public static let setEventMask = HCIOpcode(rawValue: 0x0C01)
    /// Reset.
    public static let reset = HCIOpcode(rawValue: 0x0C03)
    /// Set Controller To Host Flow Control.
    public static let setControllerToHostFlowControl = HCIOpcode(rawValue: 0x0C31)
    /// Host Buffer Size.
    public static let hostBufferSize = HCIOpcode(rawValue: 0x0C33)
    /// Host Number Of Completed Packets.
    public static let hostNumberOfCompletedPackets = HCIOpcode(rawValue: 0x0C35)
    /// Set Event Mask Page 2.
    public static let setEventMaskPage2 = HCIOpcode(rawValue: 0x0C63)
    /// Read Local Version Information.
    public static let readLocalVersionInformation = HCIOpcode(rawValue: 0x1001)
    /// Read Local Supported Commands.
    public static let readLocalSupportedCommands = HCIOpcode(rawValue: 0x1002)
    /// Read Local Supported Features.
    public static let readLocalSupportedFeatures = HCIOpcode(rawValue: 0x1003)
    /// Read Buffer Size.
    public static let readBufferSize = HCIOpcode(rawValue: 0x1005)
    /// Read BD_ADDR.
    public static let readBDADDR = HCIOpcode(rawValue: 0x1009)
    /// Read RSSI.
    public static let readRSSI = HCIOpcode(rawValue: 0x1405)
    /// LE Set Event Mask.
    public static let leSetEventMask = HCIOpcode(rawValue: 0x2001)
    /// LE Read Buffer Size.
    public static let leReadBufferSize = HCIOpcode(rawValue: 0x2002)
    /// LE Read Local Supported Features.
    public static let leReadLocalSupportedFeatures = HCIOpcode(rawValue: 0x2003)
    /// LE Set Random Address.
    public static let leSetRandomAddress = HCIOpcode(rawValue: 0x2005)
    /// LE Set Advertising Parameters.
    public static let leSetAdvertisingParameters = HCIOpcode(rawValue: 0x2006)
    /// LE Read Advertising Physical Channel Tx Power.
    public static let leReadAdvertisingPhysicalChannelTxPower = HCIOpcode(rawValue: 0x2007)
    /// LE Set Advertising Data.
    public static let leSetAdvertisingData = HCIOpcode(rawValue: 0x2008)
    /// LE Set Scan Response Data.
    public static let leSetScanResponseData = HCIOpcode(rawValue: 0x2009)
    /// LE Set Advertising Enable.
    public static let leSetAdvertisingEnable = HCIOpcode(rawValue: 0x200A)
    /// LE Set Scan Parameters.
    public static let leSetScanParameters = HCIOpcode(rawValue: 0x200B)
    /// LE Set Scan Enable.
    public static let leSetScanEnable = HCIOpcode(rawValue: 0x200C)
    /// LE Create Connection.
    public static let leCreateConnection = HCIOpcode(rawValue: 0x200D)
    /// LE Create Connection Cancel.
    public static let leCreateConnectionCancel = HCIOpcode(rawValue: 0x200E)
    /// LE Read Filter Accept List Size.
    public static let leReadFilterAcceptListSize = HCIOpcode(rawValue: 0x200F)
    /// LE Clear Filter Accept List.
    public static let leClearFilterAcceptList = HCIOpcode(rawValue: 0x2010)
    /// LE Add Device To Filter Accept List.
    public static let leAddDeviceToFilterAcceptList = HCIOpcode(rawValue: 0x2011)
    /// LE Remove Device From Filter Accept List.
    public static let leRemoveDeviceFromFilterAcceptList = HCIOpcode(rawValue: 0x2012)
    /// LE Connection Update.
    public static let leConnectionUpdate = HCIOpcode(rawValue: 0x2013)
    /// LE Read Remote Features.
    public static let leReadRemoteFeatures = HCIOpcode(rawValue: 0x2016)
    /// LE Encrypt.
    public static let leEncrypt = HCIOpcode(rawValue: 0x2017)
    /// LE Rand.
    public static let leRand = HCIOpcode(rawValue: 0x2018)
    /// LE Enable Encryption.
    public static let leEnableEncryption = HCIOpcode(rawValue: 0x2019)
    /// LE Long Term Key Request Reply.
    public static let leLongTermKeyRequestReply = HCIOpcode(rawValue: 0x201A)
    /// LE Long Term Key Request Negative Reply.
    public static let leLongTermKeyRequestNegativeReply = HCIOpcode(rawValue: 0x201B)
    /// LE Read Supported States.
    public static let leReadSupportedStates = HCIOpcode(rawValue: 0x201C)
    /// LE Remote Connection Parameter Request Reply.
    public static let leRemoteConnectionParameterRequestReply = HCIOpcode(rawValue: 0x2020)
    /// LE Remote Connection Parameter Request Negative Reply.
    public static let leRemoteConnectionParameterRequestNegativeReply = HCIOpcode(rawValue: 0x2021)
    /// LE Set Data Length.
    public static let leSetDataLength = HCIOpcode(rawValue: 0x2022)
    /// LE Read Suggested Default Data Length.
    public static let leReadSuggestedDefaultDataLength = HCIOpcode(rawValue: 0x2023)
    /// LE Write Suggested Default Data Length.
    public static let leWriteSuggestedDefaultDataLength = HCIOpcode(rawValue: 0x2024)
    /// LE Read Local P-256 Public Key.
    public static let leReadLocalP256PublicKey = HCIOpcode(rawValue: 0x2025)
    /// LE Generate DHKey.
    public static let leGenerateDHKey = HCIOpcode(rawValue: 0x2026)
}

extension HCIOpcode: CustomStringConvertible {
    /// The number, e.g. `0x200A`.
    public var description: String { hexadecimal(UInt64(rawValue), digits: 4) }
}
