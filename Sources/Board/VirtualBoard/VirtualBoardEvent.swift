public import BoardParts
public import MonotonicTime

/// An event of a ``VirtualBoard``, as reported to its observer.
public enum VirtualBoardEvent: Sendable, Hashable {
    /// The board was powered on.
    case powerOn
    /// It was powered off.
    case powerOff
    /// It printed bytes on its serial line: ROM, bootloader, loader and sketch.
    case console([UInt8])
    /// An event of the chip.
    case chip(BoardMachine.ChipEvent)
    /// Its sketch set an output pin; `nil`: it drives the pin no longer.
    case pin(Int, isHigh: Bool?)
    /// A call of its sketch for a pin had no effect; the text is the reason. The chip does not report this.
    case pinIgnored(Int, String)
    /// The PWM signal of a pin changed; `nil`: it has none any more.
    case pwm(Int, PWMSignal?)
    /// Its sketch converted the voltage at a pin.
    case analog(Int, raw: Int, millivolts: Int)
    /// Its sketch set the voltage of a pin's digital-to-analog converter, 0 to 255; `nil`: it switched it off.
    case analogOutput(Int, UInt8?)
    /// Its sketch was the master, or the slave, of a transaction on an I²C bus.
    case i2c(I2CTransaction)
    /// Its sketch was the master of a transfer on an SPI bus: the bytes of MOSI, and those of MISO, none without that pin.
    case spi(written: [UInt8], read: [UInt8])
    /// A reading of a part changed, given by the part's name.
    case part(String, PartKind.Reading, PartReading)
    /// Its sketch used a part in a way that the part's data sheet forbids.
    case partMisused(String, String)
    /// The chip and a part drive a pin against each other; the text says who drives what.
    case conflict(Int, String)
    /// Its sketch moved, attached or detached a servo.
    case servo(ServoSignal)
    /// The far end of a UART other than the console, given by its number, received bytes.
    case uart(Int, [UInt8])
    /// A button was pressed, which pulls its pin low, or released.
    case button(pin: Int, isPressed: Bool)
    /// Its sketch, or its Bluetooth host, changed the non-volatile storage; the flash chip is busy until the given
    /// time.
    case storage(until: MonotonicInstant)
    /// Its sketch reported its Bluetooth host, with the version.
    case bluetoothHost(String)
    /// Its Bluetooth host did not send a notification or indication of the sketch, e.g. because its queue was full.
    case notificationRefused(attribute: UInt16)
    /// Its sketch crashed or hung; the console shows the panic, too.
    case crashed(ApplicationEnd)
    /// The bench could not run the sketch.
    case fault(String)
}

/// A transaction on an I²C bus, from START to STOP.
public struct I2CTransaction: Hashable, Sendable {
    /// The pin of SDA.
    public var data: Int
    /// The pin of SCL.
    public var clock: Int
    /// The address.
    public var address: Int
    /// The name of the part with this address; `nil`: there is none.
    public var part: String?
    /// True if the chip was the slave of a master outside.
    public var isSlave = false
    /// The bytes that the master has written.
    public var written: [UInt8] = []
    /// The bytes that it has read.
    public var read: [UInt8] = []
    /// The result, as Wire's `endTransmission()` returns it: 0, or 2 without an answer to the address, 3 to a byte.
    public var status = 0
    /// The frequency of SCL; 0: not known.
    public var hertz = 0
    /// The length.
    public var duration = Duration.zero
}

extension BoardMachine.ChipEvent: CustomStringConvertible {
    /// One line.
    public var description: String {
        switch self {
        case .started(let reason, let mode): "started by \(reason) to \(mode == .flash ? "boot" : "be flashed")"
        case .loaderReady: "waits for a flasher"
        case .stubRunning: "runs a flasher's stub"
        case .programRunning: "runs a program that was loaded into RAM"
        case .applicationStarted: "started the application"
        case .asleep: "sleeps deeply"
        case .halted(let reason): "halted: \(reason)"
        }
    }
}
