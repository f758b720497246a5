public import MonotonicTime

/// What happens to a ``VirtualBoard``, as its observer hears it.
public enum VirtualBoardEvent: Sendable, Hashable {
    /// It got power.
    case powerOn
    /// It lost power.
    case powerOff
    /// It printed bytes on its serial line: ROM, bootloader, loader and sketch.
    case console([UInt8])
    /// It started, loads, runs or stands still.
    case note(BoardMachine.Note)
    /// Its sketch set an output pin.
    case pin(Int, isHigh: Bool)
    /// Its sketch moved, attached or detached a servo.
    case servo(ServoSignal)
    /// A button was pressed, which pulls its pin low, or released.
    case button(pin: Int, isPressed: Bool)
    /// Its sketch, or the host of its Bluetooth, changed the non-volatile storage; the chip is at it until then.
    case storage(until: MonotonicInstant)
    /// Its sketch crashed or hung; the console says it, too.
    case crashed(ApplicationEnd)
    /// The bench could not run the sketch.
    case fault(String)
}

extension BoardMachine.Note: CustomStringConvertible {
    /// One line.
    public var description: String {
        switch self {
        case .started(let reason, let mode): "started by \(reason) to \(mode == .flash ? "boot" : "be flashed")"
        case .loaderReady: "waits for a flasher"
        case .stubRunning: "runs a flasher's stub"
        case .applicationStarted: "started the application"
        case .halted(let reason): "halted: \(reason)"
        }
    }
}
