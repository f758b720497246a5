/// Which Bluetooth stack a central uses, as a user writes it: `h4:HOST:PORT`, `h4:/dev/ttyUSB0,1000000`, `bluez`,
/// `bluez:hci0`, `corebluetooth`.
public enum CentralAddress: Hashable, Sendable {
    /// espbench's own host on an HCI controller behind H4.
    case h4(H4Address)
    /// bluetoothd, with the adapter of this name, e.g. `hci0`; `nil`: its default adapter.
    case bluez(adapter: String?)
    /// CoreBluetooth of macOS.
    case coreBluetooth

    /// The forms of all addresses, for messages and help.
    public static let forms = ["bluez", "bluez:hciN", "h4:HOST:PORT", "h4:/dev/TTY[,BAUD]", "corebluetooth"]

    /// Reads an address.
    ///
    /// - Throws: ``CentralAddressError`` when `text` has none of the ``forms``.
    public init(_ text: String) throws(CentralAddressError) {
        let colon = text.firstIndex(of: ":")
        let kind = colon.map { text[..<$0] } ?? text[...]
        let rest = colon.map { String(text[text.index(after: $0)...]) }
        switch (kind, rest) {
        case ("bluez", nil): self = .bluez(adapter: nil)
        case ("bluez", let adapter?): self = .bluez(adapter: try Self.adapter(adapter, text))
        case ("h4", let place?): self = .h4(try H4Address(place))
        case ("corebluetooth", nil): self = .coreBluetooth
        default: throw CentralAddressError(text, expected: Self.forms)
        }
    }

    private static func adapter(_ name: String, _ text: String) throws(CentralAddressError) -> String {
        let number = name.dropFirst(3)
        guard name.hasPrefix("hci"), (1...5).contains(number.utf8.count),
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw CentralAddressError(text, expected: ["bluez", "bluez:hciN, e.g. bluez:hci0"]) }
        return name
    }
}

extension CentralAddress: CustomStringConvertible {
    /// The address as a user writes it.
    public var description: String {
        switch self {
        case .h4(let place): "h4:\(place)"
        case .bluez(nil): "bluez"
        case .bluez(let adapter?): "bluez:\(adapter)"
        case .coreBluetooth: "corebluetooth"
        }
    }
}

/// A text that is no ``CentralAddress``.
public struct CentralAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// The forms, one of which was expected.
    public let expected: [String]

    init(_ text: String, expected: [String]) {
        self.text = text
        self.expected = expected
    }

    /// What was expected and what was found, one line.
    public var description: String {
        let forms = expected.count > 1 ? expected.dropLast().joined(separator: ", ") + " or " : ""
        return "central: expected \(forms)\(expected.last ?? ""), got \"\(text)\""
    }
}
