import FlyingFox
import Foundation
import Testing

import LivePage

/// Requests are made of bytes with limits, however these are cut.
@Suite struct RequestReaderTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func fault(_ text: String) -> Int? {
        var reader = RequestReader()
        reader.append(bytes(text))
        do throws(RequestFault) {
            _ = try reader.next()
            return nil
        } catch {
            return error.status.code
        }
    }

    @Test func requestsFollowEachOtherHoweverTheyAreCut() async throws {
        let stream = Self.bytes(
            "GET /a?b=c%20d HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\nPOST /e HTTP/1.1\nHost: x\nContent-Length: 3\n\n123\r\n"
                + "GET /f HTTP/1.0\r\nHost: x\r\n\r\n")
        for size in [1, 2, 3, 7, stream.count] {
            var reader = RequestReader()
            var requests: [HTTPRequest] = []
            for start in Swift.stride(from: 0, to: stream.count, by: size) {
                reader.append(Array(stream[start..<min(start + size, stream.count)]))
                while let request = try reader.next() { requests.append(request) }
            }
            try #require(requests.count == 3)
            #expect(requests.map(\.method.rawValue) == ["GET", "POST", "GET"])
            #expect(requests.map(\.path) == ["/a", "/e", "/f"])
            #expect(requests[0].query["b"] == "c d")
            #expect(try await requests[1].bodyData == Data("123".utf8))
            #expect(reader.isEmpty)
        }
    }

    @Test(arguments: [
        ("GET /\r\nHost: x\r\n\r\n", 400), ("GET a HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("G\u{0}T / HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/2\r\nHost: x\r\n\r\n", 505),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\n: c\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    ])
    func whatIsNoRequestIsAFault(_ text: String, _ status: Int) {
        #expect(Self.fault(text) == status)
    }

    @Test func headsHaveALimit() {
        let long = String(repeating: "a", count: RequestReader.headLimit)
        #expect(Self.fault("GET /\(long)") == 431)
        #expect(Self.fault("GET / HTTP/1.1\r\nHost: x\r\nA: \(long)\r\n\r\n") == 431)
        let rest = RequestReader.headLimit - "GET / HTTP/1.1\r\nHost: x\r\nA: \r\n\r\n".utf8.count
        #expect(Self.fault("GET / HTTP/1.1\r\nHost: x\r\nA: \(long.prefix(rest))\r\n\r\n") == nil)
        #expect(Self.fault("GET / HTTP/1.1\r\nHost: x\r\nA: \(long.prefix(rest + 1))\r\n\r\n") == 431)
    }

    @Test func invalidUTF8IsAFault() {
        var reader = RequestReader()
        reader.append(Self.bytes("GET /") + [0xFF] + Self.bytes(" HTTP/1.1\r\nHost: x\r\n\r\n"))
        #expect(throws: RequestFault.self) { try reader.next() }
    }
}
