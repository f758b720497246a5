import YAMLReading

/// The descriptions that come with this library, as YAML.
enum CatalogueTexts {
    /// All, as ``PeripheralDescription/catalogue`` has them.
    static let all = [
        sensorTag, hm10, nordicUART, heartRate, battery,
        deviceInformation, textSimulator, calculator, lock,
    ]
}

extension PeripheralDescription {
    /// The descriptions that come with this library; those with more services first, so that a peripheral is taken for what
    /// it is as a whole.
    public static let catalogue: [PeripheralDescription] = [
        .sensorTag, .hm10, .nordicUART, .heartRate, .battery,
        .deviceInformation, .textSimulator, .calculator, .lock,
    ]

    /// The description of that name in the ``catalogue``.
    public static func catalogued(_ name: String) -> PeripheralDescription? { catalogue.first { $0.name == name } }

    /// The description in the ``catalogue`` of peripherals that advertise this name; `nil`: a name of none, or no name.
    public static func catalogued(advertising name: String?) -> PeripheralDescription? {
        name.flatMap { name in catalogue.first { $0.advertisedNames.contains(name) } }
    }

    /// The text of one of the ``catalogue``, to begin an own description with.
    public static func cataloguedText(_ name: String) -> String? {
        zip(catalogue, CatalogueTexts.all).first { $0.0.name == name }?.1
    }

    /// Reads a text of this library, which its tests have read.
    init(catalogued text: String) {
        do throws(DocumentError) {
            try self.init(yaml: text, file: "catalogue")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
