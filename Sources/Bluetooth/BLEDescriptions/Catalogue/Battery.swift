extension PeripheralDescription {
    /// The Battery Service.
    public static let battery = PeripheralDescription(catalogued: CatalogueTexts.battery)
}

extension CatalogueTexts {
    static let battery = #"""
        name: battery
        title: Battery Service

        services:
          battery:
            uuid: 180F
            characteristics:
              level:
                uuid: 2A19
                properties: read
                optional properties: notify
                notifies: change
                type: u8
                unit: "%"
                range: [0, 100]
                simulated: {ramp: [20, 100], every: 3600 s}

        """#
}
