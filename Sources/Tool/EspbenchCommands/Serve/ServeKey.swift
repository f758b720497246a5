/// The function of a key on the terminal of `espbench serve`.
enum ServeKey: Equatable {
    /// Presses the BOOT button briefly, or releases it if it is held.
    case pressBoot
    /// Holds the BOOT button, or releases it.
    case holdBoot
    /// Presses the reset button.
    case reset
    /// Restarts the chip into its serial loader.
    case resetIntoLoader
    /// Switches the power off or on.
    case power
    /// Selects the board that the other keys control, by its index.
    case choose(Int)
    /// Ends the program.
    case quit

    static let quitByte = UInt8(ascii: "q")

    /// The function of a typed byte if `boardCount` boards are served; `nil` if it has none.
    init?(_ byte: UInt8, boardCount: Int) {
        switch byte {
        case Self.quitByte: self = .quit
        case UInt8(ascii: "b") where boardCount > 0: self = .pressBoot
        case UInt8(ascii: "B") where boardCount > 0: self = .holdBoot
        case UInt8(ascii: "r") where boardCount > 0: self = .reset
        case UInt8(ascii: "l") where boardCount > 0: self = .resetIntoLoader
        case UInt8(ascii: "p") where boardCount > 0: self = .power
        case UInt8(ascii: "1")...UInt8(ascii: "9") where boardCount > 1:
            let index = Int(byte - UInt8(ascii: "1"))
            guard index < boardCount else { return nil }
            self = .choose(index)
        default: return nil
        }
    }

    /// One line of help about the keys.
    static func help(boardCount: Int) -> String {
        guard boardCount > 0 else { return "keys: q quit" }
        let choice = boardCount > 1 ? "1-\(min(boardCount, 9)) choose the board, " : ""
        return
            "keys: \(choice)b press BOOT, B hold or release BOOT, r reset, l restart into the loader, p power off or on, q quit"
    }
}
