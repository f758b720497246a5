import BoardParts
import Testing

/// Commands and pictures of Solomon Systech's data sheet SSD1306, revision 1.1.
struct SSD1306Tests {
    private static let white: UInt32 = 0xFFFFFF

    /// The commands of Adafruit's driver for 128 x 64 and 128 x 32, in horizontal addressing mode.
    private func display(height: Int = 64, isOn: Bool = true) throws -> I2CMaster {
        let bus = try I2CMaster("ssd1306", settings: ["height": .text("\(height)")])
        bus.write(
            0x00, 0xAE, 0xD5, 0x80, 0xA8, UInt8(height - 1), 0xD3, 0x00, 0x40, 0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8, 0xDA,
            height == 64 ? 0x12 : 0x02, 0x81, 0xCF, 0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6, 0x2E)
        if isOn { bus.write(0x00, 0xAF) }
        #expect(bus.faults.isEmpty)
        return bus
    }

    private func picture(_ bus: I2CMaster) throws -> PartPicture {
        guard case .picture(let picture) = try bus.reading() else { throw PartFault("no picture") }
        return picture
    }

    /// The lit pixels as x and y, by rows.
    private func lit(_ bus: I2CMaster) throws -> [[Int]] {
        let picture = try picture(bus)
        return picture.pixels.indices.filter { picture.pixels[$0] == Self.white }.map {
            [$0 % picture.width, $0 / picture.width]
        }
    }

    @Test func theFirstByteIsAtTheTopLeft() throws {
        let bus = try display()
        #expect(try lit(bus).isEmpty)
        bus.write(0x00, 0x21, 0, 127, 0x22, 0, 0xFF)
        bus.write(0x40, 0x81, 0x01)
        #expect(try lit(bus) == [[0, 0], [1, 0], [0, 7]])
        #expect(try picture(bus).width == 128 && picture(bus).height == 64)
    }

    @Test func aPanelOf32Rows() throws {
        let bus = try display(height: 32)
        bus.write(0x00, 0x21, 127, 127, 0x22, 0, 3)
        bus.write(0x40, 0x01, 0, 0, 0x80)
        #expect(try lit(bus) == [[127, 0], [127, 31]])
        #expect(try picture(bus).height == 32)
    }

    /// 8.1.5.2: after a control byte with Co, one byte and the next control byte follow.
    @Test func controlBytesSeparateCommandsAndData() throws {
        let bus = try display()
        bus.write(0x80, 0xB1, 0x80, 0x20, 0x80, 0x02, 0xC0, 0x01, 0x80, 0x10, 0x40, 0x01, 0x01)
        #expect(try lit(bus) == [[0, 8], [1, 8], [2, 8]])
        bus.write(0x03, 0xAF)
        #expect(bus.faults == ["ssd1306: control byte 0x03, expected 0x00, 0x40, 0x80 or 0xC0"])
    }

    @Test func argumentsMayComeInAnotherTransaction() throws {
        let bus = try display()
        bus.write(0x00, 0x81)
        bus.write(0x00, 0xAE)
        #expect(try bus.reading("contrast") == .number(0xAE))
        #expect(try bus.reading("power") == .word("on"))
    }

    /// 10.1.3: figures 10-1 to 10-4.
    @Test func addressingModes() throws {
        let bus = try display()
        bus.write(0x00, 0x20, 1, 0x21, 2, 3, 0x22, 5, 6)
        bus.write(0x40, 1, 2, 4, 8, 0x10)
        #expect(try lit(bus) == [[3, 42], [2, 44], [2, 49], [3, 51]], "vertical, and the first column again")
        bus.write(0x00, 0x20, 2, 0xB0, 0x17, 0x0F)
        bus.write(0x40, 1, 1)
        #expect(try lit(bus).prefix(2) == [[0, 0], [127, 0]], "a page begins again")
        bus.write(0x00, 0x20, 0, 0x21, 126, 127, 0x22, 0, 1)
        bus.write(0x40, 0, 1, 0, 2, 0, 4)
        #expect(try lit(bus).prefix(3) == [[0, 0], [127, 2], [127, 9]], "horizontal, and the first page again")
    }

    @Test func theWholeMemoryFillsThePanel() throws {
        for height in [32, 64] {
            let bus = try display(height: height)
            bus.write(0x00, 0x21, 0, 127, 0x22, 0, UInt8(height / 8 - 1))
            for _ in 0..<height * 4 { bus.write(0x40, 0xFF, 0xFF, 0xFF, 0xFF) }
            #expect(try lit(bus).count == 128 * height)
        }
    }

