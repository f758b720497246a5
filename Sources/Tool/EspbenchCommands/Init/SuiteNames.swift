internal import BLECore

/// Names for the UUIDs of a first suite: the assigned ones where they are common, else by what a characteristic is for.
struct SuiteNames {
    /// Each UUID with its name, in the order of their use; 16-bit UUIDs without an assigned name are their own names.
    let all: [(uuid: BLEUUID, name: String)]

    /// Bluetooth Assigned Numbers, 3.4 and 3.8.
    private static let assigned: [UInt16: String] = [
        0x180A: "device information", 0x180D: "heart rate", 0x180F: "battery", 0x1809: "health thermometer",
        0x1812: "human interface device", 0x181A: "environmental sensing", 0x1826: "fitness machine",
        0x2A19: "battery level", 0x2A24: "model number", 0x2A25: "serial number", 0x2A26: "firmware revision",
        0x2A27: "hardware revision", 0x2A28: "software revision", 0x2A29: "manufacturer name",
        0x2A37: "heart rate measurement", 0x2A38: "body sensor location", 0x2A6E: "temperature", 0x2A6F: "humidity",
        0x2A1C: "temperature measurement", 0x2A4A: "HID information", 0x2A4B: "report map", 0x2A4D: "report",
    ]

    init(_ profile: SketchProfile) {
        var all: [(uuid: BLEUUID, name: String)] = []
        func add(_ uuid: BLEUUID, _ name: String) {
            guard !all.contains(where: { $0.uuid == uuid }) else { return }
            if let short = uuid.uint16 {
                all.append((uuid, Self.assigned[short] ?? uuid.description))
                return
            }
            var (unique, number) = (name, 1)
            while all.contains(where: { $0.name == unique }) {
                number += 1
                unique = "\(name)\(number)"
            }
            all.append((uuid, unique))
        }
        for uuid in profile.advertised { add(uuid, "service") }
        for service in profile.services ?? [] {
            add(service.uuid, "service")
            for characteristic in service.characteristics {
                let properties = characteristic.properties
                let isWritable = !properties.isDisjoint(with: [.write, .writeWithoutResponse])
                let isSent = !properties.isDisjoint(with: [.notify, .indicate])
                add(characteristic.uuid, isSent && !isWritable ? "output" : isWritable && !isSent ? "input" : "value")
            }
        }
        self.all = all
    }

    func name(of uuid: BLEUUID) -> String { all.first { $0.uuid == uuid }?.name ?? uuid.description }
}
