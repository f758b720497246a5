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
