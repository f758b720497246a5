package import SerialPort

/// What a kind of USB serial device expects: pure values, no I/O. A driver is made for one UART of one device.
///
/// Order of use: ``inquiry`` and its answer, ``start``, ``configure(rate:)``, then anything; ``stop`` before the device
/// is given back.
package protocol BridgeDriver: Sendable {
    /// The chip in a few words, e.g. `CP2102N`.
    var name: String { get }
    /// Interface, and the highest rate of the chip.
    var traits: PortTraits { get }
    /// The interfaces to claim.
    var interfaces: [UInt8] { get }
    /// The endpoints that carry the bytes.
    var endpoints: BulkPair { get }
    /// Whether the device vanishes and comes back when the chip behind it is reset.
    var reenumerates: Bool { get }

    /// A question about the variant of the chip; a device may refuse it.
    var inquiry: ControlTransfer? { get }
    /// Takes the answer to ``inquiry``; empty when the device refused it.
    mutating func learn(_ answer: [UInt8])

    /// Sets the UART up: 8N1, no flow control, both modem lines deasserted.
    var start: [ControlTransfer] { get }
    /// Sets the rate in bits per second; `nil` when the chip has no rate near it.
    func configure(rate: Int) -> [ControlTransfer]?
    /// Sets both modem lines in one transfer.
    func setLines(_ lines: ModemLines) -> ControlTransfer
    /// Discards what the chip has received and not yet sent to the host; empty when the chip cannot.
    var purgeInput: [ControlTransfer] { get }
    /// Ends the use of the UART.
    var stop: [ControlTransfer] { get }

    /// The serial bytes in a completed bulk transfer.
    func payload(of transfer: [UInt8]) -> [UInt8]
}

extension BridgeDriver {
    package var reenumerates: Bool { false }
    package var inquiry: ControlTransfer? { nil }
    package mutating func learn(_ answer: [UInt8]) {}
    package var purgeInput: [ControlTransfer] { [] }
    package var stop: [ControlTransfer] { [] }
    package func payload(of transfer: [UInt8]) -> [UInt8] { transfer }
}
