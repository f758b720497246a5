extension PeripheralDescription {
    /// The peripheral simulator of the central and log viewer: text in UTF-16, and a counter every 10 s.
    public static let textSimulator = PeripheralDescription(catalogued: CatalogueTexts.textSimulator)
}

extension CatalogueTexts {
    static let textSimulator = #"""
        name: text-simulator
        title: Peripheral simulator of the central and log viewer

        services:
          text:
            uuid: "00001901"
            characteristics:
              counter:
                uuid: 2AC6A7BF-2C60-42D0-8013-AECEF2A124C0
                properties: [read, notify]
                notifies: every 10 s
                type: utf16
                simulated: {count: Counter %, every: 10 s}
              message:
                uuid: 9B89E762-226A-4BBB-A381-A4B8CC6E1105
                properties: [write, notify]
                notifies: change
                # Centrals that are subscribed have what one of them has written.
                sets: {message: message}
                type: utf16

        """#
}
