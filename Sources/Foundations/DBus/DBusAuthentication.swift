/// The client's side of the authentication by the user's id (D-Bus Specification, "Authentication Protocol"; mechanism
/// EXTERNAL), with file descriptors negotiated. A pure state machine.
package struct DBusAuthentication {
    /// Limit of the length of a line.
    private static let lineLimit = 16_384

    private enum State { case authenticating, negotiating, done }

    private var state = State.authenticating
    private var line: [UInt8] = []
    /// True if the bus can pass file descriptors.
    package private(set) var passesDescriptors = false

    package init() {}

    /// The first bytes to send, as the user `userID`.
    package static func greeting(userID: UInt32) -> [UInt8] {
        let digits = String(userID).utf8.map { String($0, radix: 16) }.joined()
        return [0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8)
    }

    /// True once authenticated: messages follow.
    package var isDone: Bool { state == .done }

    /// Handles received bytes up to the end of a line; returns what to send, and the number of bytes used.
    ///
    /// - Throws: `accessDenied`, `protocolViolation`.
    package mutating func receive(_ bytes: ArraySlice<UInt8>) throws(DBusError) -> (reply: [UInt8], used: Int) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            line += bytes
            guard line.count <= Self.lineLimit else {
                throw DBusError(
                    .protocolViolation, "authentication: expected lines of at most \(Self.lineLimit) bytes")
            }
            return ([], bytes.count)
        }
        line += bytes[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        line = []
        return (try answer(text), end - bytes.startIndex + 1)
    }

    private mutating func answer(_ line: String) throws(DBusError) -> [UInt8] {
        let word = line.prefix { $0 != " " }
        switch (state, word) {
        case (.authenticating, "OK"):
            state = .negotiating
            return Array("NEGOTIATE_UNIX_FD\r\n".utf8)
        case (.authenticating, "REJECTED"):
            throw DBusError(.accessDenied, "authentication: expected OK, got \"\(line)\"")
        case (.negotiating, "AGREE_UNIX_FD"), (.negotiating, "ERROR"):
            passesDescriptors = word == "AGREE_UNIX_FD"
            state = .done
            return Array("BEGIN\r\n".utf8)
        default:
            let expected = state == .authenticating ? "OK" : "AGREE_UNIX_FD or ERROR"
            throw DBusError(.protocolViolation, "authentication: expected \(expected), got \"\(line)\"")
        }
    }
}

/// The address of a bus (D-Bus Specification, "Server Addresses"): `unix:path=/run/dbus/system_bus_socket`.
///
/// If an address has several alternatives, separated by semicolons, the first Unix socket is used; other transports are
/// not supported.
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

    /// A bus that listens at the socket file `path`.
    public init(path: String) {
        socket = .path(path)
        description = "unix:path=\(path)"
    }

    /// Parses an address.
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

    /// A value with each `%XX` decoded; `nil` if one is malformed.
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
