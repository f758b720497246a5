import BLEHost
import CFirmwareChannel

/// The registration of a sketch's services: the database, and a handle for each entry of the sketch's list.
struct GATTRegistration {
    let database: GATTDatabase
    let handles: [UInt16]

    private enum Entry {
        case service(GATTServiceID)
        case characteristic(GATTCharacteristicID)
        case descriptor(GATTDescriptorID)
        /// An invalid UUID, or an entry without its parent.
        case unusable
    }

    /// Registers `attributes`: each service followed by its characteristics, each characteristic by its descriptors.
    init(_ attributes: [cfc_attribute], deviceName: String) throws(GATTDatabaseError) {
        var builder = GATTDatabaseBuilder(deviceName: deviceName)
        var service: GATTServiceID?
        var characteristic: GATTCharacteristicID?
        let entries = attributes.map { attribute -> Entry in
            let uuid = withUnsafeBytes(of: attribute.uuid) { Array($0.prefix(Int(attribute.uuid_length))) }
            guard let type = AttributeType(littleEndian: uuid[...]) else { return .unusable }
            let length = Int(attribute.maximum_length)
            switch Int(attribute.kind) {
            case CFC_SERVICE:
                let added = builder.addService(type)
                service = added
                characteristic = nil
                return .service(added)
            case CFC_CHARACTERISTIC:
                guard let service else { return .unusable }
                let properties = GATTProperties(rawValue: attribute.properties)
                let added = builder.addCharacteristic(type, to: service, properties: properties, maximumLength: length)
                characteristic = added
                return .characteristic(added)
            case CFC_DESCRIPTOR:
                guard let characteristic else { return .unusable }
                let properties = GATTProperties(descriptorFlags: attribute.properties)
                return .descriptor(
                    builder.addDescriptor(type, to: characteristic, properties: properties, maximumLength: length))
            default: return .unusable
            }
        }
        let database = try builder.register()
        self.database = database
        handles = entries.map { entry in
            switch entry {
            case .service(let service): database.handle(of: service)
            case .characteristic(let characteristic): database.valueHandle(of: characteristic)
            case .descriptor(let descriptor): database.handle(of: descriptor) ?? 0
            case .unusable: 0
            }
        }
    }
}

extension GATTProperties {
    /// The permissions of a descriptor: NimBLE registers it with the flags of an attribute (`BLE_ATT_F_…`,
    /// `ble_gatt_dsc_def.att_flags`), not with those of a characteristic.
    init(descriptorFlags flags: UInt16) {
        let permissions: [GATTProperties] = [
            .read, .write, .readEncrypted, .readAuthenticated, .readAuthorized, .writeEncrypted, .writeAuthenticated,
            .writeAuthorized,
        ]
        self.init()
        for (bit, permission) in permissions.enumerated() where flags & 1 << bit != 0 { insert(permission) }
    }
}
