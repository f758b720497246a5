package import BLECentral
internal import BLECore

/// Applies a scan's filter to the devices that BlueZ discovers, and drops duplicates if the filter requires it. A pure
/// state machine.
///
/// BlueZ merges the filters of all its clients, so it also reports devices that this client's filter excludes.
package struct ScanReporter {
    /// The size of the duplicate filter; beyond it, peers are reported again.
    private static let peerLimit = 1024
    /// The properties that an advertisement changes.
    package static let properties: Set<String> = [
        "RSSI", "UUIDs", "Name", "ManufacturerData", "ServiceData", "TxPower", "AdvertisingFlags",
        "Appearance", "AdvertisingData",
    ]

    private let filter: ScanFilter
    private var reported: [DeviceAddress: Advertisement] = [:]

    package init(_ filter: ScanFilter) {
        self.filter = filter
    }

    /// The advertisement to report for a discovered or changed device; a device out of range has no signal strength.
    package mutating func report(_ device: Device, isConnectable: Bool = true) -> Advertisement? {
        guard let rssi = device.rssi else { return nil }
        let advertisement = Advertisement(
            address: device.address, data: device.advertisingData, rssi: rssi, isConnectable: isConnectable)
        guard passes(advertisement) else { return nil }
        if !filter.allowsDuplicates, let former = reported[device.address], former.data == advertisement.data,
            former.isConnectable == isConnectable
        {
            return nil
        }
        if reported.count >= Self.peerLimit { reported = [:] }
        reported[device.address] = advertisement
        return advertisement
    }

    private func passes(_ advertisement: Advertisement) -> Bool {
        if let minimum = filter.minimumRSSI, advertisement.rssi < minimum { return false }
        if let name = filter.name, advertisement.data.localName != name { return false }
        return filter.services.isEmpty || advertisement.data.serviceUUIDs.contains { filter.services.contains($0) }
    }
}
