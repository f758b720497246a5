/// A serial port: bytes in both directions, line settings, and the two modem lines that reset an ESP32.
///
/// One reader and one writer at a time. Implementations: a tty (`SerialPOSIX`), `socket://` and `rfc2217://`
/// (`SerialNetwork`), the virtual board's own port (`VirtualBoard`).
public protocol SerialPort: AnyObject, Sendable {
    /// The port's name in messages, e.g. `/dev/ttyUSB0` or `socket://127.0.0.1:4000`.
    var name: String { get }

    /// True if DTR and RTS reach the board. `socket://` and pseudo-terminals have none.
    var hasModemLines: Bool { get }

    /// The properties of the connection to the chip that a flasher needs; by default, a UART behind a bridge.
    var traits: PortTraits { get }

    /// How often the board has left the bus since the port was opened, and the port followed it: a chip with its own
    /// USB leaves the bus at a reset. Its output until it is back may be lost.
    var departureCount: Int { get }

    /// Waits for at least one byte, and returns the bytes received, at most `maximum`.
    ///
    /// - Parameter timeout: the longest wait; `nil` waits without limit. Measured on the port's clock.
    /// - Returns: the bytes; empty after the time-out.
    /// - Throws: ``SerialPortError`` with code `disconnected` when the connection is lost and all received bytes have
    ///   been read.
    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8]

    /// Sends all of `bytes`; returns when the port has accepted them.
    func write(_ bytes: [UInt8]) async throws

    /// Waits until the other side has received the written bytes, if the port can detect that.
    func drain() async throws

    /// Discards unread bytes.
    func discardInput() async throws

    /// Changes the line settings; takes effect after bytes already written.
    func configure(_ settings: SerialSettings) async throws

    /// Sets the modem lines, in one step if the port can; `true` is asserted (the line is low). Does nothing where
    /// ``hasModemLines`` is false.
    func setModemLines(_ lines: ModemLines) async throws

    /// Suspends for `duration` of the port's own clock: the pauses of a reset sequence.
    func pause(for duration: Duration) async throws

    /// Gives the port back. Idempotent; later calls throw `disconnected`.
    func close() async
}

extension SerialPort {
    /// A UART behind a bridge.
    public var traits: PortTraits { PortTraits() }

    /// A bridge never leaves the bus.
    public var departureCount: Int { 0 }

    /// Does not wait: accepted bytes are on their way.
    public func drain() async throws {}
}

/// The connection from a port to the chip: the properties that affect resets and rates.
public struct PortTraits: Hashable, Sendable {
    /// The chip's interface that the port leads to.
    public enum Interface: String, Hashable, Sendable {
        /// The chip's UART, behind a bridge or a network: DTR and RTS drive IO0 and EN.
        case uart
        /// The chip's USB-Serial-JTAG controller: special sequences of the lines trigger resets; no rate.
        case usbSerialJTAG
        /// The ROM's CDC-ACM on the chip's USB-OTG controller: small RAM blocks; re-enumerates after a reset; no rate.
        case usbOTG
    }

    /// The chip's interface that the port leads to.
    public var interface: Interface
    /// True if the other side enters download mode when it sees a SYNC, as a socket's server may.
    public var resetsItself: Bool
    /// True if the rate set here is the rate of the line at the chip. The other side of a socket sets its own.
    public var setsRate: Bool
    /// The highest rate of the bridge in bits per second, if known.
    public var highestBaudRate: Int?

    /// By default, a UART behind a bridge.
    public init(
        interface: Interface = .uart, resetsItself: Bool = false, setsRate: Bool = true, highestBaudRate: Int? = nil
    ) {
        self.interface = interface
        self.resetsItself = resetsItself
        self.setsRate = setsRate
        self.highestBaudRate = highestBaudRate
    }
}

/// The state of DTR and RTS; `true` is asserted.
public struct ModemLines: Hashable, Sendable {
    /// Data Terminal Ready: pulls IO0 low when RTS is not asserted.
    public var dtr: Bool
    /// Request To Send: pulls EN low when DTR is not asserted.
    public var rts: Bool

    /// Both lines at once.
    public init(dtr: Bool, rts: Bool) {
        self.dtr = dtr
        self.rts = rts
    }
}

/// Line settings: 8 data bits, no parity, one stop bit, at a rate.
public struct SerialSettings: Hashable, Sendable {
    /// Bits per second.
    public var baudRate: Int
    /// True for RTS/CTS flow control in both directions; RTS and DTR are then asserted, and controlled by the driver.
    /// Only ttys support it, and only if it is requested at opening.
    public var hasHardwareFlowControl: Bool

    /// 8N1 at `baudRate`.
    public init(baudRate: Int, hasHardwareFlowControl: Bool = false) {
        self.baudRate = baudRate
        self.hasHardwareFlowControl = hasHardwareFlowControl
    }

    /// The initial setting of every ESP ROM and Arduino console: 115200 8N1.
    public static let `default` = SerialSettings(baudRate: 115_200)
}

/// An error of a serial port.
public struct SerialPortError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault; an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// A code by name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such port, or no program listens there.
        public static let notFound = Code(rawValue: "notFound")
        /// The port exists, and this user may not open it.
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// Another program uses the port.
        public static let busy = Code(rawValue: "busy")
        /// A server's TCP port is in use by another program.
        public static let addressInUse = Code(rawValue: "addressInUse")
        /// A server cannot listen at the address, for another reason.
        public static let cannotListen = Code(rawValue: "cannotListen")
        /// The connection was lost.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The port does not support the request, e.g. a rate.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The board cannot be reset: the port has no DTR and RTS.
        public static let noModemLines = Code(rawValue: "noModemLines")
        /// The path does not name a serial port.
        public static let noSerialPort = Code(rawValue: "noSerialPort")
        /// The text is not a port address.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The operating system refused, for another reason.
        public static let system = Code(rawValue: "system")
    }

    /// The kind of fault.
    public var code: Code
    /// The port's name.
    public var port: String
    /// The operation and how it failed, one line.
    public var detail: String

    /// An error of `port`.
    public init(_ code: Code, port: String, _ detail: String) {
        self.code = code
        self.port = port
        self.detail = detail
    }

    /// One line: the port and the detail.
    public var description: String { "\(port): \(detail)" }
}
