import FlyingFox
import Foundation

/// The bytes of responses. All of them keep the page to itself: nothing from elsewhere is loaded or may frame it, and
/// nobody is told its address, which has the token in it.
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
    /// - Parameter length: of the body; `nil`: it ends with the connection.
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
