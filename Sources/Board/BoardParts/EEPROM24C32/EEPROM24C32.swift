import MonotonicTime

/// Memory of 4 KB that is kept without power, as on modules with a DS3231.
final class EEPROM24C32: I2CPart {
    static let kind = PartKind(
        name: "24c32", summary: "EEPROM of 4 KB, kept without power",
        source: "Atmel, AT24C32, 0336K, sections device addressing, write and read operations",
        addresses: [0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
        readings: [PartKind.Reading("contents", .bytes, "its 4096 bytes, 0xFF where nothing was written")],
        limits: [
            "A write cycle takes 5 ms, its longest time at 5 V, and is completed if power goes meanwhile.",
            "There is no write protection pin, and cells do not wear out.",
        ]
    ) { wiring throws(PartFault) in EEPROM24C32(wiring) }

    private static let size = 4096
    private static let page = 32
    private static let writeCycle = Duration.milliseconds(5)

    let address: UInt8
    var quantities: [QuantityCourse] = []

    private var hasPower = true
    private var contents = [UInt8](repeating: 0xFF, count: EEPROM24C32.size)
    /// The address counter: that of the next byte.
    private var counter = 0
    /// The end of the write cycle.
    private var ready = MonotonicInstant.zero

    // The transaction
    private var received = 0
    private var upperAddress: UInt8 = 0
    /// The bytes for cells of a page, which are written after STOP.
    private var pending: [(cell: Int, byte: UInt8)] = []

    init(_ wiring: PartWiring) { address = wiring.address ?? 0x50 }

    func setPower(_ isOn: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) {
        hasPower = isOn
        (counter, received, pending) = (0, 0, [])
    }

    func reading(_ index: Int, at time: MonotonicInstant) -> PartReading { .bytes(contents) }

    func begin(isRead: Bool, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        // A repeated START gives up a write.
        (received, pending) = (0, [])
        return hasPower && time >= ready
    }

    func write(_ byte: UInt8, at time: MonotonicInstant, _ effects: inout PartEffects) -> Bool {
        guard hasPower, time >= ready else { return false }
        received = min(received + 1, 3)
        switch received {
        case 1: upperAddress = byte
        case 2: counter = (Int(upperAddress) << 8 | Int(byte)) % Self.size
        default:
            // A page begins again after its last cell; later bytes replace earlier ones.
            if pending.count == Self.page { pending.removeFirst() }
            pending.append((counter, byte))
            counter = counter / Self.page * Self.page + (counter + 1) % Self.page
        }
        return true
    }

    func read(at time: MonotonicInstant, _ effects: inout PartEffects) -> UInt8 {
        guard hasPower, time >= ready else { return 0xFF }
        defer { counter = (counter + 1) % Self.size }
        return contents[counter]
    }

    func stop(at time: MonotonicInstant, _ effects: inout PartEffects) {
        guard hasPower, !pending.isEmpty else { return }
        for (cell, byte) in pending { contents[cell] = byte }
        pending = []
        ready = time.advanced(by: Self.writeCycle)
        effects.change(0)
    }
}
