import YAMLReading

/// The descriptions included in this library, as YAML.
enum CatalogueTexts {
    /// All texts, in the order of ``PeripheralDescription/catalogue``.
    static let all = [
        sensorTag, hm10, nordicUART, heartRate, battery,
        deviceInformation, textSimulator, calculator, lock,
    ]
}

extension PeripheralDescription {
    /// The descriptions included in this library; those with more services first, so that a peripheral is recognised by
    /// all of its services.
    public static let catalogue: [PeripheralDescription] = [
        .sensorTag, .hm10, .nordicUART, .heartRate, .battery,
        .deviceInformation, .textSimulator, .calculator, .lock,
    ]

    /// The description with this name in the ``catalogue``.
    public static func catalogued(_ name: String) -> PeripheralDescription? { catalogue.first { $0.name == name } }

    /// The description in the ``catalogue`` whose peripherals advertise this name; `nil`: no description lists the
    /// name, or no name is given.
    public static func catalogued(advertising name: String?) -> PeripheralDescription? {
        name.flatMap { name in catalogue.first { $0.advertisedNames.contains(name) } }
    }

    /// The text of a description in the ``catalogue``, as a template for another description.
    public static func cataloguedText(_ name: String) -> String? {
        zip(catalogue, CatalogueTexts.all).first { $0.0.name == name }?.1
    }

    /// Reads a text of this library; the tests check that all of them are valid.
    init(catalogued text: String) {
        do throws(DocumentError) {
            try self.init(yaml: text, file: "catalogue")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

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

extension PeripheralDescription {
    /// The Heart Rate Service (GATT Specification Supplement 3.113).
    public static let heartRate = PeripheralDescription(catalogued: CatalogueTexts.heartRate)
}

extension CatalogueTexts {
    static let heartRate = #"""
        name: heart-rate
        title: Heart Rate Profile

        services:
          heart:
            uuid: 180D
            characteristics:
              measurement:
                uuid: 2A37
                properties: notify
                notifies: every 1 s
                values:
                  flags:
                    type: u8
                    bits: {wide: 0, contact: 1, has_contact: 2, has_energy: 3, has_intervals: 4}
                    simulated: 0b10110
                  rate:
                    - {if: not wide, type: u8, unit: bpm, simulated: {sine: [55, 95], every: 60 s}}
                    - {if: wide, type: u16}
                  energy: {if: has_energy, type: u16, unit: kJ}
                  intervals: {if: has_intervals, type: u16, scale: 1/1024, unit: s, repeat: true, simulated: [0.8, 0.82]}
              location:
                uuid: 2A38
                properties: read
                optional: true
                type: u8
                names: {0: other, 1: chest, 2: wrist, 3: finger, 4: hand, 5: ear lobe, 6: foot}
                simulated: chest
              control_point:
                uuid: 2A39
                properties: write
                optional: true
                type: u8
                names: {1: reset energy expended}
                range: [1, 1]

        """#
}

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

extension PeripheralDescription {
    /// The calculator.
    public static let calculator = PeripheralDescription(catalogued: CatalogueTexts.calculator)
}

extension CatalogueTexts {
    static let calculator = #"""
        name: calculator
        title: Calculator
        advertised as: Test Peripheral

        services:
          calculator:
            uuid: EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079
            characteristics:
              input:
                uuid: C1AB2C55-7914-4140-B85B-879C5E252FE5
                properties: [write, write without response]
                values:
                  a: {type: u8}
                  b: {type: u8}
                  operation: {type: u8, names: {0: add, 1: subtract, 2: multiply}, range: [0, 2]}
                sets:
                  output: "(operation == 0 ? a + b : operation == 1 ? a - b : a * b) & 0xFF"
              output:
                uuid: 643954A4-A6CC-455C-825C-499190CE7DB0
                properties: [read, notify]
                notifies: change
                type: u8

        """#
}

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
