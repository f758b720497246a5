/// The names of types and subtypes in the text of a partition table ("Partition Tables", ESP-IDF programming guide).
enum PartitionNames {
    static let kinds: [String: Partition.Kind] = [
        "app": .app, "data": .data, "bootloader": .bootloader, "partition_table": .partitionTable,
    ]

    /// The subtypes of a kind by name; empty for kinds of the user.
    static func subtypes(of kind: Partition.Kind) -> [String: UInt8] {
        switch kind {
        case .app: app
        case .data: data
        case .bootloader: ["primary": 0, "ota": 1, "recovery": 2]
        case .partitionTable: ["primary": 0, "ota": 1]
        default: [:]
        }
    }

    /// The name of a kind, or its number.
    static func name(of kind: Partition.Kind) -> String {
        kinds.first { $0.value == kind }?.key ?? "0x" + String(kind.rawValue, radix: 16)
    }

    /// The name of a subtype, or its number.
    static func name(ofSubtype subtype: UInt8, of kind: Partition.Kind) -> String {
        subtypes(of: kind).first { $0.value == subtype }?.key ?? "0x" + String(subtype, radix: 16)
    }

    private static let app: [String: UInt8] = {
        var names: [String: UInt8] = ["factory": 0x00, "test": 0x20, "tee_0": 0x30, "tee_1": 0x31]
        for slot: UInt8 in 0..<16 { names["ota_\(slot)"] = 0x10 + slot }
        return names
    }()

    private static let data: [String: UInt8] = [
        "ota": 0x00, "phy": 0x01, "nvs": 0x02, "coredump": 0x03, "nvs_keys": 0x04, "efuse": 0x05, "undefined": 0x06,
        "esphttpd": 0x80, "fat": 0x81, "spiffs": 0x82, "littlefs": 0x83, "tee_ota": 0x90,
    ]
}

extension Partition {
    /// The name of its kind, e.g. `app`, or its number.
    public var kindName: String { PartitionNames.name(of: kind) }
    /// The name of its subtype, e.g. `ota_0`, or its number.
    public var subtypeName: String { PartitionNames.name(ofSubtype: subtype, of: kind) }
    /// Its flags by name.
    public var flagNames: [String] {
        (flags & 1 != 0 ? ["encrypted"] : []) + (flags & 2 != 0 ? ["readonly"] : [])
    }
    /// Its length as people write it: in megabytes, kilobytes or bytes, e.g. `1280K`.
    public var sizeText: String { Self.text(size) }

    /// `number` as `4M`, `1280K`, or in hexadecimal.
    static func text(_ number: UInt32) -> String {
        for (unit, shift) in [("M", UInt32(20)), ("K", 10)] where number > 0 && number & ((1 << shift) - 1) == 0 {
            return "\(number >> shift)\(unit)"
        }
        return hexadecimal(number)
    }
}

extension PartitionTable {
    /// The table as text: a file of ESP-IDF that makes the same table.
    public var csv: String {
        "# ESP-IDF Partition Table\n# Name, Type, SubType, Offset, Size, Flags\n"
            + partitions.map { partition in
                [
                    partition.name, partition.kindName, partition.subtypeName, hexadecimal(partition.offset),
                    partition.sizeText, partition.flagNames.joined(separator: ":"),
                ].joined(separator: ",")
            }.joined(separator: "\n") + "\n"
    }
}
