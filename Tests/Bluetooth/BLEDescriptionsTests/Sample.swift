import BLECore
import BLEDescriptions
import YAMLReading

/// Descriptions of tests.
enum Sample {
    /// A characteristic `sample.data` with these lines of `values`.
    static func values(_ lines: String) -> CharacteristicDescription {
        characteristic("values:\n" + indented(lines, 2))
    }

    /// A characteristic `sample.data` with these lines.
    static func characteristic(_ lines: String) -> CharacteristicDescription {
        description(yaml(lines)).services[0].characteristics[0]
    }

    /// A description with a characteristic of these lines.
    static func yaml(_ lines: String, top: String = "name: sample") -> String {
        """
        \(top)
        services:
          sample:
            uuid: AA00
            characteristics:
              data:
                uuid: AA01
                properties: [read, write, notify]

        """ + indented(lines, 8)
    }

    static func description(_ yaml: String) -> PeripheralDescription {
        do {
            return try PeripheralDescription(yaml: yaml, file: "sample.yaml")
        } catch {
            fatalError("\(error)\n\(yaml)")
        }
    }

    /// The faults of a description.
    static func faults(_ yaml: String) -> [String] {
        do throws(DocumentError) {
            _ = try PeripheralDescription(yaml: yaml, file: "sample.yaml")
            return []
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    private static func indented(_ lines: String, _ count: Int) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n") + "\n"
    }
}
