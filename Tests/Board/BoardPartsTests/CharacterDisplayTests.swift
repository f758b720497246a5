import BoardParts
import Testing

/// Instructions and times of Hitachi's data sheet HD44780U, ADE-207-272(Z), revision 0.0, and the expander PCF8574.
struct CharacterDisplayTests {
    /// The nibble on P4 to P7 with an enable pulse; `control`: RS on P0, the backlight on P3.
    private func send(_ bus: I2CMaster, _ nibble: UInt8, control: UInt8 = 8) {
        bus.write(nibble << 4 | control | 4, nibble << 4 | control)
    }

    private func instruct(_ bus: I2CMaster, _ byte: UInt8, control: UInt8 = 8, wait: Duration = .milliseconds(2)) {
        send(bus, byte >> 4, control: control)
        send(bus, byte & 0xF, control: control)
        bus.wait(wait)
    }

    private func print(_ bus: I2CMaster, _ text: String) {
        for byte in text.utf8 { instruct(bus, byte, control: 9, wait: .microseconds(50)) }
        bus.wait(.milliseconds(12))
    }

    /// A display after the initialisation of figure 24.
    private func display(_ name: String = "lcd1602", function: UInt8 = 0x28) throws -> I2CMaster {
        let bus = try I2CMaster(name)
        bus.wait(.milliseconds(15))
        for nibble: UInt8 in [3, 3, 3, 2] {
            send(bus, nibble)
            bus.wait(.milliseconds(5))
        }
        for byte in [function, 0x0C, 0x01, 0x06] { instruct(bus, byte) }
        bus.wait(.milliseconds(12))
        return bus
    }

    private func text(_ bus: I2CMaster, _ reading: String = "text") throws -> String {
        guard case .text(let text) = try bus.reading(reading) else { throw PartFault("no text") }
        return text
    }

    @Test func charactersAreOnTheirLines() throws {
        let bus = try display("lcd2004")
        for (address, line) in [(0x00, "one"), (0x40, "two"), (0x14, "three"), (0x54, "four")] {
            instruct(bus, 0x80 | UInt8(address))
            print(bus, line)
        }
        #expect(try text(bus) == "one\ntwo\nthree\nfour")
        #expect(try text(bus, "line3") == "three")
        #expect(bus.faults.isEmpty)
    }

    /// Figure 4: the first line's 40 characters are followed by the second line, whose end by the first.
    @Test func theAddressCounterPassesFromLineToLine() throws {
        let bus = try display()
        instruct(bus, 0x80 | 0x27)
        print(bus, "xA")
        instruct(bus, 0x80 | 0x67)
        print(bus, "yB")
        #expect(try text(bus) == "B\nA")
        instruct(bus, 0x04)
        instruct(bus, 0x80 | 0x40)
        print(bus, "Cz")
        for _ in 0..<24 { instruct(bus, 0x18) }
        #expect(try text(bus) == "               z\n               y")
    }

    @Test func theDisplayShiftsAndReturnsHome() throws {
        let bus = try display()
        print(bus, "Hello")
        instruct(bus, 0x1C)
        #expect(try text(bus) == " Hello")
        instruct(bus, 0x18)
        instruct(bus, 0x18)
        #expect(try text(bus) == "ello")
        instruct(bus, 0x02)
        #expect(try text(bus) == "Hello")
        instruct(bus, 0x07)
        print(bus, "J")
        #expect(try text(bus) == "ello")
        instruct(bus, 0x01)
        print(bus, "new")
        #expect(try text(bus).isEmpty)
    }

    @Test func theDisplayIsOffAfterPowerOnAndShowsOneLineByDefault() throws {
        let bus = try display(function: 0x20)
        print(bus, "up")
        instruct(bus, 0x80 | 0x40)
        print(bus, "down")
        #expect(try text(bus) == "up")
        instruct(bus, 0x08)
        #expect(try text(bus).isEmpty)
        let fresh = try I2CMaster("lcd1602")
        fresh.wait(.milliseconds(20))
        #expect(try text(fresh).isEmpty)
    }

