/// The client's side of the authentication by the user's id (D-Bus Specification, "Authentication Protocol"; mechanism
/// EXTERNAL), with file descriptors negotiated. A pure state machine.
package struct DBusAuthentication {
    /// The longest line.
    private static let lineLimit = 16_384

    private enum State { case authenticating, negotiating, done }

    private var state = State.authenticating
    private var line: [UInt8] = []
    /// Whether the bus passes file descriptors.
    package private(set) var passesDescriptors = false

    package init() {}

    /// What to send first, as the user `userID`.
    package static func greeting(userID: UInt32) -> [UInt8] {
        let digits = String(userID).utf8.map { String($0, radix: 16) }.joined()
        return [0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8)
    }

    /// Whether messages follow.
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
