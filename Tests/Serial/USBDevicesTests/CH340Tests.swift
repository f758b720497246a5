import SerialPort
import Testing
import USBDevices

/// The requests as Linux's `ch341.c` documents them.
struct CH340Tests {
    /// A host that has switched the receiver and the sender on, and set the register pair of the rate.
    private func host(prescalerAndDivisor: UInt16) -> Host {
        let host = Host(CH340())
        _ = host.control(0x40, 0xA1)
        _ = host.control(0x40, 0x9A, value: 0x1312, index: prescalerAndDivisor)
        _ = host.control(0x40, 0x9A, value: 0x2518, index: 0x00C3)
        _ = host.drainEffects()
        return host
    }

    @Test(arguments: [
        // The kernel's driver writes these for 115200, 460800 and 921600 baud.
        (UInt16(0xCC83), 115_384.6), (0xF383, 461_538.5), (0xF387, 923_076.9), (0xB282, 9_615.4),
    ])
    func theDivisorMakesTheRate(index: UInt16, rate: Double) {
        #expect(abs(host(prescalerAndDivisor: index).device.chip.settings.rate - rate) < 0.1)
    }

    @Test func linesAreInverted() {
        let host = host(prescalerAndDivisor: 0xCC83)
        #expect(host.control(0x40, 0xA4, value: ~0x20)?.status == .done)
        #expect(host.control(0x40, 0xA4, value: ~0x40)?.status == .done)
        #expect(
            host.drainEffects() == [
                .lines(ModemLines(dtr: true, rts: false)), .lines(ModemLines(dtr: false, rts: true)),
            ])
    }

    @Test func withoutBit7ItWaitsForAFullPacket() {
        let host = host(prescalerAndDivisor: 0xCC03)
        #expect(host.read(0x82, 64).isEmpty)
        #expect(host.receive([UInt8](repeating: 1, count: 31)).isEmpty)
        #expect(host.receive([2]).map(\.data.count) == [32])
        let prompt = self.host(prescalerAndDivisor: 0xCC83)
        #expect(prompt.read(0x82, 64).isEmpty)
        #expect(prompt.receive([3]).map(\.data) == [[3]])
    }

    @Test func itSendsNothingWithTheSenderOff() {
        let host = Host(CH340())
        _ = host.control(0x40, 0xA1)
        _ = host.write(2, [1])
        guard case .violation = host.drainEffects().last else {
            Issue.record("expected a violation")
            return
        }
    }

    @Test func registersReadBackAsWritten() {
        let host = host(prescalerAndDivisor: 0xCC83)
        #expect(host.control(0xC0, 0x95, value: 0x2518, length: 2)?.data == [0xC3, 0x00])
        #expect(host.control(0xC0, 0x5F, length: 2)?.data == [0x31, 0x00])
        #expect(host.control(0xC0, 0x95, value: 0x0706, length: 2)?.data == [0xFF, 0xEE])
    }
}
