extension PeripheralDescription {
    /// TI's CC2541 SensorTag, with its eight services (SensorTag User Guide).
    public static let sensorTag = PeripheralDescription(catalogued: CatalogueTexts.sensorTag)
}

extension CatalogueTexts {
    static let sensorTag = #"""
        name: sensortag
        title: TI CC2541 SensorTag
        advertised as: [SensorTag, TI BLE Sensor Tag]
        advertises: []
        base: F000xxxx-0451-4000-B000-000000000000

        services:
          temperature:
            uuid: base+AA00
            characteristics:
              data:
                uuid: base+AA01
                properties: [read, notify]
                notifies: period
                values:
                  ambient: {type: i16, at: 2, scale: 1/128, unit: °C, simulated: {sine: [22, 24], every: 60 s}}
                  object:
                    type: i16
                    at: 0
                    # The polynomial of the TMP006's user guide (TI SBOU107).
                    value: |
                      v = raw * 156.25e-9
                      t = ambient + 273.15
                      d = t - 298.15
                      sensitivity = 5.593e-14 * (1 + 1.75e-3 * d - 1.678e-5 * d ** 2)
                      offset = -2.94e-5 - 5.7e-7 * d + 4.63e-9 * d ** 2
                      f = v - offset + 13.4 * (v - offset) ** 2
                      (t ** 4 + f / sensitivity) ** 0.25 - 273.15
                    unit: °C
                    simulated: {sine: [20, 35], every: 30 s}
              configuration: {uuid: base+AA02, properties: [read, write], switch: {off: 0, on: 1}}
              period: {uuid: base+AA03, properties: [read, write], period: 10 ms, range: [300, 2550], simulated: 1000}

          acceleration:
            uuid: base+AA10
            characteristics:
              data:
                uuid: base+AA11
                properties: [read, notify]
                notifies: period
                values:
                  x: {type: i8, value: "raw / (range == 3 ? 16 : range == 2 ? 32 : 64)", unit: g, simulated: {sine: [-1, 1], every: 4 s}}
                  y: {type: i8, value: "raw / (range == 3 ? 16 : range == 2 ? 32 : 64)", unit: g, simulated: {sine: [-0.5, 0.5], every: 3 s}}
                  z: {type: i8, value: "raw / (range == 3 ? 16 : range == 2 ? 32 : 64)", unit: g, simulated: 1}
              range:
                uuid: base+AA12
                properties: [read, write]
                switch: {off: 0, on: 1}
                names: {0: off, 1: 2 g, 2: 4 g, 3: 8 g}
              period: {uuid: base+AA13, properties: [read, write], period: 10 ms, range: [100, 2550], simulated: 1000}

          humidity:
            uuid: base+AA20
            characteristics:
              data:
                uuid: base+AA21
                properties: [read, notify]
                notifies: period
                values:
                  temperature: {type: u16, scale: 175.72/65536, offset: -46.85, unit: °C, simulated: {sine: [21, 25], every: 60 s}}
                  # The two lowest bits are status.
                  relative: {type: u16, value: -6 + 125 * (raw & ~3) / 65536, unit: "%", simulated: {sine: [35, 45], every: 90 s}}
              configuration: {uuid: base+AA22, properties: [read, write], switch: {off: 0, on: 1}}
              period: {uuid: base+AA23, properties: [read, write], period: 10 ms, range: [100, 2550], simulated: 1000}

          magnetism:
            uuid: base+AA30
            characteristics:
              data:
                uuid: base+AA31
                properties: [read, notify]
                notifies: period
                values:
                  x: {type: i16, scale: 2000/65536, unit: µT, simulated: {sine: [-30, 30], every: 20 s}}
                  y: {type: i16, scale: 2000/65536, unit: µT, simulated: {sine: [-20, 20], every: 15 s}}
                  z: {type: i16, scale: 2000/65536, unit: µT, simulated: -40}
              configuration: {uuid: base+AA32, properties: [read, write], switch: {off: 0, on: 1}}
              period: {uuid: base+AA33, properties: [read, write], period: 10 ms, range: [100, 2550], simulated: 2000}

          barometer:
            uuid: base+AA40
            characteristics:
              data:
                uuid: base+AA41
                properties: [read, notify]
                notifies: period
                values:
                  # The formulas of the T5400's application note, in whole numbers.
                  temperature:
                    type: i16
                    value: ((100 * (c1 * raw >> 8) + 100 * (c2 << 6)) >> 16) / 100
                    unit: °C
                    simulated: {sine: [21, 25], every: 60 s}
                  pressure:
                    type: u16
                    value: |
                      t = temperature.raw
                      sensitivity = c3 + (c4 * t >> 17) + ((c5 * t >> 15) * t >> 19)
                      offset = (c6 << 14) + (c7 * t >> 3) + ((c8 * t >> 15) * t >> 4)
                      (sensitivity * raw + offset >> 14) / 100
                    unit: hPa
                    simulated: {sine: [1005, 1020], every: 120 s}
              configuration: {uuid: base+AA42, properties: [read, write], switch: {off: 0, on: 1, calibrate: 2}}
              calibration:
                uuid: base+AA43
                properties: read
                calibration: true
                values:
                  c1: {type: u16, simulated: 45697}
                  c2: {type: u16, simulated: 25592}
                  c3: {type: u16, simulated: 48894}
                  c4: {type: u16, simulated: 36174}
                  c5: {type: i16, simulated: 8001}
                  c6: {type: i16, simulated: 1263}
                  c7: {type: i16, simulated: -1695}
                  c8: {type: i16, simulated: -2720}
              period: {uuid: base+AA44, properties: [read, write], period: 10 ms, range: [100, 2550], simulated: 1000}

          rotation:
            uuid: base+AA50
            characteristics:
              data:
                uuid: base+AA51
                properties: [read, notify]
                notifies: period
                values:
                  x: {type: i16, scale: 500/65536, unit: °/s, simulated: {sine: [-100, 100], every: 5 s}}
                  y: {type: i16, scale: 500/65536, unit: °/s, simulated: {sine: [-50, 50], every: 7 s}}
                  z: {type: i16, scale: 500/65536, unit: °/s, simulated: 0}
              # A bit for each axis.
              configuration: {uuid: base+AA52, properties: [read, write], switch: {off: 0, on: 7}}
              period: {uuid: base+AA53, properties: [read, write], period: 10 ms, range: [100, 2550], simulated: 1000}

          keys:
            uuid: FFE0
            characteristics:
              state:
                uuid: FFE1
                properties: notify
                notifies: change
                type: u8
                bits: {right: 0, left: 1}

          device:
            uuid: 180A
            characteristics:
              # Read from the last byte to the first it is the address, with FFFE in its middle.
              system_id: {uuid: 2A23, properties: read, type: bytes, length: 8, order: little}
              model: {uuid: 2A24, properties: read, type: utf8, simulated: SensorTag}
              serial_number: {uuid: 2A25, properties: read, type: utf8, simulated: N.A.}
              firmware: {uuid: 2A26, properties: read, type: utf8, simulated: "1.5"}
              hardware: {uuid: 2A27, properties: read, type: utf8, simulated: N.A.}
              software: {uuid: 2A28, properties: read, type: utf8, simulated: N.A.}
              manufacturer: {uuid: 2A29, properties: read, type: utf8, simulated: Texas Instruments}
              certification: {uuid: 2A2A, properties: read, type: bytes}

        """#
}
