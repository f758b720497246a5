public import SerialPort

/// Ttys of the machine by their path: `/dev/ttyUSB0`.
public struct TTYKind: PortKind {
    private let list: TTYList

    /// The kind of ttys.
    ///
    /// - Parameters:
    ///   - system: the folder of sysfs (Linux); another one in tests.
    ///   - devices: the folder of the device files; another one in tests.
    ///   - processes: the folder of procfs (Linux), which shows the program that has a port open; another one in tests.
    public init(system: String = "/sys", devices: String = "/dev", processes: String = "/proc") {
        list = TTYList(system: system, devices: devices, processes: processes)
    }

    /// `tty`
    public var name: String { "tty" }

    /// The form of paths.
    public var forms: [String] { ["a device path (/dev/…)"] }

    /// Accepts absolute paths.
    public func address(_ text: String) throws(SerialPortError) -> PortAddress? {
        text.hasPrefix("/") ? PortAddress(kind: name, text: text) : nil
    }

    /// Opens and locks the tty.
    public func open(_ address: PortAddress, _ settings: SerialSettings) async throws -> any SerialPort {
        let interface = list.usb(of: address.text).map(BoardBridges.interface)
        return try POSIXSerialPort(
            path: address.text, settings: settings, traits: PortTraits(interface: interface ?? .uart))
    }

    /// The ttys with hardware behind them: USB bridges, and UARTs of the machine that exist.
    public func ports() async throws -> [PortDescription] {
        list.ports().map { entry in
            PortDescription(
                PortAddress(kind: name, text: entry.path), name: entry.name, usb: entry.usb, driver: entry.driver,
                holder: entry.holder)
        }
    }

    /// Watches the folder of device files.
    public func portChanges() -> AsyncStream<Void>? {
        PathEvents.stream(of: .names, at: list.devices)
    }
}
