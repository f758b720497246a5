import BLECentral
import BLECore
import DBus
import Testing

import BLECentralBlueZ

@Suite struct ObjectTreeTests {
    static let adapter = "/org/bluez/hci0"
    static let device = "/org/bluez/hci0/dev_24_0A_C4_00_01_10"

    /// A dictionary as an object manager's: interfaces with properties.
    static func interfaces(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            .string, .dictionary(.string, .variant),
            interfaces.map { name, properties in .init(.string(name), Self.properties(properties)) })
    }

    static func properties(_ properties: [String: DBusValue]) -> DBusValue {
        .dictionary(.string, .variant, properties.map { .init(.string($0), .variant($1)) })
    }

    static func signal(_ path: String, _ interface: String, _ member: String, _ body: [DBusValue]) -> DBusMessage {
        var signal = DBusMessage(.signal)
        (signal.path, signal.interface, signal.member, signal.body) = (path, interface, member, body)
        return signal
    }

    static func changed(
        _ path: String, _ interface: String, _ properties: [String: DBusValue], _ invalidated: [String] = []
    ) -> DBusMessage {
        signal(
            path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string(interface), Self.properties(properties), .array(.string, invalidated.map { .string($0) })])
    }

    static func tree(_ objects: [String: [String: [String: DBusValue]]]) -> ObjectTree {
        var tree = ObjectTree()
        tree.replace(
            .dictionary(
                .objectPath, .dictionary(.string, .dictionary(.string, .variant)),
                objects.map { .init(.objectPath($0), interfaces($1)) }))
        return tree
    }

    static let known = tree([
        adapter: [BlueZ.adapter: ["Powered": .boolean(true)]],
        device: [BlueZ.device: ["Address": .string("24:0A:C4:00:01:10"), "AddressType": .string("public")]],
    ])

    @Test func signalsChangeTheObjects() {
        var tree = Self.known
        let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
        let added = Self.signal(
            "/", BlueZ.objectManager, "InterfacesAdded",
            [.objectPath(path), Self.interfaces([BlueZ.device: ["RSSI": .int16(-50)]])])
        #expect(tree.receive(added) == [.added(path, interface: BlueZ.device)])
        #expect(tree.paths(with: BlueZ.device) == [Self.device, path])
        #expect(
            tree.receive(Self.changed(path, BlueZ.device, ["Connected": .boolean(true)], ["RSSI"]))
                == [.changed(path, interface: BlueZ.device, properties: ["Connected", "RSSI"])])
        #expect(tree.properties(path, BlueZ.device) == ["Connected": .boolean(true)])
        let removed = Self.signal(
            "/", BlueZ.objectManager, "InterfacesRemoved",
            [.objectPath(path), .array(.string, [.string(BlueZ.device), .string("org.bluez.Other1")])])
        #expect(tree.receive(removed) == [.removed(path, interface: BlueZ.device)])
        #expect(tree.objects[path] == nil)
        #expect(tree.receive(removed).isEmpty)
    }

    @Test func strangeSignalsChangeNothing() {
        var tree = Self.known
        let strange = [
            Self.signal("/", BlueZ.objectManager, "InterfacesAdded", []),
            Self.signal("/", BlueZ.objectManager, "InterfacesAdded", [.byte(1), .byte(2)]),
            Self.signal("/", BlueZ.objectManager, "InterfacesAdded", [.objectPath("/x"), .array(.byte, [])]),
            Self.signal("/", BlueZ.objectManager, "InterfacesRemoved", [.objectPath(Self.device), .string("x")]),
            Self.signal("/", BlueZ.objectManager, "Other", [.objectPath(Self.device)]),
            Self.changed("/unknown", BlueZ.device, ["Connected": .boolean(true)]),
            Self.changed(Self.device, "org.bluez.Other1", ["Connected": .boolean(true)]),
            Self.signal(Self.device, BlueZ.properties, "PropertiesChanged", [.string(BlueZ.device)]),
        ]
        for signal in strange { #expect(tree.receive(signal).isEmpty, "\(signal)") }
        #expect(tree.objects == Self.known.objects)
        tree.replace(.string("nonsense"))
        #expect(tree.objects.isEmpty)
    }

    @Test func deviceHasAddressAndAdvertisedData() throws {
        var tree = Self.known
        _ = tree.receive(
            Self.changed(
                Self.device, BlueZ.device,
                [
                    "RSSI": .int16(-61), "Name": .string("Lamp"), "AdvertisingFlags": .bytes([6]),
                    "UUIDs": .array(
                        .string,
                        [
                            .string("0000180f-0000-1000-8000-00805f9b34fb"),
                            .string("ebc0fcc1-2fc3-44b7-94a8-a08d0a0a5079"),
                        ]),
                    "TxPower": .int16(-4), "Appearance": .uint16(0x03C1),
                    "AdvertisingData": .dictionary(
                        .byte, .variant,
                        [
                            .init(.byte(0x24), .variant(.bytes([0x17, 0x2F])))
                        ]),
                    "ManufacturerData": .dictionary(
                        .uint16, .variant, [.init(.uint16(0x02E5), .variant(.bytes([1, 2])))]),
                    "ServiceData": .dictionary(
                        .string, .variant,
                        [.init(.string("0000180f-0000-1000-8000-00805f9b34fb"), .variant(.bytes([99])))]),
                ]))
        let device = try #require(Device(tree, Self.device))
        #expect(device.address == DeviceAddress(0x240A_C400_0110, .public))
        #expect(Device.path(device.address, on: Self.adapter) == Self.device)
        #expect(device.rssi == -61)
        let data = device.advertisingData
        #expect(data.localName == "Lamp")
        #expect(data.serviceUUIDs.map(\.description) == ["180F", "EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"])
        #expect(
            data.structures.map(\.type.rawValue) == [0x01, 0x03, 0x07, 0x09, 0x0A, 0x16, 0x19, 0x24, 0xFF])
        #expect(
            data.structures.suffix(4).map(\.data) == [
                [0x0F, 0x18, 99], [0xC1, 0x03], [0x17, 0x2F], [0xE5, 0x02, 1, 2],
            ])
        #expect(Device(tree, Self.adapter) == nil)
    }

    @Test func scanFiltersAndDropsDuplicates() throws {
        var tree = Self.known
        func hear(_ properties: [String: DBusValue]) throws -> Device {
            _ = tree.receive(Self.changed(Self.device, BlueZ.device, properties))
            return try #require(Device(tree, Self.device))
        }
        var all = ScanReporter(ScanFilter())
        #expect(all.report(try hear([:])) == nil)
        #expect(all.report(try hear(["RSSI": .int16(-80)]))?.rssi == -80)
        #expect(all.report(try hear(["RSSI": .int16(-70)])) == nil)
        #expect(all.report(try hear([:]), isConnectable: false)?.isConnectable == false)
        #expect(all.report(try hear(["Name": .string("Lamp")]))?.data.localName == "Lamp")
        var changes = ScanReporter(ScanFilter(name: "Lamp", minimumRSSI: -75, allowsDuplicates: true))
        #expect(changes.report(try hear(["RSSI": .int16(-76)])) == nil)
        #expect(changes.report(try hear(["RSSI": .int16(-75)]))?.rssi == -75)
        #expect(changes.report(try hear(["RSSI": .int16(-74)]))?.rssi == -74)
        var other = ScanReporter(ScanFilter(services: [BLEUUID(0x180F)]))
        #expect(other.report(try hear([:])) == nil)
    }
}
