internal import CLivePage
public import FlyingFox
import Foundation

/// The responses to the page's requests, other than for its files, by path below the token.
public struct LiveRoutes: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    private var handlers: [String: Handler] = [:]

    /// An empty list of routes.
    public init() {}

    /// Adds a route, e.g. `GET /timeline/rows`; replaces an earlier one.
    public mutating func add(_ method: HTTPMethod, _ path: String, _ handler: @escaping Handler) {
        handlers["\(method.rawValue) \(path)"] = handler
    }

    package func response(to request: HTTPRequest) async -> HTTPResponse? {
        let method = request.method.rawValue == "HEAD" ? "GET" : request.method.rawValue
        return await handlers["\(method) \(request.path)"]?(request)
    }
}

extension LiveRoutes {
    /// Adds the routes of a timeline, e.g. `GET /timeline/rows`; see ``TimelineRequests``.
    public mutating func addTimeline(_ store: TimelineStore) {
        let requests = TimelineRequests(store)
        for path in TimelineRequests.paths {
            add(.GET, "/timeline/\(path)") { request in
                let parameters = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
                let answer = await requests.answer(path, parameters)
                let headers: HTTPHeaders = [.contentType: "application/json"]
                return HTTPResponse(
                    statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: Data(answer.body))
            }
        }
    }
}

/// The files of the page, which are embedded in the program.
package enum PageFiles {
    /// A file: its media type and its bytes.
    package struct File {
        package var type: String
        package var bytes: [UInt8]
    }

    /// The file at a path below the token; `nil`: no such file.
    package static func file(at path: String) -> File? {
        guard !path.utf8.contains(0), let file = live_page_file(path)?.pointee else { return nil }
        let type =
            switch path.split(separator: ".").last {
            case "js": "text/javascript; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            default: "text/html; charset=utf-8"
            }
        return File(type: type, bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
    }
}
