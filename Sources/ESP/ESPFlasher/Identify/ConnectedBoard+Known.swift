public import ESPChips

extension ConnectedBoard {
    /// A board that is not asked, but known: for data that are made for it, or checked, without a connection.
    public static func known(
        _ chip: Chip, macAddress: [UInt8] = [], flashID: UInt32 = 0
    ) -> ConnectedBoard {
        ConnectedBoard(
            chip: chip, macAddress: macAddress, flashID: flashID, security: nil, isInSecureDownloadMode: false,
            isFlashEncrypted: false)
    }
}
