import FlyingFox
import Foundation

/// Parses requests from a connection's bytes (RFC 9112): a state machine without I/O. It keeps at most ``headLimit``
/// and ``bodyLimit`` bytes of a request, and the bytes received after it.
///
/// FlyingFox's own server reads heads of any length, and treats the rest of a refused body as the next request.
package struct RequestReader {
    /// The maximum length of the head (request line and header fields), in bytes.
    package static let headLimit = 16_384
    /// The maximum length of the body, in bytes.
    package static let bodyLimit = 65_536

    private var received: [UInt8] = []
    /// The number of bytes already searched for the end of the head.
    private var searched = 0
    private var head: Head?

    private struct Head {
        var method: HTTPMethod
        var target: HTTPRequest.Target
        var version: HTTPVersion
        var headers: HTTPHeaders
        var bodyLength: Int
        var expectsContinue: Bool
    }

    /// A reader of a new connection.
    package init() {}

    /// True if no byte of another request has been received.
    package var isEmpty: Bool { received.isEmpty && head == nil }

    /// True if the client waits for `100 Continue` before it sends the body.
    package var awaitsContinue: Bool {
        head.map { $0.expectsContinue && received.isEmpty && $0.bodyLength > 0 } ?? false
    }

    /// Adds received bytes.
    package mutating func append(_ bytes: [UInt8]) { received.append(contentsOf: bytes) }

    /// The next complete request; `nil`: more bytes are needed.
    ///
    /// - Throws: a fault after which no further request can be read.
    package mutating func next() throws(RequestFault) -> HTTPRequest? {
        if head == nil { head = try readHead() }
        guard let head, received.count >= head.bodyLength else { return nil }
        let body = Data(received.prefix(head.bodyLength))
        received.removeFirst(head.bodyLength)
        self.head = nil
        return HTTPRequest(
            method: head.method, version: head.version, target: head.target, headers: head.headers,
            body: HTTPBodySequence(data: body))
    }

    private mutating func readHead() throws(RequestFault) -> Head? {
        // Some clients send an empty line after a body.
        let leading = received.prefix { $0 == 0x0D || $0 == 0x0A }.count
        if leading > 0 { received.removeFirst(leading) }
        guard let end = endOfHead() else {
            guard received.count <= Self.headLimit else {
                throw RequestFault(
                    .requestHeaderFieldsTooLarge, "expected a head of at most \(Self.headLimit) bytes")
            }
            return nil
        }
        guard end <= Self.headLimit else {
            throw RequestFault(
                .requestHeaderFieldsTooLarge, "expected a head of at most \(Self.headLimit) bytes, got \(end)")
        }
        let lines = try Self.lines(received[..<end])
        received.removeFirst(end)
        searched = 0
        return try Self.head(lines)
    }

    private static func lines(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> [String] {
        var lines: [String] = []
        for line in bytes.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 }), let text = String(validating: line, as: UTF8.self)
            else { throw RequestFault(.badRequest, "expected a head of text in UTF-8") }
            if !text.isEmpty { lines.append(text) }
        }
        return lines
    }

    /// The count of bytes up to the end of the empty line.
    private mutating func endOfHead() -> Int? {
        var index = max(0, searched - 3)
        while index + 1 < received.count {
            if received[index] == 0x0A {
                if received[index + 1] == 0x0A { return index + 2 }
                if index + 2 < received.count, received[index + 1] == 0x0D, received[index + 2] == 0x0A {
                    return index + 3
                }
            }
            index += 1
        }
        searched = received.count
        return nil
    }

    private static func head(_ lines: [String]) throws(RequestFault) -> Head {
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[1].hasPrefix("/"), words[0].allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw RequestFault(.badRequest, "expected a method, a path and a version")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw RequestFault(.httpVersionNotSupported, "expected HTTP/1.1")
        }
        let headers = try headers(lines.dropFirst())
        guard headers[.transferEncoding] == nil else {
            throw RequestFault(.lengthRequired, "expected a body with Content-Length, got Transfer-Encoding")
        }
        guard headers.values(for: .host).count == 1 else {
            throw RequestFault(.badRequest, "expected one Host")
        }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return Head(
            method: HTTPMethod(rawValue: String(words[0])),
            target: HTTPRequest.Target(path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : ""),
            version: HTTPVersion(String(words[2])), headers: headers, bodyLength: try bodyLength(headers),
            expectsContinue: headers[HTTPHeader("Expect")]?.lowercased() == "100-continue")
    }

    private static func headers(_ lines: ArraySlice<String>) throws(RequestFault) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else {
                throw RequestFault(.badRequest, "expected header fields with a name, ':' and a value")
            }
            headers.addValue(parts[1].trimmingCharacters(in: .whitespaces), for: HTTPHeader(String(parts[0])))
        }
        return headers
    }

    private static func bodyLength(_ headers: HTTPHeaders) throws(RequestFault) -> Int {
        let values = headers.values(for: .contentLength)
        guard let text = values.first else { return 0 }
        guard values.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw RequestFault(.badRequest, "expected one Content-Length, a number of bytes")
        }
        // A number beyond the range of Int is too large as well.
        guard let length = Int(text), length <= bodyLimit else {
            throw RequestFault(.payloadTooLarge, "expected a body of at most \(bodyLimit) bytes")
        }
        return length
    }
}

/// Why a request is refused; most faults also end the connection.
package struct RequestFault: Error, Equatable, CustomStringConvertible {
    /// The status of the response.
    package var status: HTTPStatusCode
    /// The expected and the received text, one line.
    package var detail: String

    /// A fault with the status of its response.
    package init(_ status: HTTPStatusCode, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    /// The fault on one line.
    package var description: String { "\(status.code) \(status.phrase): \(detail)" }

    /// The response.
    package var response: HTTPResponse {
        let headers: HTTPHeaders = [.contentType: "text/plain; charset=utf-8"]
        return HTTPResponse(
            statusCode: status, headers: headers, body: Data((detail.isEmpty ? "" : detail + "\n").utf8))
    }
}

/// The bytes of responses. Their headers isolate the page: it loads no foreign content, no other site may frame it, and
/// no other site gets its address, which contains the token.
package enum ResponseBytes {
    private static let fields = [
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "object-src 'none'",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
    ]

    /// The status line and header fields.
    ///
    /// - Parameter length: the length of the body; `nil`: the end of the connection ends the body.
    package static func head(_ status: HTTPStatusCode, _ headers: HTTPHeaders = [:], length: Int?, closes: Bool) -> Data
    {
        var lines = ["HTTP/1.1 \(status.code) \(status.phrase)"]
        for (name, value) in headers { lines.append("\(name.rawValue): \(value)") }
        lines += fields
        if let length { lines.append("Content-Length: \(length)") }
        if closes { lines.append("Connection: close") }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// A whole response.
    package static func whole(_ response: HTTPResponse, hasBody: Bool, closes: Bool) async throws -> Data {
        let body = try await response.bodyData
        let head = head(response.statusCode, response.headers, length: body.count, closes: closes)
        return hasBody ? head + body : head
    }
}
