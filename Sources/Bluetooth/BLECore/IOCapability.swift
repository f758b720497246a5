/// The input and output capabilities of a device in a pairing (Core 5.4, Vol 3 Part H 3.5.1, Table 3.4); open for any
/// value.
public struct IOCapability: RawRepresentable, Hashable, Sendable {
    /// The octet of the Pairing Request and Response; 0...4 are defined.
    public let rawValue: UInt8

    /// A capability by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// DisplayOnly: it can display a passkey.
    public static let displayOnly = IOCapability(rawValue: 0)
    /// DisplayYesNo: it can display a number, and the user can confirm or reject it.
    public static let displayYesNo = IOCapability(rawValue: 1)
    /// KeyboardOnly: the user can enter a passkey.
    public static let keyboardOnly = IOCapability(rawValue: 2)
    /// NoInputNoOutput.
    public static let noInputNoOutput = IOCapability(rawValue: 3)
    /// KeyboardDisplay: it can display a passkey or a number, and the user can enter a passkey or confirm a number.
    public static let keyboardDisplay = IOCapability(rawValue: 4)
}

extension IOCapability: CaseIterable, CustomStringConvertible {
    /// The defined capabilities, in the order of their numbers.
    public static let allCases: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]

    private static let words = ["display only", "display yes/no", "keyboard only", "none", "keyboard display"]

    /// Whether the specification defines it.
    public var isDefined: Bool { rawValue < Self.words.count }

    /// The name used in suites, e.g. "display yes/no"; "reserved (5)" for an undefined one.
    public var description: String { isDefined ? Self.words[Int(rawValue)] : "reserved (\(rawValue))" }
}
