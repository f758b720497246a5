internal import SerialPort

/// What is connected to the UART side of an emulated device.
package protocol UARTPeer: Sendable {
    /// Follows an effect of the chip.
    func perform(_ effect: ChipEffect) async throws
    /// Waits for bytes for the chip's RXD; the chip's UART has `settings` when they arrive.
    func read(at settings: @Sendable () async -> UARTSettings) async throws -> [UInt8]
    /// The USB device lost its power or its host.
    func disconnected() async
}
