import BoardParts
import MonotonicTime
import Testing

/// A 1-Wire master with the time slots of the Arduino library OneWire 2.3, and the sensors on its line.
private final class OneWireBus {
    var sensors: [PartTrial]
    var time = 1000.0

    init(_ sensors: PartTrial...) { self.sensors = sensors }

    /// The line's level: low while anything pulls it low.
    private var isHigh: Bool { sensors.allSatisfy { $0.level(at: time) == .floating } }

    private func drive(_ drive: PinDrive, for microseconds: Double) {
        for index in sensors.indices { sensors[index].drive(drive, at: time) }
        time += microseconds
    }

    /// A reset; returns the presence of a sensor.
    func reset(low: Double = 480) -> Bool {
        drive(.low, for: low)
        drive(.floating, for: 70)
        defer { time += 410 }
        return !isHigh
    }

    func write(bit: Bool) {
        drive(.low, for: bit ? 10 : 65)
        drive(.high, for: bit ? 55 : 5)
    }

    func readBit() -> Bool {
        drive(.low, for: 3)
        drive(.floating, for: 10)
        defer { time += 53 }
        return isHigh
    }

    func write(_ bytes: [UInt8]) {
        for byte in bytes {
            for bit in 0..<8 { write(bit: byte >> bit & 1 == 1) }
        }
    }

    func read(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in (0..<8).reduce(0) { byte, bit in readBit() ? byte | 1 << bit : byte } }
    }

    /// Resets, writes, and reads.
    func exchange(_ bytes: [UInt8], reading count: Int = 0) -> [UInt8] {
        guard reset() else { return [] }
        write(bytes)
        return read(count)
    }

    /// Converts on all sensors; returns the time until the first 1 in milliseconds.
    func convert() -> Double {
        _ = exchange([0xCC, 0x44])
        let start = time
        while !readBit(), time < start + 1_000_000 { time += 34 }
        return (time - start) / 1000
    }

    /// All ROMs, by the search of Maxim's application note 187.
    func search(_ command: UInt8 = 0xF0) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var last: [UInt8] = Array(repeating: 0, count: 8)
        var lastDiscrepancy = -1
        repeat {
            guard reset() else { return found }
            write([command])
            var rom: [UInt8] = Array(repeating: 0, count: 8)
            var discrepancy = -1
            for index in 0..<64 {
                let (bit, complement) = (readBit(), readBit())
                if bit && complement { return found }
                var direction = bit
                if !bit && !complement {
                    let before = last[index / 8] >> (index % 8) & 1 == 1
                    direction = index == lastDiscrepancy || (index < lastDiscrepancy && before)
                    if !direction { discrepancy = index }
                }
                if direction { rom[index / 8] |= 1 << (index % 8) }
                write(bit: direction)
            }
            found.append(rom)
            (last, lastDiscrepancy) = (rom, discrepancy)
        } while lastDiscrepancy >= 0 && found.count < 10
        return found
    }
}

@Suite struct DS18B20Tests {
    private func sensor(_ celsius: Double = 20, rom: String = "", seed: UInt64 = 1) throws -> PartTrial {
        var trial = try PartTrial("ds18b20", settings: ["rom": .text(rom)], seed: seed)
        trial.power(true, at: 0)
        trial.set("temperature", celsius, at: 0)
        return trial
    }

    @Test func aResetIsAnsweredByAPresencePulse() throws {
        let bus = OneWireBus(try sensor())
        #expect(bus.reset())
        // 15 µs to 60 µs after the reset, 60 µs to 240 µs long.
        #expect(bus.sensors[0].edges(from: 1480) == ["30 low", "150 floating"])
        #expect(!bus.reset(low: 400), "no reset")
        bus.sensors[0].power(false, at: bus.time)
        #expect(!bus.reset())
    }

