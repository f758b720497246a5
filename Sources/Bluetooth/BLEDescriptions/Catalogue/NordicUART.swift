extension PeripheralDescription {
    /// The Nordic UART Service.
    public static let nordicUART = PeripheralDescription(catalogued: CatalogueTexts.nordicUART)
}

extension CatalogueTexts {
    static let nordicUART = #"""
        name: nus
        title: Nordic UART Service
        base: 6E40xxxx-B5A3-F393-E0A9-E50E24DCCA9E

        services:
          uart:
            uuid: base+0001
            characteristics:
              # Named from the peripheral's side: it receives rx and transmits tx.
              rx: {uuid: base+0002, properties: [write, write without response], type: bytes}
              tx: {uuid: base+0003, properties: notify, notifies: change, type: bytes}

        """#
}
