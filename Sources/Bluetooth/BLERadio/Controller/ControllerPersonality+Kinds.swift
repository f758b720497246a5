extension ControllerPersonality {
    /// The original ESP32: Bluetooth 4.2, Espressif, with the features of the chip.
    public static let esp32 = ControllerPersonality(
        hciVersion: 8, hciSubversion: 0x030E, linkLayerVersion: 8, linkLayerSubversion: 0x030E,
        companyIdentifier: 0x0060, lmpFeatures: 0x8000_0060_0000_0000, leFeatures: 0xFF,
        leStates: 0x3FF_FFFF_FFFF, aclDataLength: 251, aclPacketCount: 12, acceptListSize: 12,
        maximumConnections: 9, maximumDataLength: 251, sensitivity: -97, resolvingListSize: 12,
        advertisingSetCount: 0, maximumAdvertisingDataLength: 31, minimumTxPower: -12)

    /// Bluetooth 5.0 without extended advertising: the features of 4.2, the 2M PHY and channel selection algorithm 2.
    public static let bluetooth5_0: ControllerPersonality = {
        var personality = esp32
        personality.hciVersion = 9
        personality.hciSubversion = 0
        personality.linkLayerVersion = 9
        personality.linkLayerSubversion = 0
        // Espressif.
        personality.companyIdentifier = 0x02E5
        personality.leFeatures |= LEFeature.le2MPHY | LEFeature.channelSelectionAlgorithm2
        return personality
    }()

    /// Bluetooth 5.0 with extended advertising, scanning and initiating, and the coded PHY.
    public static let extended: ControllerPersonality = {
        var personality = bluetooth5_0
        personality.leFeatures |= LEFeature.leCodedPHY | LEFeature.extendedAdvertising
        personality.advertisingSetCount = 4
        personality.maximumAdvertisingDataLength = 1650
        return personality
    }()
}
