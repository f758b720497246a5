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
