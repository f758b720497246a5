#if canImport(CoreBluetooth)
    import BLECore
    import BLEPeripheral
    import CoreBluetooth
    import Foundation

    /// The text of a UUID in the form for `CBUUID(string:)`.
    struct CBUUIDText: RawRepresentable, Sendable {
        let rawValue: String
    }

    /// The services of a definition as CoreBluetooth's objects.
    // SAFETY: made once and then only compared, and used on the manager's queue.
    struct Services: @unchecked Sendable {
        /// A characteristic.
        // SAFETY: as above.
        struct Value: @unchecked Sendable {
            let mutable: CBMutableCharacteristic
        }

        let mutable: [CBMutableService]
        private var values: [(path: AttributePath, value: CBMutableCharacteristic)] = []

        /// - Throws: `unsupported` for a descriptor other than a description or a format, which CoreBluetooth refuses.
        init(_ definition: PeripheralDefinition) throws(PeripheralError) {
            var services: [CBMutableService] = []
            for (serviceIndex, service) in definition.services.enumerated() {
                let mutable = CBMutableService(type: service.uuid.coreBluetooth, primary: true)
                var characteristics: [CBMutableCharacteristic] = []
                for (index, characteristic) in service.characteristics.enumerated() {
                    let value = CBMutableCharacteristic(
                        type: characteristic.uuid.coreBluetooth, properties: characteristic.coreBluetoothProperties,
                        value: nil, permissions: characteristic.coreBluetoothPermissions)
                    var descriptors: [CBMutableDescriptor] = []
                    for descriptor in characteristic.descriptors {
                        descriptors.append(try Self.descriptor(descriptor, definition.name))
                    }
                    if !descriptors.isEmpty { value.descriptors = descriptors }
                    characteristics.append(value)
                    values.append((AttributePath(service: serviceIndex, characteristic: index), value))
                }
                mutable.characteristics = characteristics
                services.append(mutable)
            }
            mutable = services
        }

        private static func descriptor(
            _ descriptor: DescriptorDefinition, _ name: String
        ) throws(PeripheralError) -> CBMutableDescriptor {
            switch descriptor.uuid {
            case BLEUUID(0x2901):
                return CBMutableDescriptor(
                    type: descriptor.uuid.coreBluetooth, value: String(decoding: descriptor.value, as: UTF8.self))
            case BLEUUID(0x2904):
                return CBMutableDescriptor(type: descriptor.uuid.coreBluetooth, value: Data(descriptor.value))
            default:
                throw PeripheralError(
                    .unsupported,
                    "\(name): CoreBluetooth has descriptors 2901 and 2904 only, expected one of them, got \(descriptor.uuid)"
                )
            }
        }

        /// The path of a characteristic that the delegate was called with; `nil` if it is unknown.
        func path(of characteristic: CBCharacteristic) -> AttributePath? {
            values.first { $0.value === characteristic }?.path
        }

        func value(at path: AttributePath) -> Value? {
            values.first { $0.path == path }.map { Value(mutable: $0.value) }
        }
    }

    extension BLEUUID {
        fileprivate var coreBluetooth: CBUUID { CBUUID(string: description) }
    }

    extension CharacteristicDefinition {
        /// The property bits equal CoreBluetooth's. A protected value also needs encryption to subscribe.
        fileprivate var coreBluetoothProperties: CBCharacteristicProperties {
            var properties = CBCharacteristicProperties(rawValue: UInt(self.properties.rawValue & 0x7E))
            guard readNeeds != .none else { return properties }
            if properties.contains(.notify) { properties.insert(.notifyEncryptionRequired) }
            if properties.contains(.indicate) { properties.insert(.indicateEncryptionRequired) }
            return properties
        }

        /// CoreBluetooth can require encryption, but not an authenticated key.
        fileprivate var coreBluetoothPermissions: CBAttributePermissions {
            var permissions: CBAttributePermissions = []
            if properties.contains(.read) {
                permissions.insert(readNeeds == .none ? .readable : .readEncryptionRequired)
            }
            if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
                permissions.insert(writeNeeds == .none ? .writeable : .writeEncryptionRequired)
            }
            return permissions
        }
    }
#endif
