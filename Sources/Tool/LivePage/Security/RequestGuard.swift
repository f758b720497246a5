import FlyingFox

/// Accepts only requests of the page itself: with this address as host name (no other name, against DNS rebinding) and
/// with the token; commands must also come from this origin.
package struct RequestGuard: Sendable {
    private let token: AccessToken
    private let hosts: Set<String>

    /// A guard of the page at a port of the loopback interface.
    package init(_ token: AccessToken, port: UInt16) {
        self.token = token
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    }

    /// The path below the token, beginning with `/`; empty for the token alone.
    ///
    /// - Throws: a fault that reveals nothing to clients that do not know the token.
    package func path(of request: HTTPRequest) throws(RequestFault) -> String {
        guard let host = request.headers[.host], hosts.contains(host.lowercased()) else {
            throw RequestFault(.forbidden, "")
        }
        let path = request.target.path(percentEncoded: true)
        let words = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].isEmpty, token.matches(words[1]) else {
            throw RequestFault(.notFound, "")
        }
        try check(request, host)
        return words.count == 2 ? "" : "/" + words[2]
    }

    private func check(_ request: HTTPRequest, _ host: String) throws(RequestFault) {
        let site = request.headers[HTTPHeader("Sec-Fetch-Site")]
        let isCommand = request.method != .GET && request.method.rawValue != "HEAD"
        // A browser sends this field with each request; `none`: the user typed the address or followed a bookmark.
        guard site == nil || site == "same-origin" || (site == "none" && !isCommand) else {
            throw RequestFault(.forbidden, "expected a request of the page itself")
        }
        guard isCommand else { return }
        guard request.method == .POST else {
            throw RequestFault(.methodNotAllowed, "expected GET, HEAD or POST")
        }
        if let origin = request.headers[HTTPHeader("Origin")], origin.lowercased() != "http://\(host.lowercased())" {
            throw RequestFault(.forbidden, "expected a command of the page itself")
        }
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw RequestFault(.unsupportedMediaType, "expected application/json")
        }
    }
}

/// The secret part of the page's address: without it, a client gets no data.
public struct AccessToken: Sendable, CustomStringConvertible {
    /// The minimum number of characters.
    public static let minimumLength = 22

    private let bytes: [UInt8]

    /// A new token of 128 bits.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<2).flatMap { _ in
            let digits = String(generator.next(), radix: 16)
            return Array((String(repeating: "0", count: 16 - digits.count) + digits).utf8)
        }
    }

    /// A token that was chosen before; `nil` unless it has ``minimumLength`` to 64 letters, digits, `-` and `_`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (Self.minimumLength...64).contains(bytes.count), bytes.allSatisfy(Self.isAllowed) else { return nil }
        self.bytes = bytes
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    /// True if `text` is the token. Takes equally long for all texts of the same length, so that the time reveals
    /// nothing.
    package func matches(_ text: some StringProtocol) -> Bool {
        var difference: UInt8 = 0
        var count = 0
        for byte in text.utf8 {
            difference |= byte ^ bytes[count % bytes.count]
            count += 1
        }
        return difference == 0 && count == bytes.count
    }

    /// The token.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
