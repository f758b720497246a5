import SerialPort
import Testing
import USBDevices

/// AN232B-05, and the requests as Linux's `ftdi_sio.h` documents them.
struct FT232RTests {
    @Test(arguments: [
        // AN232B-05: 3 MHz / (26 + 0), / 6.5, / 3.25, and the codes of 3 and 2 Mbaud.
        (UInt16(0x001A), UInt16(0), 115_384.6), (0x4006, 0, 461_538.5), (0x8003, 0, 923_076.9), (0x0000, 0, 3_000_000),
        (0x0001, 0, 2_000_000),
        // 3 MHz / 10.375 and / 10.875: the fractions with bit 16, in wIndex.
        (0x000A, 1, 289_156.6), (0xC00A, 1, 275_862.1),
    ])
    func theDivisorMakesTheRate(value: UInt16, index: UInt16, rate: Double) {
        let host = Host(FT232R())
        #expect(host.control(0x40, 0x03, value: value, index: index)?.status == .done)
        #expect(abs(host.device.chip.settings.rate - rate) < 0.1)
    }

    @Test func everyPacketBeginsWithTheStatus() {
        let host = Host(FT232R())
        #expect(host.read(0x81, 512).isEmpty)
        let ended = host.receive((0..<150).map { UInt8($0) })
        #expect(ended.map(\.data.count) == [156])
        let data = ended.first?.data ?? []
        #expect(
            stride(from: 0, to: data.count, by: 64).map { Array(data[$0..<($0 + 2)]) } == [
                [1, 0x60], [1, 0x60], [1, 0x60],
            ])
        let payload = stride(from: 0, to: data.count, by: 64).flatMap { data[($0 + 2)..<min($0 + 64, data.count)] }
        #expect(payload == (0..<150).map { UInt8($0) })
    }

    @Test func aFewBytesWaitForTheLatencyTimer() {
        let host = Host(FT232R())
        #expect(host.control(0x40, 0x09, value: 4)?.status == .done)
        #expect(host.control(0xC0, 0x0A, length: 1)?.data == [4])
        #expect(host.read(0x81, 64).isEmpty)
        #expect(host.receive([9]).isEmpty)
        #expect(host.wait(.milliseconds(3)).isEmpty)
        #expect(host.wait(.milliseconds(1)).map(\.data) == [[0x01, 0x60, 9]])
        // Without data the status alone comes as often.
        #expect(host.read(0x81, 64).isEmpty)
        #expect(host.wait(.milliseconds(4)).map(\.data) == [[0x01, 0x60]])
    }

    @Test func bothLinesFitOneTransfer() {
        let host = Host(FT232R())
        _ = host.control(0x40, 0x01, value: 0x0302)
        _ = host.control(0x40, 0x01, value: 0x0101)
        #expect(
            host.drainEffects() == [
                .lines(ModemLines(dtr: false, rts: true)), .lines(ModemLines(dtr: true, rts: true)),
            ])
    }
}
