/// The address of a bus (D-Bus Specification, "Server Addresses"): `unix:path=/run/dbus/system_bus_socket`.
///
/// Of an address with several alternatives, separated by semicolons, the first Unix socket is used; other transports
/// are not supported.
public struct DBusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name of a Unix socket: a file, or a name in the abstract namespace.
    package enum Socket: Hashable, Sendable {
        case path(String)
        case abstract(String)
    }

    package let socket: Socket
    /// The text it was created from.
    public let description: String

    /// The system bus, as the specification defines it.
    public static let system = DBusAddress(path: "/var/run/dbus/system_bus_socket")

    /// A bus that listens at a file.
    public init(path: String) {
        socket = .path(path)
        description = "unix:path=\(path)"
    }

    /// An address from its text.
    ///
    /// - Throws: code `invalidAddress`.
    public init(_ text: String) throws(DBusError) {
        for alternative in text.split(separator: ";") {
            let parts = alternative.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0] == "unix" else { continue }
            for pair in parts[1].split(separator: ",") {
                let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard words.count == 2, let value = Self.unescaped(words[1]), !value.isEmpty else { continue }
                switch words[0] {
                case "path": socket = .path(value)
                case "abstract": socket = .abstract(value)
                default: continue
                }
                description = text
                return
            }
        }
        throw DBusError(
            .invalidAddress, "address of a bus: expected unix:path=FILE or unix:abstract=NAME, got \"\(text)\"")
    }

    /// A value without its `%XX`; `nil` if one is malformed.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let digits = String(rest.prefix(2)), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
