import FlyingFox
import Foundation
import Testing

import LivePage

/// Who is let in: the whole table.
@Suite struct RequestGuardTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private static let host = "127.0.0.1:8123"

    private static func result(
        _ method: HTTPMethod = .GET, _ path: String = "/\(token)/", _ headers: HTTPHeaders = [:]
    ) throws -> String {
        var all: HTTPHeaders = [.host: host]
        for (name, value) in headers { all[name] = value }
        let request = HTTPRequest(
            method: method, version: .http11, target: HTTPRequest.Target(path: path, query: ""), headers: all,
            body: HTTPBodySequence())
        let requestGuard = RequestGuard(try #require(AccessToken(token)), port: 8123)
        do throws(RequestFault) {
            return try requestGuard.path(of: request)
        } catch {
            return "\(error.status.code)"
        }
    }

    @Test(arguments: [
        ("/", "404"), ("", "404"), ("/\(token)", ""), ("/\(token)/", "/"), ("/\(token)/a/b", "/a/b"),
        ("/\(token)x/", "404"), ("/\(token.dropLast())/", "404"), ("/\(token.dropLast())0/", "404"),
        ("/\(token)\(token)/", "404"), ("//\(token)/", "404"), ("/x/\(token)/", "404"), ("/%30123/", "404"),
    ])
    func onlyTheTokenOpens(_ path: String, _ result: String) throws {
        #expect(try Self.result(.GET, path) == result)
    }

    @Test(arguments: [
        ("127.0.0.1:8123", "/"), ("localhost:8123", "/"), ("LOCALHOST:8123", "/"), ("[::1]:8123", "/"),
        ("127.0.0.1", "403"), ("127.0.0.1:80", "403"), ("evil.example:8123", "403"), ("evil.example", "403"),
        ("127.0.0.1:8123.evil.example", "403"), ("", "403"),
    ])
    func onlyNamesOfLoopbackAreHosts(_ host: String, _ result: String) throws {
        #expect(try Self.result(.GET, "/\(Self.token)/", [.host: host]) == result)
    }

    private static let json: HTTPHeaders = [.contentType: "application/json"]

    @Test(
        arguments: [
            ([:], "/command"),
            (["Origin": "http://127.0.0.1:8123"], "/command"),
            (["Origin": "http://127.0.0.1:8124"], "403"),
            (["Origin": "https://127.0.0.1:8123"], "403"),
            (["Origin": "http://evil.example"], "403"),
            (["Origin": "null"], "403"),
            (["Sec-Fetch-Site": "same-origin"], "/command"),
            (["Sec-Fetch-Site": "same-site"], "403"),
            (["Sec-Fetch-Site": "cross-site"], "403"),
            (["Sec-Fetch-Site": "none"], "403"),
            (["Content-Type": "text/plain"], "415"),
            (["Content-Type": "application/x-www-form-urlencoded"], "415"),
        ] as [([String: String], String)])
    func onlyThePageItselfCommands(_ headers: [String: String], _ result: String) throws {
        var all = Self.json
        for (name, value) in headers { all[HTTPHeader(name)] = value }
        #expect(try Self.result(.POST, "/\(Self.token)/command", all) == result)
    }

    @Test(arguments: [
        ("none", "/"), ("same-origin", "/"), ("same-site", "403"), ("cross-site", "403"), ("?", "403"),
    ])
    func pagesFromElsewhereGetNothing(_ site: String, _ result: String) throws {
        #expect(try Self.result(.GET, "/\(Self.token)/", [HTTPHeader("Sec-Fetch-Site"): site]) == result)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]) func thereAreNoOtherMethods(_ method: String)
        throws
    {
        #expect(try Self.result(HTTPMethod(rawValue: method), "/\(Self.token)/command", Self.json) == "405")
    }

    @Test func tokensAreLongAndPlain() throws {
        #expect(AccessToken("short") == nil)
        #expect(AccessToken(String(repeating: "a", count: 21)) == nil)
        #expect(AccessToken(String(repeating: "a", count: 65)) == nil)
        #expect(AccessToken(String(repeating: "ä", count: 22)) == nil)
        #expect(AccessToken(String(repeating: "a", count: 21) + "/") == nil)
        var generator = SystemRandomNumberGenerator()
        let (one, other) = (AccessToken(using: &generator), AccessToken(using: &generator))
        #expect("\(one)".utf8.count == 32)
        #expect(!other.matches("\(one)"))
        #expect(try #require(AccessToken("\(one)")).matches("\(one)"))
        #expect(!one.matches("") && !one.matches("\(one)\(one)"))
    }
}
