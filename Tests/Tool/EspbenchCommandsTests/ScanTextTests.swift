import BLECentral
import BLECore
import BluetoothCommands
import CommandSupport
import EspbenchCommands
import Testing

@Suite("What a scan shows") struct ScanTextTests {
    private func advertisement(
        _ number: UInt64, _ structures: [(ADType, [UInt8])], rssi: Int = -45, isConnectable: Bool = true
    ) -> Advertisement {
        let data = AdvertisingData(structures: structures.map { .init(type: $0.0, data: $0.1) })
        return Advertisement(
            address: DeviceAddress(0x02EB_0000_0000 | number, .public), data: data, rssi: rssi,
            isConnectable: isConnectable)
    }

    private var lamp: Advertisement {
        advertisement(
            1,
            [
                (.flags, [6]), (.completeLocalName, Array("Lamp".utf8)), (.complete16BitServiceUUIDs, [0x0F, 0x18]),
                (.manufacturerSpecificData, [0xE5, 0x02, 1, 2]), (ADType(rawValue: 0x19), [0x40, 0]),
                (.txPowerLevel, [0xFC]),
            ])
    }

    @Test("has names of services, companies and appearances")
    func line() {
        #expect(
            ScanRecord(lamp).line
                == "02:EB:00:00:00:01   -45 dBm  Lamp  180F Battery, Espressif Systems (Shanghai) Co., Ltd., Phone")
        let beacon = advertisement(2, [(.manufacturerSpecificData, [0x01, 0xF0])], rssi: -101, isConnectable: false)
        #expect(ScanRecord(beacon).line == "02:EB:00:00:00:02  -101 dBm  company 0xf001, not connectable")
        #expect(ScanRecord(advertisement(3, [])).line == "02:EB:00:00:00:03   -45 dBm  (no name)")
    }

    @Test("has the kind of peers whose name is known")
    func kind() {
        let tag = ScanRecord(advertisement(6, [(.completeLocalName, Array("TI BLE Sensor Tag".utf8))]))
        #expect(tag.kind == "sensortag")
        #expect(tag.line == "02:EB:00:00:00:06   -45 dBm  TI BLE Sensor Tag  TI CC2541 SensorTag")
        // Others are kept without.
        #expect(ScanRecord(lamp).kind == nil && ScanRecord(advertisement(7, [])).kind == nil)
    }

    @Test("keeps terminal control out of names")
    func hostileNames() {
        let evil = advertisement(4, [(.completeLocalName, Array("\u{1B}[2J\n".utf8))])
        #expect(ScanRecord(evil).line == "02:EB:00:00:00:04   -45 dBm  \\x1b[2J\\n")
        // Too short for a company, an appearance, a power.
        let short = advertisement(
            5, [(.manufacturerSpecificData, [1]), (ADType(rawValue: 0x19), [1]), (.txPowerLevel, [])])
        #expect(ScanRecord(short).line == "02:EB:00:00:00:05   -45 dBm  (no name)")
    }

    @Test("lists peers in the order in which they were heard, filtered by name")
    func list() {
        var list = ScanList(name: "LA")
        var louder = lamp
        louder.rssi = -30
        let heard = [advertisement(9, [(.completeLocalName, Array("Lock".utf8))]), advertisement(8, []), lamp, louder]
        let shown = heard.map { list.receive($0)?.rssi }
        #expect(shown == [nil, nil, -45, -30])
        #expect(list.records.map(\.rssi) == [-30])
    }

    @Test("is a table that is drawn in its place, and fits on the screen")
    func table() {
        let size = TerminalSize(width: 40, height: 4)
        var table = LiveTable(size)
        let one = [ScanRecord(lamp)]
        let first = table.frame(one, on: size)
        #expect(first.hasPrefix("\rPEER") && first.hasSuffix("\u{1B}[J"))
        #expect(first.contains("02:EB:00:00:00:01  -45 dBm  Lamp  180F …\u{1B}[K\n"))
        let many = (1...5).map { ScanRecord(advertisement($0, [])) }
        let second = table.frame(many, on: size)
        #expect(second.hasPrefix("\r\u{1B}[2APEER"))
        #expect(second.contains("… and 4 more\u{1B}[K\n") && second.count { $0 == "\n" } == 3)
        let last = table.frame(many, on: size, isLast: true)
        #expect(last.hasPrefix("\r\u{1B}[3APEER") && last.count { $0 == "\n" } == 6)
        let none = table.frame([], on: size)
        #expect(none.hasPrefix("\rPEER"))
    }

    @Test("is a table that is drawn anew when the size of the screen has changed")
    func resizedTable() {
        var table = LiveTable(TerminalSize(width: 80, height: 24))
        let one = [ScanRecord(lamp)]
        // Nothing is drawn yet that could be in the way.
        #expect(table.frame(one, on: TerminalSize(width: 100, height: 24)).hasPrefix("\rPEER"))
        let narrow = table.frame(one, on: TerminalSize(width: 30, height: 24))
        #expect(narrow.hasPrefix("\u{1B}[H\u{1B}[2JPEER") && narrow.contains("02:EB:00:00:00:01  -45 dBm  L…\u{1B}[K"))
        #expect(table.frame(one, on: TerminalSize(width: 30, height: 24)).hasPrefix("\r\u{1B}[2APEER"))
    }

    @Test("has columns also with names of wide characters")
    func wideNames() {
        let records = [("灯", 1), ("Lamp", 2), ("💡💡", 3)].map { name, number in
            ScanRecord(advertisement(UInt64(number), [(.completeLocalName, Array(name.utf8))], isConnectable: false))
        }
        #expect(
            LiveTable.lines(records).dropFirst().map { $0.dropFirst(28) } == [
                "灯    not connectable", "Lamp  not connectable", "💡💡  not connectable",
            ])
        // A character of two columns does not stand in the last one.
        var table = LiveTable(TerminalSize(width: 31, height: 24))
        let frame = table.frame(records, on: TerminalSize(width: 31, height: 24))
        #expect(frame.contains("02:EB:00:00:00:03  -45 dBm  💡…\u{1B}[K"))
        #expect(frame.contains("02:EB:00:00:00:01  -45 dBm  灯…\u{1B}[K"))
    }
}
