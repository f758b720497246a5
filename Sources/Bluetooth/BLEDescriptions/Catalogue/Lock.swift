extension PeripheralDescription {
    /// The servo lock.
    public static let lock = PeripheralDescription(catalogued: CatalogueTexts.lock)
}

extension CatalogueTexts {
    static let lock = #"""
        name: lock
        title: Servo lock
        advertised as: ESP_TEST_DEVICE_LOCAL_NAME

        services:
          lock:
            uuid: 3C3996E0-4D2C-11ED-BDC3-0242AC120002
            characteristics:
              command:
                uuid: 3C399A64-4D2C-11ED-BDC3-0242AC120002
                properties: write
                security: {write: authenticated}
                type: utf8                     # 0 locks, 1 unlocks
                sets: {state: command}
              state:
                uuid: 3C399C44-4D2C-11ED-BDC3-0242AC120002
                properties: notify
                notifies: change
                type: utf8
              bolt: {uuid: 3C399E2E-4D2C-11ED-BDC3-0242AC120002, properties: notify, optional: true, type: utf8}
              status:
                uuid: 3C39A068-4D2C-11ED-BDC3-0242AC120002
                properties: read
                security: {read: authenticated}
                optional: true
                type: utf8
                simulated: locked

        """#
}
