import SerialPort
import Testing

import SerialUSB

/// The requests of the drivers, byte for byte.
@Suite struct BridgeDriverTests {
    /// AN571: 00 IFC_ENABLE, 03 SET_LINE_CTL, 07 SET_MHS, 12 PURGE, 13 SET_FLOW, 1E SET_BAUDRATE.
    @Test func cp210x() throws {
        var driver = try #require(BridgeTable.driver(for: Devices.cp2102))
        #expect(driver.inquiry.map(wire) == "c0 ff 370b 0000 length 1")
        #expect(
            driver.start.map(wire) == [
                "41 00 0001 0000", "41 03 0800 0000", "41 13 0000 0000 00000000000000008000000080000000",
                "41 07 0300 0000", "41 12 000f 0000",
            ])
        #expect(driver.configure(rate: 115_200)?.map(wire) == ["41 1e 0000 0000 00c20100"])
        #expect(driver.configure(rate: 921_600)?.map(wire) == ["41 1e 0000 0000 00100e00"])
        #expect(
            lineStates.map { wire(driver.setLines($0)) } == ["0300", "0301", "0302", "0303"].map { "41 07 \($0) 0000" })
        #expect(driver.purgeInput.map(wire) == ["41 12 000a 0000"])
        #expect(driver.stop.map(wire) == ["41 00 0000 0000"])
        #expect(driver.interfaces == [0])
        #expect((driver.endpoints.input.address, driver.endpoints.output.address) == (0x82, 0x02))
        // The part decides the highest rate.
        #expect(driver.configure(rate: 3_000_000) == nil)
        driver.learn([0x20])
        #expect(driver.name == "CP2102N")
        #expect(driver.traits == PortTraits(highestBaudRate: 3_000_000))
        #expect(driver.configure(rate: 3_000_000)?.map(wire) == ["41 1e 0000 0000 c0c62d00"])
        #expect(driver.configure(rate: 3_000_001) == nil)
        driver.learn([])
        #expect(driver.name == "CP210x")
    }

    @Test func theSecondUARTOfACP2105IsItsInterface1() throws {
        #expect(BridgeTable.interfaces(of: Devices.cp2105) == [0, 1])
        let driver = try #require(BridgeTable.driver(for: Devices.cp2105, interface: 1))
        #expect(driver.interfaces == [1])
        #expect(wire(driver.setLines(lineStates[3])) == "41 07 0303 0001")
        #expect((driver.endpoints.input.address, driver.endpoints.output.address) == (0x83, 0x03))
        #expect(BridgeTable.driver(for: Devices.cp2105, interface: 2) == nil)
    }

    /// 9A 1312 divisor and prescaler; the values for common rates are those that FreeBSD's and Linux' drivers send.
    @Test(arguments: [
        (9600, "b282"), (19_200, "d982"), (57_600, "9883"), (115_200, "cc83"), (230_400, "e683"), (460_800, "f383"),
        (921_600, "f387"), (2_000_000, "fd83"), (1_500_000, "fc83"),
    ])
    func ch340Rates(rate: Int, registers: String) throws {
        let driver = try #require(BridgeTable.driver(for: Devices.ch340))
        #expect(driver.configure(rate: rate)?.map(wire) == ["40 9a 1312 \(registers)", "40 9a 2518 00c3"])
    }

    @Test func ch340() throws {
        var driver = try #require(BridgeTable.driver(for: Devices.ch340))
        #expect(driver.inquiry.map(wire) == "c0 5f 0000 0000 length 2")
        #expect(driver.start.map(wire) == ["40 a1 0000 0000", "40 9a 2518 00c3", "40 a4 ffff 0000"])
        // DTR is bit 5 and RTS bit 6, inverted.
        #expect(
            lineStates.map { wire(driver.setLines($0)) } == ["ffff", "ffdf", "ffbf", "ff9f"].map { "40 a4 \($0) 0000" })
        #expect(driver.traits == PortTraits(highestBaudRate: 2_000_000))
        for rate in [0, -1, 45, 2_000_001, Int.max] { #expect(driver.configure(rate: rate) == nil) }
        // Old chips have neither the register for line control nor the bit for immediate sending.
        driver.learn([0x27, 0])
        #expect(driver.configure(rate: 115_200)?.map(wire) == ["40 9a 1312 cc03"])
        #expect(driver.start.map(wire) == ["40 a1 0000 0000", "40 a4 ffff 0000"])
    }

    @Test func everyRateOfACH340IsWithinThreePercent() throws {
        for rate in stride(from: 46, through: 2_000_000, by: 997) {
            guard let clock = CH34x.Clock(rate: rate) else {
                // Only between the smallest whole divisors.
                #expect(rate > 500_000, "\(rate)")
                continue
            }
            let real = 48_000_000.0 / Double(clock.divisor << (12 - 3 * clock.prescaler - clock.fast))
            #expect(abs(real / Double(rate) - 1) <= 0.03, "\(rate)")
        }
    }

    /// AN232B-05: divisor of 3 MHz in eighths; 00 RESET, 01 MODEM_CTRL, 02 FLOW, 03 BAUD, 04 DATA, 09 LATENCY.
    @Test(arguments: [
        (9600, "4138 0000"), (57_600, "c034 0000"), (115_200, "001a 0000"), (230_400, "000d 0000"),
        (460_800, "4006 0000"), (921_600, "8003 0000"), (3_000_000, "0000 0000"), (2_000_000, "0001 0000"),
        (1_500_000, "0002 0000"), (1_000_000, "0003 0000"), (470_588, "0006 0001"),
    ])
    func ft232rRates(rate: Int, value: String) throws {
        let driver = try #require(BridgeTable.driver(for: Devices.ft232r))
        #expect(driver.configure(rate: rate)?.map(wire) == ["40 03 \(value)"])
    }

    @Test func ft232r() throws {
        let driver = try #require(BridgeTable.driver(for: Devices.ft232r))
        #expect(
            driver.start.map(wire) == [
                "40 00 0000 0000", "40 04 0008 0000", "40 02 0000 0000", "40 09 0001 0000", "40 01 0300 0000",
                "40 00 0001 0000",
            ])
        #expect(
            lineStates.map { wire(driver.setLines($0)) } == ["0300", "0301", "0302", "0303"].map { "40 01 \($0) 0000" })
        #expect(driver.traits == PortTraits(highestBaudRate: 3_000_000))
        for rate in [0, -1, 182, 3_000_001] { #expect(driver.configure(rate: rate) == nil) }
    }

    /// The H chips have a clock of 12 MHz (bit 17), and the port's number in wIndex, counted from 1.
    @Test func ft2232h() throws {
        #expect(BridgeTable.interfaces(of: Devices.ft2232h) == [0, 1])
        let driver = try #require(BridgeTable.driver(for: Devices.ft2232h, interface: 1))
        #expect(driver.name == "FT2232H")
        #expect(driver.configure(rate: 115_200)?.map(wire) == ["40 03 c068 0202"])
        #expect(driver.configure(rate: 12_000_000)?.map(wire) == ["40 03 0000 0202"])
        #expect(driver.configure(rate: 300)?.map(wire) == ["40 03 2710 0002"])
        #expect(wire(driver.setLines(lineStates[1])) == "40 01 0301 0002")
        let single = try #require(BridgeTable.driver(for: Devices.ft232h))
        #expect(single.configure(rate: 115_200)?.map(wire) == ["40 03 c068 0201"])
    }

    @Test func ftdiStatusBytesAreRemovedFromEveryPacket() throws {
        let driver = try #require(BridgeTable.driver(for: Devices.ft232r))
        let status: [UInt8] = [0x01, 0x60]
        let data = (0..<130).map { UInt8($0) }
        let packets = status + data[..<62] + status + data[62..<124] + status + data[124...]
        #expect(driver.payload(of: Array(packets)) == data)
        #expect(driver.payload(of: status) == [])
        #expect(driver.payload(of: status + [7]) == [7])
        // A full packet, then an empty one.
        #expect(driver.payload(of: Array(status + data[..<62] + status)) == Array(data[..<62]))
        #expect(driver.payload(of: []) == [])
        #expect(driver.payload(of: [1]) == [])
    }

    /// PSTN 1.2: 20 SET_LINE_CODING, 22 SET_CONTROL_LINE_STATE.
    @Test func cdcACM() throws {
        let driver = try #require(BridgeTable.driver(for: Devices.acm(0x2341, 0x0043)))
        #expect(driver.interfaces == [0, 1])
        #expect((driver.endpoints.input.address, driver.endpoints.output.address) == (0x81, 0x01))
        #expect(driver.start.map(wire) == ["21 22 0000 0000"])
        #expect(driver.configure(rate: 115_200)?.map(wire) == ["21 20 0000 0000 00c2010000" + "0008"])
        #expect(
            lineStates.map { wire(driver.setLines($0)) } == ["0000", "0001", "0002", "0003"].map { "21 22 \($0) 0000" })
        #expect(driver.configure(rate: 0) == nil)
        #expect(driver.configure(rate: 1 << 32) == nil)
        #expect(!driver.reenumerates)
    }

    @Test(arguments: [[5, 0x24, 6, 0, 1], [], [5, 0x24, 6, 0, 9], [0], [200, 0x24, 6], [4, 0x24, 6, 0]])
    func theDataInterfaceIsFoundWithAndWithoutAUnionDescriptor(union: [UInt8]) throws {
        let driver = try #require(BridgeTable.driver(for: Devices.acm(0x1234, 0x5678, union: union)))
        #expect(driver.interfaces == [0, 1])
    }

    @Test(
        arguments: [
            (0x1A86, 0x55D3, "CH343", PortTraits(highestBaudRate: 6_000_000), false),
            (0x1A86, 0x55D4, "CH9102", PortTraits(highestBaudRate: 4_000_000), false),
            (0x303A, 0x1001, "USB-Serial-JTAG", PortTraits(interface: .usbSerialJTAG), true),
            (0x303A, 0x0002, "USB-OTG", PortTraits(interface: .usbOTG), true),
            (0x303A, 0x0009, "USB-OTG", PortTraits(interface: .usbOTG), true),
            (0x303A, 0x0012, "USB-OTG", PortTraits(interface: .usbOTG), true),
        ] as [(UInt16, UInt16, String, PortTraits, Bool)])
    func knownDevicesOfTheClass(
        vendor: UInt16, product: UInt16, name: String, traits: PortTraits, reenumerates: Bool
    ) throws {
        let driver = try #require(BridgeTable.driver(for: Devices.acm(vendor, product)))
        #expect(driver.name == name)
        #expect(driver.traits == traits)
        #expect(driver.reenumerates == reenumerates)
    }

    @Test func otherDevicesHaveNoDriver() {
        var keyboard = Devices.cp2102
        keyboard.identity.vendor = 0x046D
        #expect(BridgeTable.driver(for: keyboard) == nil)
        #expect(BridgeTable.interfaces(of: keyboard) == [])
        var broken = Devices.cp2102
        broken.interfaces[0].endpoints.removeAll()
        #expect(BridgeTable.driver(for: broken) == nil)
    }
}
