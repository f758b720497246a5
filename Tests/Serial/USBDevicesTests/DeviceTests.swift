import Testing
import USBDevices

/// Standard requests and endpoint queues.
struct DeviceTests {
    static let chips: [any BridgeChip] = [
        CP2102(), CH340(), FT232R(), CDCACM.ch343(), CDCACM.plain(), ChipUSB.serialJTAG(), ChipUSB.romOTG(),
    ]

    @Test(arguments: chips.indices)
    func descriptorsAreConsistent(index: Int) throws {
        let host = Host(Self.chips[index], configured: false)
        let device = try #require(host.control(0x80, 6, value: 0x0100, length: 18)).data
        #expect(device.count == 18 && device[0] == 18 && device[17] == 1)
        let head = try #require(host.control(0x80, 6, value: 0x0200, length: 9)).data
        let total = UInt16(head[2]) | UInt16(head[3]) << 8
        let configuration = try #require(host.control(0x80, 6, value: 0x0200, length: 512)).data
        #expect(configuration.count == Int(total))
        // Every descriptor's length leads to the next one; interfaces and endpoints as announced.
        var position = 0
        var interfaces = 0
        var endpoints = 0
        var announced = 0
        while position < configuration.count {
            let length = Int(configuration[position])
            try #require(length >= 2 && position + length <= configuration.count)
            if configuration[position + 1] == 4 {
                interfaces += 1
                announced += Int(configuration[position + 4])
            }
            if configuration[position + 1] == 5 { endpoints += 1 }
            position += length
        }
        #expect(interfaces == Int(configuration[4]))
        #expect(endpoints == announced)
        for number in device[14...16] where number > 0 {
            let string = try #require(host.control(0x80, 6, value: 0x0300 | UInt16(number), index: 0x0409, length: 255))
            #expect(string.status == .done && string.data.first.map(Int.init) == string.data.count)
        }
    }

    @Test func severalReadsWaitAndEndInOrder() {
        let host = Host(CP2102())
        _ = host.control(0x41, 0x00, value: 1)
        #expect(host.read(0x82, 4).isEmpty)
        #expect(host.read(0x82, 4).isEmpty)
        #expect(host.read(0x82, 4).isEmpty)
        let ended = host.receive([1, 2, 3, 4, 5])
        #expect(ended.map(\.data) == [[1, 2, 3, 4], [5]])
        #expect(host.receive([6]).map(\.data) == [[6]])
    }

    @Test func anUnlinkedReadTakesNoData() {
        let host = Host(CP2102())
        _ = host.control(0x41, 0x00, value: 1)
        submitTwo(host)
        #expect(host.receive([7]).map(\.data) == [[7]])
    }

    private func submitTwo(_ host: Host) {
        host.device.submit(URB(id: 100, endpoint: 2, isIn: true, length: 64), at: host.now)
        host.device.submit(URB(id: 101, endpoint: 2, isIn: true, length: 64), at: host.now)
        #expect(host.unlink(100))
        #expect(!host.unlink(100))
    }

    @Test func disconnectingEndsAllReads() {
        let host = Host(FT232R())
        #expect(host.read(0x81, 512).isEmpty)
        host.device.disconnect()
        #expect(host.drainCompletions().map(\.status) == [.shutdown])
        #expect(host.write(2, [1])?.status == .stall)
    }

    @Test func aHaltedEndpointStallsUntilItIsCleared() {
        let host = Host(CDCACM.plain())
        #expect(host.control(0x02, 3, index: 0x02)?.status == .done)
        #expect(host.write(2, [1])?.status == .stall)
        #expect(host.control(0x02, 1, index: 0x02)?.status == .done)
        #expect(host.write(2, [1])?.status == .done)
    }
}
