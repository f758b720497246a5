internal import BLECore
internal import BLEHost

/// The attributes of a definition with their handles.
struct AttributeTable: Sendable {
    /// The handlers of one attribute.
    struct Handlers: Sendable {
        var onRead: ReadHandler?
        var onWrite: WriteHandler?
        var onSubscribe: SubscribeHandler?
        var onSent: SentHandler?

        var isEmpty: Bool { onRead == nil && onWrite == nil && onSubscribe == nil && onSent == nil }
    }

    let database: GATTDatabase
    /// The handlers of attributes, by handle.
    private(set) var handlers: [UInt16: Handlers] = [:]
    /// The handles of values and descriptors, by UUID, in order.
    private(set) var handles: [BLEUUID: [UInt16]] = [:]
    /// The handles of values and descriptors, by their paths in the definition.
    private(set) var places: [AttributePath: UInt16] = [:]
    /// The length of the longest value, by handle.
    private(set) var maximumLengths: [UInt16: Int] = [:]

    /// Lays out the services of `definition`.
    init(_ definition: PeripheralDefinition) throws(PeripheralError) {
        var builder = GATTDatabaseBuilder(deviceName: definition.name, appearance: definition.appearance)
        var characteristics: [(GATTCharacteristicID, AttributePath, CharacteristicDefinition)] = []
        var descriptors: [(GATTDescriptorID, AttributePath, DescriptorDefinition)] = []
        for (serviceIndex, service) in definition.services.enumerated() {
            let id = builder.addService(AttributeType(service.uuid))
            for (index, characteristic) in service.characteristics.enumerated() {
                var path = AttributePath(service: serviceIndex, characteristic: index)
                try check(characteristic.value, characteristic.maximumLength, characteristic.uuid)
                let place = builder.addCharacteristic(
                    AttributeType(characteristic.uuid), to: id, properties: GATTProperties(characteristic),
                    maximumLength: characteristic.maximumLength, value: characteristic.value,
                    hasCallbacks: !Handlers(characteristic).isEmpty)
                characteristics.append((place, path, characteristic))
                for (index, descriptor) in characteristic.descriptors.enumerated() {
                    try check(descriptor.value, descriptor.maximumLength, descriptor.uuid)
                    let id = builder.addDescriptor(
                        AttributeType(descriptor.uuid), to: place, properties: GATTProperties(descriptor),
                        maximumLength: descriptor.maximumLength, value: descriptor.value,
                        hasCallbacks: !Handlers(descriptor).isEmpty)
                    path.descriptor = index
                    descriptors.append((id, path, descriptor))
                }
            }
        }
        do {
            database = try builder.register()
        } catch {
            throw PeripheralError(.invalidDefinition, "\(error)")
        }
        for (id, path, characteristic) in characteristics {
            add(
                database.valueHandle(of: id), path, characteristic.uuid, characteristic.maximumLength,
                Handlers(characteristic))
        }
        for (id, path, descriptor) in descriptors {
            guard let handle = database.handle(of: id) else { continue }
            add(handle, path, descriptor.uuid, descriptor.maximumLength, Handlers(descriptor))
        }
    }

    private mutating func add(
        _ handle: UInt16, _ path: AttributePath, _ uuid: BLEUUID, _ maximumLength: Int, _ handlers: Handlers
    ) {
        places[path] = handle
        handles[uuid, default: []].append(handle)
        maximumLengths[handle] = maximumLength
        if !handlers.isEmpty { self.handlers[handle] = handlers }
    }
}

private func check(_ value: [UInt8], _ maximumLength: Int, _ uuid: BLEUUID) throws(PeripheralError) {
    guard (0...GATTDatabaseBuilder.maximumValueLength).contains(maximumLength), value.count <= maximumLength else {
        throw PeripheralError(
            .invalidDefinition,
            "attribute \(uuid): expected a value of at most \(maximumLength) bytes and a limit of 0...512, "
                + "got \(value.count) bytes")
    }
}

extension AttributeTable.Handlers {
    fileprivate init(_ characteristic: CharacteristicDefinition) {
        onRead = characteristic.onRead
        onWrite = characteristic.onWrite
        onSubscribe = characteristic.onSubscribe
        onSent = characteristic.onSent
    }

    fileprivate init(_ descriptor: DescriptorDefinition) {
        onRead = descriptor.onRead
        onWrite = descriptor.onWrite
    }
}

extension GATTProperties {
    fileprivate init(_ characteristic: CharacteristicDefinition) {
        // The server uses the same bits for properties as the declaration.
        self.init(rawValue: UInt16(characteristic.properties.rawValue & 0x7F))
        insert(readNeeds: characteristic.readNeeds, writeNeeds: characteristic.writeNeeds)
    }

    fileprivate init(_ descriptor: DescriptorDefinition) {
        self.init(rawValue: UInt16(descriptor.properties.intersection([.read, .write]).rawValue))
        insert(readNeeds: descriptor.readNeeds, writeNeeds: descriptor.writeNeeds)
    }

    private mutating func insert(readNeeds: AttributeProtection, writeNeeds: AttributeProtection) {
        switch readNeeds {
        case .none: break
        case .encrypted: insert(.readEncrypted)
        case .authenticated: formUnion([.readEncrypted, .readAuthenticated])
        }
        switch writeNeeds {
        case .none: break
        case .encrypted: insert(.writeEncrypted)
        case .authenticated: formUnion([.writeEncrypted, .writeAuthenticated])
        }
    }
}
