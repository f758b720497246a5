import FlyingFox
import Foundation

/// Why a request is not answered as asked; after most of them the connection ends.
package struct RequestFault: Error, Equatable, CustomStringConvertible {
    /// The status of the answer.
    package var status: HTTPStatusCode
    /// What was expected and what came, one line.
    package var detail: String

    /// A fault with the status of its answer.
    package init(_ status: HTTPStatusCode, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    /// One line.
    package var description: String { "\(status.code) \(status.phrase): \(detail)" }

    /// The answer.
    package var response: HTTPResponse {
        let headers: HTTPHeaders = [.contentType: "text/plain; charset=utf-8"]
        return HTTPResponse(
            statusCode: status, headers: headers, body: Data((detail.isEmpty ? "" : detail + "\n").utf8))
    }
}
