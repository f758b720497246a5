public import SerialPort

/// Ttys of the machine by their path: `/dev/ttyUSB0`.
public struct TTYKind: PortKind {
    /// The kind of ttys.
    public init() {}

    /// `tty`
    public var name: String { "tty" }

    /// The form of paths.
    public var forms: [String] { ["a device path (/dev/…)"] }

    /// Takes absolute paths.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress? {
        text.hasPrefix("/") ? PortAddress(kind: name, text: text) : nil
    }

    /// Opens and locks the tty.
    public func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort {
        try POSIXSerialPort(path: address.text, settings: settings)
    }
}
