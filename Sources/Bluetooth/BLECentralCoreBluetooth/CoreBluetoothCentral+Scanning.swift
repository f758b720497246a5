#if canImport(CoreBluetooth)
    public import BLECentral
    import BLECore
    internal import CoreBluetooth
    import Foundation

    extension CoreBluetoothCentral {
        /// Starts or restarts scanning; this backend filters by name and strength.
        public func startScanning(_ filter: ScanFilter) async throws(CentralError) {
            let manager = try available()
            self.filter = filter
            reported = [:]
            let services = filter.services.map { CBUUID(string: $0.description) }
            // Request every advertisement, since this backend filters by strength.
            manager.scanForPeripherals(
                withServices: services.isEmpty ? nil : services,
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        }

        /// Stops scanning.
        public func stopScanning() async throws(CentralError) {
            try available().stopScan()
        }

        func discovered(_ peripheral: CBPeripheral, _ fields: [String: Any], _ rssi: Int) {
            let peer = PeerID(opaque: peripheral.identifier.uuidString)
            known[peer] = peripheral
            let data = AdvertisingData(coreBluetooth: fields)
            // 127 means that the strength is not known (Core 5.4, Vol 4 Part E 7.7.65.2).
            guard rssi != 127, rssi >= filter.minimumRSSI ?? rssi, filter.name == nil || data.localName == filter.name,
                filter.allowsDuplicates || reported[peer] != data
            else { return }
            reported[peer] = data
            let isConnectable = (fields[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? false
            events.post(
                .advertisement(Advertisement(peer: peer, data: data, rssi: rssi, isConnectable: isConnectable)))
        }
    }

    extension AdvertisingData {
        /// The advertisement as CoreBluetooth reports it; flags and the order of the structures are lost.
        init(coreBluetooth fields: [String: Any]) {
            var structures: [Structure] = []
            if let name = fields[CBAdvertisementDataLocalNameKey] as? String {
                structures.append(Structure(type: .completeLocalName, data: Array(name.utf8)))
            }
            let services = fields[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
            let more = fields[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] ?? []
            let types: [(Int, ADType)] = [
                (2, .complete16BitServiceUUIDs), (4, .complete32BitServiceUUIDs), (16, .complete128BitServiceUUIDs),
            ]
            for (size, type) in types {
                // CoreBluetooth's order is most significant byte first.
                let uuids = (services + more).map { [UInt8]($0.data) }.filter { $0.count == size }
                guard !uuids.isEmpty else { continue }
                structures.append(Structure(type: type, data: uuids.flatMap { $0.reversed() }))
            }
            if let power = fields[CBAdvertisementDataTxPowerLevelKey] as? NSNumber {
                structures.append(
                    Structure(type: .txPowerLevel, data: [UInt8(bitPattern: Int8(truncatingIfNeeded: power.intValue))]))
            }
            if let data = fields[CBAdvertisementDataManufacturerDataKey] as? Data {
                structures.append(Structure(type: .manufacturerSpecificData, data: [UInt8](data)))
            }
            self.init(structures: structures)
        }
    }
#endif
