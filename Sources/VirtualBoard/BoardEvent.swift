/// What happens to a ``VirtualBoard``, as its observer hears it.
public enum BoardEvent: Sendable, Hashable {
    /// It got power.
    case powerOn
    /// It lost power.
    case powerOff
    /// It printed bytes on its serial line: ROM, bootloader, loader and sketch.
    case console([UInt8])
    /// It started, loads, runs or stands still.
    case note(BoardMachine.Note)
    /// Its sketch crashed or hung; the console says it, too.
    case crashed(ApplicationEnd)
    /// The bench could not run the sketch.
    case fault(String)
}
