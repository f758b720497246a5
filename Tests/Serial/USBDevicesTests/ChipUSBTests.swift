import SerialPort
import Testing
import USBDevices

/// The lines of an ESP32's own USB controller, and the class requests of CDC.
struct ChipUSBTests {
    private func set(_ host: Host, dtr: Bool, rts: Bool) {
        _ = host.control(0x21, 0x22, value: (dtr ? 1 : 0) | (rts ? 2 : 0))
    }

    @Test func theLoaderIsReachedOverBothLines() {
        let host = Host(ChipUSB.serialJTAG())
        set(host, dtr: false, rts: false)
        set(host, dtr: true, rts: false)
        set(host, dtr: true, rts: true)
        set(host, dtr: false, rts: true)
        #expect(host.drainEffects() == [.reset(download: true)])
        set(host, dtr: false, rts: false)
        set(host, dtr: false, rts: true)
        #expect(host.drainEffects() == [.reset(download: false)])
    }

    @Test func theClassicSequenceDoesNotReachTheLoader() {
        let host = Host(ChipUSB.serialJTAG())
        set(host, dtr: false, rts: true)
        set(host, dtr: true, rts: false)
        set(host, dtr: false, rts: false)
        #expect(host.drainEffects() == [.reset(download: false)])
    }

    @Test func whatIsPrintedBeforeTheHostIsThereIsKeptWithinItsBuffer() {
        let host = Host(ChipUSB.serialJTAG(), configured: false)
        let printed = (0..<400).map { UInt8(truncatingIfNeeded: $0) }
        for start in stride(from: 0, to: 400, by: 50) { _ = host.receive(Array(printed[start..<start + 50])) }
        _ = host.control(0x00, 9, value: 1)
        #expect(host.read(0x81, 512).map(\.data) == [Array(printed.suffix(256))])
    }

    @Test func lineCodingsAreCheckedAndReadBack() {
        let host = Host(CDCACM.ch343())
        let coding: [UInt8] = [0x00, 0x10, 0x0E, 0x00, 0, 0, 8]
        #expect(host.control(0x21, 0x20, data: coding)?.status == .done)
        #expect(host.device.chip.settings.rate == 921_600)
        #expect(host.control(0xA1, 0x21, length: 7)?.data == coding)
        #expect(host.control(0x21, 0x20, data: Array(coding.dropLast()))?.status == .stall)
        #expect(host.control(0x21, 0x20, data: [0, 0, 0, 0, 0, 0, 8])?.status == .stall)
        // Beyond the CH343's 6 Mbaud.
        #expect(host.control(0x21, 0x20, data: [0x80, 0x8D, 0x5B, 0x01, 0, 0, 8])?.status == .stall)
        #expect(host.control(0x21, 0x22, value: 3, index: 1)?.status == .stall)
    }
}
