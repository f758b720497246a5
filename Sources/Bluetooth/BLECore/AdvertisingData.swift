public import ByteCodec

/// Advertising or scan response data: a list of AD structures (Core Supplement v11, Part A).
public struct AdvertisingData: Hashable, Sendable {
    /// The AD structures in order: type and data.
    public var structures: [Structure]

    /// One AD structure.
    public struct Structure: Hashable, Sendable {
        /// The AD type, e.g. 0x09 Complete Local Name.
        public var type: ADType
        /// Its data, without length and type.
        public var data: [UInt8]

        /// An AD structure.
        public init(type: ADType, data: [UInt8]) {
            self.type = type
            self.data = data
        }
    }

    /// AD structures in order.
    public init(structures: [Structure] = []) {
        self.structures = structures
    }

    /// Parses AD structures. A zero length ends the significant part; a structure longer than the remaining bytes is an
    /// error.
    public init(from reader: inout ByteReader) throws(CodecError) {
        structures = []
        while reader.remaining > 0 {
            let length = Int(try reader.uint8())
            guard length > 0 else { break }
            let type = ADType(rawValue: try reader.uint8())
            structures.append(Structure(type: type, data: Array(try reader.slice(length - 1))))
        }
    }

    /// Writes the AD structures; the data of each are at most 254 bytes.
    public func write(to writer: inout ByteWriter) {
        for structure in structures {
            writer.uint8(UInt8(truncatingIfNeeded: structure.data.count + 1))
            writer.uint8(structure.type.rawValue)
            writer.append(structure.data)
        }
    }

    /// The bytes written by ``write(to:)``.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The complete local name, or else the shortened one.
    public var localName: String? {
        let name =
            structures.first { $0.type == .completeLocalName } ?? structures.first { $0.type == .shortenedLocalName }
        return name.map { String(decoding: $0.data, as: UTF8.self) }
    }

    /// The flags.
    public var flags: UInt8? { structures.first { $0.type == .flags }?.data.first }

    /// The appearance (Assigned Numbers 2.6).
    public var appearance: UInt16? {
        guard let data = structures.first(where: { $0.type == .appearance })?.data, data.count == 2 else { return nil }
        return UInt16(data[0]) | UInt16(data[1]) << 8
    }

    /// The TX Power Level in dBm.
    public var txPowerLevel: Int8? {
        guard let data = structures.first(where: { $0.type == .txPowerLevel })?.data, data.count == 1 else {
            return nil
        }
        return Int8(bitPattern: data[0])
    }

    /// The manufacturer specific data of a company, without its identifier.
    public func manufacturerData(of company: UInt16) -> [[UInt8]] {
        structures.compactMap { structure in
            let data = structure.data
            guard structure.type == .manufacturerSpecificData, data.count >= 2,
                UInt16(data[0]) | UInt16(data[1]) << 8 == company
            else { return nil }
            return Array(data.dropFirst(2))
        }
    }

    /// The data of a service, without its UUID.
    public func serviceData(of service: BLEUUID) -> [[UInt8]] {
        structures.compactMap { structure in
            guard let width = structure.type.serviceDataWidth, structure.data.count >= width,
                BLEUUID(littleEndian: structure.data.prefix(width)) == service
            else { return nil }
            return Array(structure.data.dropFirst(width))
        }
    }

    /// Every service UUID in the complete and incomplete lists, in order.
    public var serviceUUIDs: [BLEUUID] {
        structures.flatMap { structure -> [BLEUUID] in
            guard let width = structure.type.serviceUUIDWidth else { return [] }
            return stride(from: 0, through: structure.data.count - width, by: width).compactMap {
                BLEUUID(littleEndian: structure.data[$0..<$0 + width])
            }
        }
    }
}

/// The type of an AD structure (Assigned Numbers 2.3); open for any value.
public struct ADType: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt8

    /// A type by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Flags.
    public static let flags = ADType(rawValue: 0x01)
    /// Incomplete List of 16-bit Service UUIDs.
    public static let incomplete16BitServiceUUIDs = ADType(rawValue: 0x02)
    /// Complete List of 16-bit Service UUIDs.
    public static let complete16BitServiceUUIDs = ADType(rawValue: 0x03)
    /// Incomplete List of 32-bit Service UUIDs.
    public static let incomplete32BitServiceUUIDs = ADType(rawValue: 0x04)
    /// Complete List of 32-bit Service UUIDs.
    public static let complete32BitServiceUUIDs = ADType(rawValue: 0x05)
    /// Incomplete List of 128-bit Service UUIDs.
    public static let incomplete128BitServiceUUIDs = ADType(rawValue: 0x06)
    /// Complete List of 128-bit Service UUIDs.
    public static let complete128BitServiceUUIDs = ADType(rawValue: 0x07)
    /// Shortened Local Name.
    public static let shortenedLocalName = ADType(rawValue: 0x08)
    /// Complete Local Name.
    public static let completeLocalName = ADType(rawValue: 0x09)
    /// TX Power Level.
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    /// List of 16-bit Service Solicitation UUIDs.
    public static let solicitation16BitUUIDs = ADType(rawValue: 0x14)
    /// List of 128-bit Service Solicitation UUIDs.
    public static let solicitation128BitUUIDs = ADType(rawValue: 0x15)
    /// Service Data of a 16-bit UUID.
    public static let serviceData16BitUUID = ADType(rawValue: 0x16)
    /// Appearance.
    public static let appearance = ADType(rawValue: 0x19)
    /// List of 32-bit Service Solicitation UUIDs.
    public static let solicitation32BitUUIDs = ADType(rawValue: 0x1F)
    /// Service Data of a 32-bit UUID.
    public static let serviceData32BitUUID = ADType(rawValue: 0x20)
    /// Service Data of a 128-bit UUID.
    public static let serviceData128BitUUID = ADType(rawValue: 0x21)
    /// Manufacturer Specific Data.
    public static let manufacturerSpecificData = ADType(rawValue: 0xFF)

    /// The width of the UUID before the data, for the types of service data.
    fileprivate var serviceDataWidth: Int? {
        switch self {
        case .serviceData16BitUUID: 2
        case .serviceData32BitUUID: 4
        case .serviceData128BitUUID: 16
        default: nil
        }
    }

    /// The width of one UUID in bytes, for the types that list services.
    var serviceUUIDWidth: Int? {
        switch self {
        case .incomplete16BitServiceUUIDs, .complete16BitServiceUUIDs: 2
        case .incomplete32BitServiceUUIDs, .complete32BitServiceUUIDs: 4
        case .incomplete128BitServiceUUIDs, .complete128BitServiceUUIDs: 16
        default: nil
        }
    }
}
