extension PeripheralDescription {
    /// The Device Information Service.
    public static let deviceInformation = PeripheralDescription(catalogued: CatalogueTexts.deviceInformation)
}

extension CatalogueTexts {
    static let deviceInformation = #"""
        name: device-information
        title: Device Information Service

        services:
          device:
            uuid: 180A
            characteristics:
              manufacturer: {uuid: 2A29, properties: read, optional: true, type: utf8, simulated: espbench}
              model: {uuid: 2A24, properties: read, optional: true, type: utf8, simulated: virtual}
              serial_number: {uuid: 2A25, properties: read, optional: true, type: utf8}
              hardware: {uuid: 2A27, properties: read, optional: true, type: utf8}
              firmware: {uuid: 2A26, properties: read, optional: true, type: utf8}
              software: {uuid: 2A28, properties: read, optional: true, type: utf8}
              system_id: {uuid: 2A23, properties: read, optional: true, type: bytes, length: 8, order: little}
              certification: {uuid: 2A2A, properties: read, optional: true, type: bytes}
              pnp_id:
                uuid: 2A50
                properties: read
                optional: true
                values:
                  vendor_source: {type: u8, names: {1: Bluetooth SIG, 2: USB Implementer's Forum}, simulated: 1}
                  vendor: {type: u16}
                  product: {type: u16}
                  version: {type: u16}

        """#
}
