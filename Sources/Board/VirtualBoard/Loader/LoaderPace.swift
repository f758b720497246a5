/// What takes time while a board is in its loader.
public enum LoaderPace: Hashable, Sendable {
    /// Nothing: a command is answered when it was executed.
    case immediate
    /// The flash's operations and digests, as on the chip; bytes take none.
    case flash
    /// The flash's operations and digests, and each byte, at the rate of the chip's UART.
    case line
}
