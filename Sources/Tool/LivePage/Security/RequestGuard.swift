import FlyingFox

/// Lets only the page itself in: requests for this address by name (no other name that leads here, as DNS rebinding
/// makes), with the token, and commands from this origin.
package struct RequestGuard: Sendable {
    private let token: AccessToken
    private let hosts: Set<String>

    /// A guard of the page on a port of loopback.
    package init(_ token: AccessToken, port: UInt16) {
        self.token = token
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    }

    /// The path below the token, beginning with `/`; empty for the token alone.
    ///
    /// - Throws: a fault that says nothing to those who do not know the token.
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
        // A browser says so of each request; `none` is the user, who types the address or follows a bookmark.
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