    /// Table 4, ROM A00, and the memory for eight characters of the program.
    @Test func charactersAreThoseOfTheROM() throws {
        let bus = try display()
        instruct(bus, 0x40 | 2 << 3)
        for row: UInt8 in 0..<8 { instruct(bus, row, control: 9) }
        instruct(bus, 0x80)
        for byte: UInt8 in [2, 0x0A, 0x41, 0x5C, 0x7E, 0xB1, 0xDF, 0xE4, 0xF4, 0xFF] { instruct(bus, byte, control: 9) }
        #expect(try text(bus) == "②②A¥→ｱ°μΩ█")
    }

    @Test func aByteThatComesTooEarlyIsLost() throws {
        let bus = try display()
        instruct(bus, 0x01, wait: .microseconds(100))
        instruct(bus, 0x41, control: 9)
        #expect(bus.faults.count == 1 && bus.faults[0].hasPrefix("hd44780: a byte came "), "\(bus.faults)")
        print(bus, "B")
        #expect(try text(bus) == "B")
        #expect(bus.faults.count == 1)
        instruct(bus, 0x80 | 0x30)
        #expect(bus.faults.last == "hd44780: there is no character at address 0x30")
    }

    @Test func busyFlagAddressAndDataAreRead() throws {
        let bus = try display()
        print(bus, "AZ")
        func read(isData: Bool) -> UInt8 {
            let control: UInt8 = isData ? 0xFB : 0xFA
            let halves = (0..<2).map { _ -> UInt8 in
                bus.write(control, control | 4)
                defer { bus.write(control) }
                return bus.read(1)?[0] ?? 0
            }
            bus.write(0x08)
            return halves[0] & 0xF0 | halves[1] >> 4
        }
        #expect(read(isData: false) == 2)
        instruct(bus, 0x80 | 1)
        #expect(read(isData: true) == 0x5A)
        bus.wait(.milliseconds(1))
        #expect(read(isData: false) == 2)
        instruct(bus, 0x01, wait: .microseconds(50))
        #expect(read(isData: false) & 0x80 != 0)
        bus.wait(.milliseconds(2))
        #expect(read(isData: false) == 0)
        // The inputs are pulled up, but for the one at the transistor of the backlight.
        bus.write(0xFB)
        #expect(bus.read(1) == [0xF3])
    }

    @Test func theBacklightFollowsItsBit() throws {
        let bus = try display()
        #expect(try bus.reading("backlight") == .word("on"))
        bus.write(0)
        #expect(try bus.reading("backlight") == .word("off"))
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(!bus.write(8))
    }

    /// A board that restarts finds the display as it was: the sequence leads to four bits from every state.
    @Test(arguments: [[], [0x4], [0x2, 0x8], [0x8]] as [[UInt8]])
    func theInitialisationWorksFromEveryState(_ nibbles: [UInt8]) throws {
        let bus = try display()
        print(bus, "old")
        for nibble in nibbles {
            send(bus, nibble, control: 8)
            bus.wait(.milliseconds(5))
        }
        for nibble: UInt8 in [3, 3, 3, 2] {
            send(bus, nibble)
            bus.wait(.milliseconds(5))
        }
        for byte: UInt8 in [0x28, 0x0C, 0x01, 0x06] { instruct(bus, byte) }
        print(bus, "new")
        #expect(try text(bus) == "new")
    }

    @Test func sixPinsAreReadAtTheEndOfTheEnablePulse() throws {
        let pins = ["rs": [4], "e": [5], "d4": [12], "d5": [13], "d6": [14], "d7": [15]]
        var trial = try PartTrial("lcd1602-parallel", pins: pins)
        trial.power(true, at: 0)
        var time = 20_000.0
        func send(_ nibble: UInt8, isData: Bool, _ trial: inout PartTrial) {
            trial.drive(isData ? .high : .low, terminal: 0, at: time)
            for bit in 0..<4 { trial.drive(nibble >> UInt8(bit) & 1 == 1 ? .high : .low, terminal: 2 + bit, at: time) }
            trial.drive(.high, terminal: 1, at: time)
            trial.drive(.low, terminal: 1, at: time + 1)
            time += 5000
        }
        for nibble: UInt8 in [3, 3, 3, 2, 2, 8, 0, 0xC, 0, 1] { send(nibble, isData: false, &trial) }
        for nibble: UInt8 in [4, 8, 6, 9] { send(nibble, isData: true, &trial) }
        trial.run(to: time + 20_000)
        #expect(trial.reading("text") == .text("Hi"))
        #expect(trial.takeChanges() == [0, 1, 2] && trial.faults.isEmpty)
    }
}
