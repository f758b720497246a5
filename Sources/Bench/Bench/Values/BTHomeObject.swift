/// A kind of object in BTHome version 2 (bthome.io/format).
struct BTHomeObject: Sendable {
    let name: String
    /// The number of bytes.
    let count: Int
    let isSigned: Bool
    /// The number of decimals; the value is sent as a multiple of the last one.
    let decimals: Int
    /// True if it is true or false.
    let isBinary: Bool

    private init(_ name: String, _ count: Int, _ decimals: Int = 0, isSigned: Bool = false, isBinary: Bool = false) {
        self.name = name
        self.count = count
        self.isSigned = isSigned
        self.decimals = decimals
        self.isBinary = isBinary
    }

    /// A value with its decimals: exact, unlike a binary fraction.
    func text(_ value: Int64) -> String {
        guard decimals > 0 else { return "\(value)" }
        let digits = "\(value.magnitude)"
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    /// Every kind with a fixed size, by identifier.
    static let all: [UInt8: BTHomeObject] = {
        var all: [UInt8: BTHomeObject] = [:]
        for (id, object) in numbers { all[id] = object }
        for (offset, name) in binary.enumerated() where !name.isEmpty {
            all[UInt8(0x0F + offset)] = BTHomeObject(name, 1, isBinary: true)
        }
        return all
    }()

    /// The true or false values from 0x0F on; an empty name: a number.
    private static let binary: [String] = [
        "generic", "power on", "opening", "", "", "", "battery low", "battery charging", "carbon monoxide", "cold",
        "connectivity", "door", "garage door", "gas detected", "heat", "light", "lock", "moisture detected", "motion",
        "moving", "occupancy", "plug", "presence", "problem", "running", "safety", "smoke", "sound", "tamper",
        "vibration", "window",
    ]

    private static let numbers: [(UInt8, BTHomeObject)] = [
        (0x00, BTHomeObject("packet id", 1)), (0x01, BTHomeObject("battery", 1)),
        (0x02, BTHomeObject("temperature", 2, 2, isSigned: true)), (0x03, BTHomeObject("humidity", 2, 2)),
        (0x04, BTHomeObject("pressure", 3, 2)), (0x05, BTHomeObject("illuminance", 3, 2)),
        (0x06, BTHomeObject("mass kg", 2, 2)), (0x07, BTHomeObject("mass lb", 2, 2)),
        (0x08, BTHomeObject("dew point", 2, 2, isSigned: true)), (0x09, BTHomeObject("count", 1)),
        (0x0A, BTHomeObject("energy", 3, 3)), (0x0B, BTHomeObject("power", 3, 2)),
        (0x0C, BTHomeObject("voltage", 2, 3)), (0x0D, BTHomeObject("pm2.5", 2)), (0x0E, BTHomeObject("pm10", 2)),
        (0x12, BTHomeObject("co2", 2)), (0x13, BTHomeObject("tvoc", 2)), (0x14, BTHomeObject("moisture", 2, 2)),
        (0x2E, BTHomeObject("humidity", 1)), (0x2F, BTHomeObject("moisture", 1)), (0x3A, BTHomeObject("button", 1)),
        (0x3C, BTHomeObject("dimmer", 2)), (0x3D, BTHomeObject("count", 2)), (0x3E, BTHomeObject("count", 4)),
        (0x3F, BTHomeObject("rotation", 2, 1, isSigned: true)), (0x40, BTHomeObject("distance mm", 2)),
        (0x41, BTHomeObject("distance m", 2, 1)), (0x42, BTHomeObject("duration", 3, 3)),
        (0x43, BTHomeObject("current", 2, 3)), (0x44, BTHomeObject("speed", 2, 2)),
        (0x45, BTHomeObject("temperature", 2, 1, isSigned: true)), (0x46, BTHomeObject("uv index", 1, 1)),
        (0x47, BTHomeObject("volume", 2, 1)), (0x48, BTHomeObject("volume ml", 2)),
        (0x49, BTHomeObject("volume flow rate", 2, 3)), (0x4A, BTHomeObject("voltage", 2, 1)),
        (0x4B, BTHomeObject("gas", 3, 3)), (0x4C, BTHomeObject("gas", 4, 3)), (0x4D, BTHomeObject("energy", 4, 3)),
        (0x4E, BTHomeObject("volume", 4, 3)), (0x4F, BTHomeObject("water", 4, 3)),
        (0x50, BTHomeObject("timestamp", 4)), (0x51, BTHomeObject("acceleration", 2, 3)),
        (0x52, BTHomeObject("gyroscope", 2, 3)), (0x55, BTHomeObject("volume storage", 4, 3)),
        (0x56, BTHomeObject("conductivity", 2)), (0x57, BTHomeObject("temperature", 1, isSigned: true)),
        (0x59, BTHomeObject("count", 1, isSigned: true)), (0x5A, BTHomeObject("count", 2, isSigned: true)),
        (0x5B, BTHomeObject("count", 4, isSigned: true)), (0x5C, BTHomeObject("power", 4, 2, isSigned: true)),
        (0x5D, BTHomeObject("current", 2, 3, isSigned: true)), (0xF0, BTHomeObject("device type id", 2)),
        (0xF1, BTHomeObject("firmware version", 4)), (0xF2, BTHomeObject("firmware version", 3)),
    ]
}
