public import ESPChips
public import ESPProtocol

/// The identification of the connected board.
public struct ConnectedBoard: Hashable, Sendable {
    /// The chip.
    public let chip: Chip
    /// The six bytes of the MAC address in the chip's eFuses; empty in secure download mode, which does not tell.
    public let macAddress: [UInt8]
    /// The flash's answer to "read identification" (9F): manufacturer, type and size, in the low 24 bits; 0 in secure
    /// download mode.
    public let flashID: UInt32
    /// The security settings; `nil` for the ESP32, whose ROM does not know the command.
    public let security: GetSecurityInfo.Reply?
    /// Whether the loader permits writing only.
    public let isInSecureDownloadMode: Bool
    /// Whether the chip encrypts its flash.
    public let isFlashEncrypted: Bool

    /// Whether it is a virtual board: its MAC address is locally administered, which Espressif's never are.
    public var isVirtual: Bool { macAddress.first.map { $0 & 0x02 != 0 } ?? false }

    /// The size of the flash in bytes, from its id; `nil` when the id's size byte is not known.
    public var flashSize: UInt64? {
        switch (flashID >> 16) & 0xFF {
        case let code where (0x12...0x1C).contains(code): 1 << UInt64(code)
        // Some manufacturers continue with decimal digits: 64, 128 and 256 MB.
        case let code where (0x20...0x22).contains(code): 1 << UInt64(code - 0x20 + 26)
        default: nil
        }
    }

    /// Throws when the loader does not permit `operation`.
    ///
    /// - Throws: ``FlasherError`` with code `secureDownload`.
    public func checkPermits(_ operation: @autoclosure () -> String) throws(FlasherError) {
        guard isInSecureDownloadMode else { return }
        throw FlasherError(
            .secureDownload, "\(operation()): the chip is in secure download mode, which permits only writing")
    }
}
