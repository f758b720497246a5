import Testing
import USBDevices

struct UARTWaveformTests {
    private let text = Array("rst:0x1 (POWERON_RESET)".utf8)

    @Test(arguments: [115_200.0, 115_384.6, 112_000, 119_000])
    func closeRatesTransport(rate: Double) {
        #expect(UARTWaveform.received(text, senderRate: rate, receiverRate: 115_200) == text)
    }

    @Test(arguments: [9_600.0, 57_600, 100_000, 130_000, 230_400, 921_600])
    func otherRatesDoNot(rate: Double) {
        #expect(UARTWaveform.received(text, senderRate: rate, receiverRate: 115_200) != text)
    }

    @Test func halfTheRateReadsEachBitTwice() {
        // 0x55 at half of the receiver's rate: the bits 0 1 0 1 … each twice. The receiver sees a start bit, 0 and then
        // 11 00 11 0, whose stop bit is low.
        let bytes = UARTWaveform.received([0x55], senderRate: 57_600, receiverRate: 115_200)
        #expect(bytes.first == 0x66)
    }

    @Test func nothingIsNothing() {
        #expect(UARTWaveform.received([], senderRate: 1, receiverRate: 2).isEmpty)
        #expect(UARTWaveform.received([1], senderRate: 0, receiverRate: 2).isEmpty)
    }
}
