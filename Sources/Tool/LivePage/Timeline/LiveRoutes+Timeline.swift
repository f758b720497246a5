import FlyingFox
import Foundation

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