    /// The example of the data sheet: the supply came on, 85 °C.
    @Test func theScratchpadIsThatOfADeliveredSensor() throws {
        let bus = OneWireBus(try sensor())
        #expect(
            bus.exchange([0xCC, 0xBE], reading: 10) == [0x50, 0x05, 0x4B, 0x46, 0x7F, 0xFF, 0x0C, 0x10, 0x1C, 0xFF])
        #expect(bus.exchange([0xCC, 0xB4], reading: 1) == [0xFF], "external supply")
        #expect(bus.sensors[0].kind.terminals[0].hasPullUp)
    }

    /// Table 1 of the data sheet.
    @Test(
        arguments: [
            (125, 0x07D0), (85, 0x0550), (25.0625, 0x0191), (10.125, 0x00A2), (0.5, 0x0008), (0, 0x0000),
            (-0.5, 0xFFF8),
            (-10.125, 0xFF5E), (-25.0625, 0xFE6F), (-55, 0xFC90),
        ] as [(Double, UInt16)])
    func theTemperatureIsThatOfTheDataSheet(_ celsius: Double, _ register: UInt16) throws {
        let bus = OneWireBus(try sensor(celsius))
        _ = bus.convert()
        let bytes = bus.exchange([0xCC, 0xBE], reading: 9)
        #expect(UInt16(bytes[1]) << 8 | UInt16(bytes[0]) == register)
        if celsius == 25.0625 { #expect(bytes == [0x91, 0x01, 0x4B, 0x46, 0x7F, 0xFF, 0x0F, 0x10, 0x25]) }
    }

    @Test(
        arguments: [
            (9, 0x1F, 93.75, 0x0198), (10, 0x3F, 187.5, 0x019C), (11, 0x5F, 375, 0x019E), (12, 0x7F, 750, 0x019F),
        ]
            as [(Double, UInt8, Double, UInt16)])
    func theResolutionDecidesTheTime(
        _ bits: Double, _ configuration: UInt8, _ milliseconds: Double, _ register: UInt16
    ) throws {
        let bus = OneWireBus(try sensor(25.9375))
        // Bits 0 to 4 and 7 of the configuration cannot be written.
        _ = bus.exchange([0xCC, 0x4E, 0x4B, 0x46, configuration ^ 0x9F])
        #expect(bus.sensors[0].number("resolution") == bits)
        #expect(bus.sensors[0].takeChanges() == (bits == 12 ? [] : [0]))
        let time = bus.convert()
        #expect(time >= milliseconds && time < milliseconds + 0.3)
        let bytes = bus.exchange([0xCC, 0xBE], reading: 5)
        #expect(UInt16(bytes[1]) << 8 | UInt16(bytes[0]) == register && bytes[4] == configuration)
    }

    @Test func aConversionTakesTheTemperatureOfItsEnd() throws {
        let bus = OneWireBus(try sensor(20))
        _ = bus.exchange([0xCC, 0x44])
        let end = bus.time + 750_000
        #expect(bus.exchange([0xCC, 0xBE], reading: 2) == [0x50, 0x05], "the value of before")
        bus.sensors[0].set("temperature", 30, at: end - 1000)
        bus.sensors[0].set("temperature", 40, at: end + 1000)
        bus.time = end + 2000
        #expect(bus.exchange([0xCC, 0xBE], reading: 2) == [0xE0, 0x01])
    }

    @Test func theEEPROMKeepsWhatIsCopied() throws {
        let bus = OneWireBus(try sensor())
        _ = bus.exchange([0xCC, 0x4E, 0x20, 0xF6, 0x3F])
        #expect(bus.exchange([0xCC, 0xB8], reading: 1) == [0xFF])
        #expect(bus.exchange([0xCC, 0xBE], reading: 5).suffix(3) == [0x4B, 0x46, 0x7F])
        _ = bus.exchange([0xCC, 0x4E, 0x20, 0xF6, 0x3F])
        #expect(bus.exchange([0xCC, 0x48], reading: 1) == [0x00], "it copies")
        bus.time += 10_000
        #expect(bus.read(1) == [0xFF])
        _ = bus.exchange([0xCC, 0x4E, 0x00, 0x00, 0x7F])
        bus.sensors[0].power(false, at: bus.time)
        bus.sensors[0].power(true, at: bus.time + 1)
        bus.time += 1000
        #expect(bus.exchange([0xCC, 0xBE], reading: 5) == [0x50, 0x05, 0x20, 0xF6, 0x3F])
    }

    @Test func theROMOfTheSeedHasTheFamilyAndItsCRC() throws {
        let bus = OneWireBus(try sensor(seed: 7))
        let rom = bus.exchange([0x33], reading: 8)
        #expect(rom[0] == 0x28 && rom[5...6] == [0, 0])
        // A function follows without another ROM command.
        bus.write([0xBE])
        #expect(bus.read(2) == [0x50, 0x05])
        let text = rom.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let same = OneWireBus(try sensor(rom: text))
        #expect(same.exchange([0x33], reading: 8) == rom)
        let other = OneWireBus(try sensor(seed: 8))
        #expect(other.exchange([0x33], reading: 8) != rom)
    }

    /// The ROM of Maxim's application note 27 has the CRC A2.
    @Test(arguments: [
        ("021CB801000000A3", "rom: the CRC at the end of 021CB801000000A3 is wrong: expected A2"),
        ("021CB801000000A2", "rom: expected the family 28, of the DS18B20"),
        ("28", "rom: expected 16 hexadecimal digits, the family first; got \"28\""),
        ("28FF641E0F7706CG", "rom: expected 16 hexadecimal digits, the family first; got \"28FF641E0F7706CG\""),
    ])
    func aWrongROMIsAFault(_ rom: String, _ fault: String) {
        #expect(throws: PartFault(fault)) { try sensor(rom: rom) }
    }

    @Test func aSearchFindsAllSensorsOnALine() throws {
        let bus = OneWireBus(try sensor(10, seed: 1), try sensor(20, seed: 2), try sensor(30, seed: 3))
        let found = bus.search()
        #expect(found.count == 3 && Set(found).count == 3)
        _ = bus.convert()
        var temperatures: Set<UInt8> = []
        for rom in found {
            let bytes = bus.exchange([0x55] + rom + [0xBE], reading: 9)
            #expect(bytes[1] < 2)
            temperatures.insert((bytes[1] << 4) | (bytes[0] >> 4))
        }
        #expect(temperatures == [10, 20, 30])
        // A ROM that none has: all are silent.
        #expect(bus.exchange([0x55, 0x28, 1, 2, 3, 4, 5, 6, 7, 0xBE], reading: 2) == [0xFF, 0xFF])
        // After a search that ends at a sensor, it takes a function.
        #expect(bus.search() == found)
        bus.write([0xBE])
        #expect(bus.read(9).last != 0xFF)
    }

    @Test(arguments: [(29.9375, false), (30, true), (20.9375, true), (-10, true), (21, false)] as [(Double, Bool)])
    func anAlarmSearchFindsSensorsOutsideTheirLimits(_ celsius: Double, _ isAlarmed: Bool) throws {
        let bus = OneWireBus(try sensor(celsius), try sensor(25, seed: 2))
        // TH 30 °C, TL 20 °C: whole degrees are compared.
        _ = bus.exchange([0xCC, 0x4E, 30, 20, 0x7F])
        #expect(bus.search(0xEC).isEmpty)
        _ = bus.convert()
        #expect(bus.search(0xEC).count == (isAlarmed ? 1 : 0))
        #expect(bus.sensors[0].reading("alarm") == .word(isAlarmed ? "on" : "off"))
    }

    @Test func limitsBelowZeroAreSigned() throws {
        let bus = OneWireBus(try sensor(-9))
        _ = bus.exchange([0xCC, 0x4E, 0xFB, 0xF6, 0x7F])
        _ = bus.convert()
        #expect(bus.search(0xEC).isEmpty, "-9 °C is between -10 °C and -5 °C")
        for celsius in [-10.0, -5] {
            bus.sensors[0].set("temperature", celsius, at: bus.time)
            _ = bus.convert()
            #expect(bus.search(0xEC).count == 1)
        }
    }
}
