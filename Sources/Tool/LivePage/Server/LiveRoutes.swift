public import FlyingFox
import Foundation

/// The responses to the page's requests beside its files, by path below the token.
public struct LiveRoutes: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    private var handlers: [String: Handler] = [:]

    /// No routes.
    public init() {}

    /// Adds a route, e.g. `GET /timeline/rows`; it takes the place of a former one.
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

/// The files of the page, which are in the program itself.
package enum PageFiles {
    /// A file: its media type and its bytes.
    package struct File {
        package var type: String
        package var bytes: [UInt8]
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"

    /// The file at a path below the token; `nil`: there is none.
    package static func file(at path: String) -> File? {
        switch path {
        case "/": File(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "/app.js": File(type: script, bytes: PackageResources.app_js)
        case "/app.css": File(type: style, bytes: PackageResources.app_css)
        case "/air.js": File(type: script, bytes: PackageResources.air_js)
        case "/apps.js": File(type: script, bytes: PackageResources.apps_js)
        case "/board.js": File(type: script, bytes: PackageResources.board_js)
        case "/boards.js": File(type: script, bytes: PackageResources.boards_js)
        case "/clock.js": File(type: script, bytes: PackageResources.clock_js)
        case "/commands.js": File(type: script, bytes: PackageResources.commands_js)
        case "/console.js": File(type: script, bytes: PackageResources.console_js)
        case "/dom.js": File(type: script, bytes: PackageResources.dom_js)
        case "/pairing.js": File(type: script, bytes: PackageResources.pairing_js)
        case "/phone.js": File(type: script, bytes: PackageResources.phone_js)
        case "/services.js": File(type: script, bytes: PackageResources.services_js)
        case "/phone.css": File(type: style, bytes: PackageResources.phone_css)
        case "/timeline.html": File(type: "text/html; charset=utf-8", bytes: PackageResources.timeline_html)
        case "/timeline.css": File(type: style, bytes: PackageResources.timeline_css)
        case "/timeline.js": File(type: script, bytes: PackageResources.timeline_js)
        case "/timeline-bar.js": File(type: script, bytes: PackageResources.timeline_bar_js)
        case "/timeline-copy.js": File(type: script, bytes: PackageResources.timeline_copy_js)
        case "/timeline-data.js": File(type: script, bytes: PackageResources.timeline_data_js)
        case "/timeline-details.js": File(type: script, bytes: PackageResources.timeline_details_js)
        case "/timeline-dom.js": File(type: script, bytes: PackageResources.timeline_dom_js)
        case "/timeline-find.js": File(type: script, bytes: PackageResources.timeline_find_js)
        case "/timeline-page.js": File(type: script, bytes: PackageResources.timeline_page_js)
        case "/timeline-text.js": File(type: script, bytes: PackageResources.timeline_text_js)
        case "/timeline-view.js": File(type: script, bytes: PackageResources.timeline_view_js)
        default: nil
        }
    }
}
