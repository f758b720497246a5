public import BLECore

/// Names of the Bluetooth SIG's assigned numbers, and of well-known services of vendors.
public enum AssignedNumbers {
    /// The name of a service, e.g. `Battery`.
    public static func service(_ uuid: BLEUUID) -> String? { services.names[uuid] }

    /// The name of a characteristic, e.g. `Battery Level`.
    public static func characteristic(_ uuid: BLEUUID) -> String? { characteristics.names[uuid] }

    /// The name of a descriptor, e.g. `Client Characteristic Configuration`.
    public static func descriptor(_ uuid: BLEUUID) -> String? { descriptors.names[uuid] }

    /// The name of a company by its identifier in manufacturer specific data.
    public static func company(_ identifier: UInt16) -> String? { companies[identifier] }

    /// The name of an appearance (Core Supplement v11, Part A 1.12), e.g. `Computer: Laptop`; of an unknown subcategory
    /// that of its category.
    public static func appearance(_ value: UInt16) -> String? {
        let category = appearances[value & ~0x3F]
        guard value & 0x3F != 0, let name = appearances[value] else { return category }
        return category.map { "\($0): \(name)" } ?? name
    }

    /// The services with this name; upper and lower case, spaces and punctuation do not count.
    public static func services(named name: String) -> [BLEUUID] { services.uuids(named: name) }

    /// The characteristics with this name; upper and lower case, spaces and punctuation do not count.
    public static func characteristics(named name: String) -> [BLEUUID] { characteristics.uuids(named: name) }

    /// The descriptors with this name; upper and lower case, spaces and punctuation do not count.
    public static func descriptors(named name: String) -> [BLEUUID] { descriptors.uuids(named: name) }

    /// The names of all characteristics, for suggestions.
    public static var characteristicNames: [String] { Array(characteristics.names.values) }

    // Parsed at their first use.
    private static let services = UUIDNames(serviceTable)
    private static let characteristics = UUIDNames(characteristicTable)
    private static let descriptors = UUIDNames(descriptorTable)
    private static let companies = NameTable.numbers([companyTable1, companyTable2, companyTable3])
    private static let appearances = NameTable.numbers([appearanceTable])
}

/// Names by UUID, and the other way.
private struct UUIDNames: Sendable {
    let names: [BLEUUID: String]
    /// By the name's letters and digits.
    private let uuids: [String: [BLEUUID]]

    init(_ table: String) {
        names = NameTable.uuids(table)
        uuids = Dictionary(grouping: names.keys.sorted { "\($0)" < "\($1)" }) { [names] in
            NameTable.key(names[$0] ?? "")
        }
    }

    func uuids(named name: String) -> [BLEUUID] { uuids[NameTable.key(name)] ?? [] }
}
