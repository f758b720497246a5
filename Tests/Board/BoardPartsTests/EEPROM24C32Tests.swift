import BoardParts
import Testing

/// Operations of Atmel's data sheet AT24C32.
struct EEPROM24C32Tests {
    /// Reads from an address, with a repeated START.
    private func read(_ bus: I2CMaster, _ address: Int, _ count: Int) -> [UInt8]? {
        bus.write([UInt8(address >> 8), UInt8(address & 0xFF)], stop: false) ? bus.read(count) : nil
    }

    private func write(_ bus: I2CMaster, _ address: Int, _ bytes: [UInt8]) -> Bool {
        bus.write([UInt8(address >> 8), UInt8(address & 0xFF)] + bytes)
    }

    @Test func bytesStayWithoutPower() throws {
        let bus = try I2CMaster("24c32", address: 0x57)
        #expect(bus.part.address == 0x57)
        #expect(read(bus, 0x123, 2) == [0xFF, 0xFF])
        #expect(write(bus, 0x123, [0xAB, 0xCD]))
        bus.wait(.milliseconds(5))
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(read(bus, 0x123, 2) == nil)
        bus.perform { bus.part.setPower(true, at: bus.now, &$0) }
        #expect(read(bus, 0x122, 4) == [0xFF, 0xAB, 0xCD, 0xFF])
        #expect(bus.read(1) == [0xFF], "the counter went on to 0x126")
        #expect(read(bus, 0x1123, 1) == [0xAB], "the upper four bits do not matter")
    }

    @Test func duringAWriteCycleItDoesNotAcknowledge() throws {
        let bus = try I2CMaster("24c32")
        #expect(write(bus, 0, [1]))
        bus.wait(.microseconds(4_990))
        #expect(!bus.write([]))
        bus.wait(.microseconds(10))
        #expect(bus.write([]))
        #expect(read(bus, 0, 1) == [1])
    }

    @Test func aPageBeginsAgainAfterItsEnd() throws {
        let bus = try I2CMaster("24c32")
        #expect(write(bus, 0x3E, [1, 2, 3, 4]))
        bus.wait(.milliseconds(5))
        #expect(read(bus, 0x20, 3) == [3, 4, 0xFF])
        #expect(read(bus, 0x3E, 3) == [1, 2, 0xFF])
        #expect(write(bus, 0x40, (0..<34).map { UInt8($0) }))
        bus.wait(.milliseconds(5))
        #expect(read(bus, 0x40, 3) == [32, 33, 2])
    }

    @Test func readsGoOnAtTheBeginning() throws {
        let bus = try I2CMaster("24c32")
        #expect(write(bus, 0, [7]))
        bus.wait(.milliseconds(5))
        #expect(write(bus, 0xFFF, [9]))
        bus.wait(.milliseconds(5))
        #expect(read(bus, 0xFFF, 2) == [9, 7])
    }

    /// Only a STOP begins the write cycle.
    @Test func aRepeatedStartGivesUpTheWrite() throws {
        let bus = try I2CMaster("24c32")
        bus.write([0, 0, 5], stop: false)
        #expect(read(bus, 0, 1) == [0xFF])
        guard case .bytes(let contents) = try bus.reading("contents") else { throw PartFault("no bytes") }
        #expect(contents == Array(repeating: 0xFF, count: 4096))
    }

    /// 4096 bytes in an event would be unreadable.
    @Test func equalBytesAreWrittenOnce() throws {
        let bus = try I2CMaster("24c32")
        #expect(write(bus, 2, [1, 1, 2]))
        #expect(try bus.reading("contents").text(.bytes) == "FF FF 01 01 02 FF × 4091")
        func text(_ bytes: [UInt8]) -> String { PartReading.bytes(bytes).text(.bytes) }
        #expect(text([]) == "" && text([0xA]) == "0A")
        #expect(text(Array(repeating: 0, count: 7)) == "00 00 00 00 00 00 00")
        #expect(text(Array(repeating: 0, count: 8) + [0, 3]) == "00 × 9 03")
    }
}
