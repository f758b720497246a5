#if canImport(CoreBluetooth)
    public import BLECentral
    public import BLECore
    internal import CoreBluetooth
    import Foundation

    extension CoreBluetoothCentral {
        /// Waits until no earlier operation runs on the connection; ``CoreBluetoothLink/end()`` must follow.
        private func begin(_ connection: ConnectionID) async throws(CentralError) -> CoreBluetoothLink {
            let link = try link(connection)
            guard !link.tryBegin() else { return link }
            await withCheckedContinuation { link.wait($0) }
            do throws(CentralError) {
                return try self.link(connection)
            } catch {
                link.end()
                throw CentralError(.disconnected(reason: nil), error.detail)
            }
        }

        /// Sends a request, and waits for its end.
        private func perform(
            _ request: CoreBluetoothRequest, on link: CoreBluetoothLink, _ send: (CBPeripheral) -> Void
        ) async throws(CentralError) {
            let result = await withCheckedContinuation { continuation in
                link.expect(request, continuation)
                send(link.peripheral)
            }
            try result.get()
        }

        /// Discovers all services, characteristics and descriptors; CoreBluetooth hides secondary services.
        public func discoverServices(on connection: ConnectionID) async throws(CentralError) -> [DiscoveredService] {
            let link = try await begin(connection)
            defer { link.end() }
            try await perform(.services, on: link) { $0.discoverServices(nil) }
            var result: [DiscoveredService] = []
            for service in link.peripheral.services ?? [] {
                try await perform(.characteristics(ObjectIdentifier(service)), on: link) {
                    $0.discoverCharacteristics(nil, for: service)
                }
                var characteristics: [DiscoveredCharacteristic] = []
                for characteristic in service.characteristics ?? [] {
                    try await perform(.descriptors(ObjectIdentifier(characteristic)), on: link) {
                        $0.discoverDescriptors(for: characteristic)
                    }
                    characteristics.append(try describe(characteristic, on: link))
                }
                result.append(DiscoveredService(uuid: try uuid(service.uuid), characteristics: characteristics))
            }
            return result
        }

        private func describe(
            _ characteristic: CBCharacteristic, on link: CoreBluetoothLink
        ) throws(CentralError) -> DiscoveredCharacteristic {
            var descriptors: [DiscoveredDescriptor] = []
            for descriptor in characteristic.descriptors ?? [] {
                descriptors.append(
                    DiscoveredDescriptor(
                        uuid: try uuid(descriptor.uuid), attribute: link.id(of: .descriptor(descriptor))))
            }
            return DiscoveredCharacteristic(
                uuid: try uuid(characteristic.uuid), value: link.id(of: .characteristic(characteristic)),
                // The low octet has the specification's bits.
                properties: CharacteristicProperties(
                    rawValue: UInt8(truncatingIfNeeded: characteristic.properties.rawValue)),
                descriptors: descriptors)
        }

        private func uuid(_ uuid: CBUUID) throws(CentralError) -> BLEUUID {
            guard let known = BLEUUID(littleEndian: uuid.data.reversed()) else {
                throw CentralError(
                    .protocolViolation, "discovery: expected a UUID of 2, 4 or 16 bytes, got \(uuid.data.count)")
            }
            return known
        }

        private func attribute(
            _ id: AttributeID, on link: CoreBluetoothLink
        ) throws(CentralError) -> CoreBluetoothLink.Attribute {
            guard let attribute = link.attributes[id] else {
                throw CentralError(
                    .invalidState, "attribute \(id.rawValue): expected one that was discovered, got another")
            }
            return attribute
        }

        /// Reads a whole value. A notification of the same characteristic during the read may be mistaken for the
        /// answer.
        public func read(_ attribute: AttributeID, on connection: ConnectionID) async throws(CentralError) -> [UInt8] {
            let link = try await begin(connection)
            defer { link.end() }
            switch try self.attribute(attribute, on: link) {
            case .characteristic(let characteristic):
                try await perform(.read(ObjectIdentifier(characteristic)), on: link) {
                    $0.readValue(for: characteristic)
                }
                return [UInt8](characteristic.value ?? Data())
            case .descriptor(let descriptor):
                try await perform(.read(ObjectIdentifier(descriptor)), on: link) { $0.readValue(for: descriptor) }
                return Self.bytes(of: descriptor)
            }
        }

        /// A descriptor's value as bytes: CoreBluetooth decodes the values of known descriptors.
        private static func bytes(of descriptor: CBDescriptor) -> [UInt8] {
            switch descriptor.value {
            case let text as String: return Array(text.utf8)
            case let data as Data: return [UInt8](data)
            case let number as NSNumber:
                // Extended properties and configurations have two bytes.
                let value = UInt16(truncatingIfNeeded: number.intValue)
                return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
            default: return []
            }
        }

        /// Writes a value. Without a response it waits for space, and the value must not exceed the length that macOS
        /// allows.
        public func write(
            _ value: [UInt8], to attribute: AttributeID, kind: WriteKind, on connection: ConnectionID
        ) async throws(CentralError) {
            let link = try await begin(connection)
            defer { link.end() }
            switch (try self.attribute(attribute, on: link), kind) {
            case (.characteristic(let characteristic), .withResponse):
                try await perform(.write(ObjectIdentifier(characteristic)), on: link) {
                    $0.writeValue(Data(value), for: characteristic, type: .withResponse)
                }
            case (.characteristic(let characteristic), .withoutResponse):
                try await writeCommand(value, to: characteristic, on: link)
            case (_, .reliable): throw CentralError(unsupported: .reliableWrites, "write")
            case (.descriptor(let descriptor), _):
                // CoreBluetooth raises an exception if this descriptor is written.
                guard try uuid(descriptor.uuid) != BLEUUID(0x2902) else {
                    throw CentralError(unsupported: .subscriptionKind, "write a Client Characteristic Configuration")
                }
                try await perform(.write(ObjectIdentifier(descriptor)), on: link) {
                    $0.writeValue(Data(value), for: descriptor)
                }
            }
        }

        private func writeCommand(
            _ value: [UInt8], to characteristic: CBCharacteristic, on link: CoreBluetoothLink
        ) async throws(CentralError) {
            let limit = link.peripheral.maximumWriteValueLength(for: .withoutResponse)
            guard value.count <= limit else {
                throw CentralError(
                    .invalidState, "write without response: expected at most \(limit) bytes, got \(value.count)")
            }
            if !link.peripheral.canSendWriteWithoutResponse {
                try await perform(.roomForWrite, on: link) { _ in }
            }
            link.peripheral.writeValue(Data(value), for: characteristic, type: .withoutResponse)
        }

        /// Subscribes; CoreBluetooth chooses notifications if the characteristic supports both.
        public func setSubscription(
            _ subscription: Subscription, of characteristic: AttributeID, on connection: ConnectionID
        ) async throws(CentralError) {
            let link = try await begin(connection)
            defer { link.end() }
            guard case .characteristic(let characteristic) = try attribute(characteristic, on: link) else {
                throw CentralError(.invalidState, "subscribe: expected a characteristic, got a descriptor")
            }
            try await perform(.subscription(ObjectIdentifier(characteristic)), on: link) {
                $0.setNotifyValue(subscription != .none, for: characteristic)
            }
        }

        /// Reads the strength of a connection, in dBm; `nil` if macOS does not know it.
        public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
            let link = try await begin(connection)
            defer { link.end() }
            try await perform(.rssi, on: link) { $0.readRSSI() }
            return link.rssi == Advertisement.unknownRSSI ? nil : link.rssi
        }

        /// Throws `unsupported`: CoreBluetooth does not report the security.
        public func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
            throw CentralError(unsupported: .encryption, "read the security of a connection")
        }
    }
#endif
