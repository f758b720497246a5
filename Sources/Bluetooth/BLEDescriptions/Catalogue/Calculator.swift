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