    @Test func offAllOnAndInverse() throws {
        let bus = try display(isOn: false)
        bus.write(0x40, 0x01)
        #expect(try lit(bus).isEmpty)
        #expect(try bus.reading("power") == .word("off"))
        #expect(bus.read(1) == [0x43])
        bus.write(0x00, 0xAF)
        #expect(try lit(bus) == [[0, 0]])
        #expect(bus.read(1) == [0x03])
        bus.write(0x00, 0xA7)
        #expect(try lit(bus).count == 128 * 64 - 1)
        bus.write(0x00, 0xA5)
        #expect(try lit(bus).count == 128 * 64)
        bus.write(0x00, 0xA4, 0xA6)
        #expect(try lit(bus) == [[0, 0]])
    }

    /// Tables 10-1 and 10-2, with one lit row: RAM8.
    @Test(arguments: [
        // multiplex, scan, offset, start line, the line from the top
        (0x3F, 0xC8, 0, 0, 8), (0x3F, 0xC8, 0, 8, 0), (0x3F, 0xC8, 8, 0, 0), (0x3F, 0xC0, 0, 0, 55),
        (0x3F, 0xC0, 8, 0, 63), (0x3F, 0xC0, 0, 9, 0), (0x2F, 0xC8, 0, 0, 24), (0x2F, 0xC8, 8, 0, 16),
        (0x07 + 8, 0xC0, 0, 0, 55),
    ])
    func linesOfThePanel(_ multiplex: Int, _ scan: Int, _ offset: Int, _ start: Int, _ line: Int) throws {
        let bus = try display()
        bus.write(0x00, 0x21, 0, 127, 0x22, 1, 7)
        bus.write(0x40, 0x01)
        bus.write(0x00, 0xA8, UInt8(multiplex), UInt8(scan), 0xD3, UInt8(offset), 0x40 | UInt8(start))
        #expect(try lit(bus) == [[0, line]])
    }

    /// 10.1.8: it acts on what is written after it, whereas the scan direction turns the picture at once.
    @Test func segmentRemap() throws {
        let bus = try display()
        bus.write(0x40, 0x01)
        bus.write(0x00, 0xA0)
        #expect(try lit(bus) == [[0, 0]])
        bus.write(0x40, 0x01)
        #expect(try lit(bus) == [[0, 0], [126, 0]])
        bus.write(0x00, 0xC0)
        #expect(try lit(bus) == [[0, 63], [126, 63]])
    }

    /// The well-known fault of a sketch for the other panel: 0xDA 0x02 on 64 rows gives every other line.
    @Test func wrongWiringOfTheRowsIsVisible() throws {
        let bus = try display()
        bus.write(0x40, 0x03)
        bus.write(0x00, 0xDA, 0x02)
        #expect(try lit(bus) == [[0, 0], [0, 2]])
        bus.write(0x00, 0xDA, 0x32)
        #expect(try lit(bus) == [[0, 0], [0, 1]], "left and right exchange the lines of a pair")
        bus.write(0x00, 0xDA, 0x12)
        bus.write(0x00, 0x21, 0, 0)
        bus.write(0x40, 0x04)
        #expect(try lit(bus) == [[0, 2]])
        bus.write(0x00, 0xDA, 0x32)
        #expect(try lit(bus) == [[0, 3]])
    }

    @Test func unknownCommandsAreFaults() throws {
        let bus = try display()
        bus.write(0x00, 0xE5)
        bus.write(0x00, 0x21, 5, 4)
        bus.write(0x00, 0xA8, 3)
        #expect(
            bus.faults == [
                "ssd1306: there is no command 0xE5", "ssd1306: columns 5 to 4, expected a start before the end",
                "ssd1306: multiplex ratio 3, expected 15...63",
            ])
    }

    @Test func powerOffForgetsThePicture() throws {
        let bus = try display()
        bus.write(0x40, 0xFF)
        bus.perform { bus.part.setPower(false, at: bus.now, &$0) }
        #expect(!bus.write(0x00, 0xAF))
        bus.perform { bus.part.setPower(true, at: bus.now, &$0) }
        #expect(bus.write(0x00, 0xAF))
        #expect(try lit(bus).isEmpty)
    }
}
