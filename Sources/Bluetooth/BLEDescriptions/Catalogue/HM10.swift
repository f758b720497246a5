extension PeripheralDescription {
    /// The HM-10 serial module.
    public static let hm10 = PeripheralDescription(catalogued: CatalogueTexts.hm10)
}

extension CatalogueTexts {
    static let hm10 = #"""
        name: hm10
        title: HM-10 serial module
        advertised as: HMSoft

        services:
          serial:
            uuid: FFE0
            characteristics:
              # What is written goes to the UART; what comes from there is notified.
              data:
                uuid: FFE1
                properties: [write without response, notify]
                optional properties: read
                notifies: change
                type: bytes

        """#
}
