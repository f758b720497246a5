/// The input and output capabilities of a device in a pairing (Core 5.4, Vol 3 Part H 3.5.1, Table 3.4); open for any
/// octet a peer may send.
public struct IOCapability: RawRepresentable, Hashable, Sendable {
    /// The octet of the Pairing Request and Response; 0...4 are defined.
    public let rawValue: UInt8

    /// A capability by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// DisplayOnly: it shows a passkey.
    public static let displayOnly = IOCapability(rawValue: 0)
    /// DisplayYesNo: it shows a number and takes yes or no.
    public static let displayYesNo = IOCapability(rawValue: 1)
    /// KeyboardOnly: it takes a passkey.
    public static let keyboardOnly = IOCapability(rawValue: 2)
    /// NoInputNoOutput.
    public static let noInputNoOutput = IOCapability(rawValue: 3)
    /// KeyboardDisplay: it shows a passkey or a number, and takes either.
    public static let keyboardDisplay = IOCapability(rawValue: 4)
}

extension IOCapability: CaseIterable, CustomStringConvertible {
    /// Those that the specification defines, in the order of their numbers.
    public static let allCases: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]

    private static let words = ["display only", "display yes/no", "keyboard only", "none", "keyboard display"]

    /// Whether the specification defines it.
    public var isDefined: Bool { rawValue < Self.words.count }

    /// The capability in words, as suites name it, e.g. "display yes/no"; "reserved (5)" where none is defined.
    public var description: String { isDefined ? Self.words[Int(rawValue)] : "reserved (\(rawValue))" }
}
