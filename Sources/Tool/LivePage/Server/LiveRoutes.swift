public import FlyingFox

/// What the page asks for beside its files, by path below the token.
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
