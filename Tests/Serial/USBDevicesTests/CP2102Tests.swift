import SerialPort
import Testing
import USBDevices

/// The requests of Silicon Labs' AN571.
struct CP2102Tests {
    @Test func aDisabledUARTSendsNothingAndSaysWhy() {
        let host = Host(CP2102())
        #expect(host.write(1, [1, 2, 3])?.status == .done)
        #expect(
            host.drainEffects() == [
                .violation("CP210x: 3 bytes for a UART that is not enabled (IFC_ENABLE)")
            ])
        #expect(host.control(0x41, 0x00, value: 1)?.status == .done)
        #expect(host.write(1, [1, 2, 3])?.actualLength == 3)
        #expect(host.drainEffects() == [.transmit([1, 2, 3])])
    }

    @Test(arguments: [
        // AN205, table 1: what the divider makes of a request.
        (UInt32(115_200), 115_384.6), (460_800, 461_538.5), (921_600, 923_076.9), (9_600, 9_600.0),
    ])
    func ratesAreWhatTheDividerMakes(requested: UInt32, actual: Double) {
        let host = Host(CP2102())
        let data = (0..<4).map { UInt8(truncatingIfNeeded: requested >> (8 * $0)) }
        #expect(host.control(0x41, 0x1E, data: data)?.status == .done)
        #expect(abs(host.device.chip.settings.rate - actual) < 0.1)
    }

    @Test func aCP2102RefusesThreeMegabaudAndACP2102NDoesNot() {
        let data: [UInt8] = [0xC0, 0xC6, 0x2D, 0x00]
        let plain = Host(CP2102())
        #expect(plain.control(0x41, 0x1E, data: data)?.status == .stall)
        let newer = Host(CP2102(.cp2102N))
        #expect(newer.control(0x41, 0x1E, data: data)?.status == .done)
        #expect(newer.device.chip.settings.rate == 3_000_000)
    }

    @Test func onlyMaskedLinesChange() {
        let host = Host(CP2102())
        _ = host.control(0x41, 0x07, value: 0x0303)
        _ = host.control(0x41, 0x07, value: 0x0100)
        #expect(
            host.drainEffects() == [
                .lines(ModemLines(dtr: true, rts: true)), .lines(ModemLines(dtr: false, rts: true)),
            ])
        #expect(host.control(0xC1, 0x08, length: 1)?.data == [0x02])
    }

    @Test func anUnknownRequestAndAnotherInterfaceStall() {
        let host = Host(CP2102())
        #expect(host.control(0x41, 0x77)?.status == .stall)
        #expect(host.control(0x41, 0x00, value: 1, index: 1)?.status == .stall)
        #expect(host.control(0x40, 0x00, value: 1)?.status == .stall)
    }

    @Test func theKernelReadsThePartNumber() {
        let host = Host(CP2102())
        #expect(host.control(0xC0, 0xFF, value: 0x370B, length: 1)?.data == [0x02])
    }
}
