import BLEPackets

/// The two kinds of commands for advertising, scanning and initiating. Between two resets a host uses only one of them
/// (Core 5.4, Vol 4 Part E 3.1.1).
enum AdvertisingCommandKind {
    case legacy
    case extended

    /// `nil`: a command of neither kind.
    init?(_ opcode: HCIOpcode) {
        switch opcode {
        case .leSetAdvertisingParameters, .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData,
            .leSetScanResponseData, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
            .leCreateConnection:
            self = .legacy
        case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters,
            .leSetExtendedAdvertisingData, .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable,
            .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet,
            .leClearAdvertisingSets, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection:
            self = .extended
        default: return nil
        }
    }
}

extension Controller {
    /// Whether the host may use commands of `kind`; records that it uses them.
    func mayUse(_ kind: AdvertisingCommandKind?) -> Bool {
        guard let kind else { return true }
        guard let used = host.commandKind else {
            host.commandKind = kind
            return true
        }
        return used == kind
    }
}
