/// Where a serial port is, as a user writes it: `/dev/ttyUSB0`, `socket://HOST:PORT`, `usb:10c4:ea60`, …
///
/// A ``PortKind`` makes it from text, and opens it; ``PortKinds`` is the set of them that a program knows.
public struct PortAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name of the ``PortKind`` that opens it, e.g. `tty` or `socket`.
    public let kind: String
    /// The address as a user writes it; the kind can read it again.
    public let text: String

    /// An address of `kind`, whose form the kind has checked.
    public init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }

    /// The address as a user writes it.
    public var description: String { text }
}
