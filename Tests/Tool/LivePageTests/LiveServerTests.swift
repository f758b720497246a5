import FlyingFox
import FlyingSocks
import Foundation
import Synchronization
import Testing

import LivePage

/// A server over real sockets: answers, limits, browsers that go away or stand still, and many at once.
@Suite(.serialized) struct LiveServerTests {
    @Test func itServesThePageWithItsHeadersAndNothingElse() async throws {
        try await ServedPage.run { page in
            let answer = try await page.exchange("GET \(page.path)/ HTTP/1.1\r\nHost: \(page.host)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for header in [
                "Content-Security-Policy: default-src 'self';", "Cache-Control: no-store",
                "Referrer-Policy: no-referrer",
                "X-Content-Type-Options: nosniff", "Content-Type: text/html; charset=utf-8",
            ] { #expect(answer.contains(header), "\(header)") }
            #expect(!answer.contains("Set-Cookie"))
            #expect(answer.hasSuffix("</html>\n"))
            for (request, status) in [
                ("GET / HTTP/1.1\r\nHost: \(page.host)", 404),
                ("GET \(page.path)/x HTTP/1.1\r\nHost: \(page.host)", 404),
                ("GET \(page.path)/../ HTTP/1.1\r\nHost: \(page.host)", 404),
                ("GET \(page.path)/ HTTP/1.1\r\nHost: evil.example", 403),
                ("GET \(page.path) HTTP/1.1\r\nHost: \(page.host)", 301),
            ] {
                let answer = try await page.exchange("\(request)\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer.prefix(40))")
            }
            // Who does not know the token is told nothing.
            let refused = try await page.exchange("GET /x/ HTTP/1.1\r\nHost: \(page.host)\r\n\r\n")
            #expect(refused.hasSuffix("Content-Length: 0\r\n\r\n"))
            let head = try await page.exchange("HEAD \(page.path)/ HTTP/1.1\r\nHost: \(page.host)\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func everyFileOfThePageIsServed() async throws {
        try await ServedPage.run { page in
            var names: Set = ["app.js", "app.css"]
            var open = ["/": true]
            while let path = open.first(where: \.value)?.key {
                open[path] = false
                let answer = try await page.get(path)
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(path)")
                for match in answer.matches(
                    of: /(?:href|src)="([a-z\-]+\.(?:css|js))"|from "\.\/([a-z\-]+\.js)"|import "\.\/([a-z\-]+\.js)"/)
                {
                    let name = String(match.1 ?? match.2 ?? match.3 ?? "")
                    names.insert(name)
                    if open["/\(name)"] == nil { open["/\(name)"] = true }
                }
                // Nothing from elsewhere.
                #expect(!answer.contains("//cdn") && answer.firstMatch(of: /(?:src|href)="https?:/) == nil)
            }
            #expect(names.count > 15)
        }
    }

    @Test func aCommandIsPerformedOrSaysWhyNot() async throws {
        try await ServedPage.run { page in
            #expect(try await page.post("{\"do\":\"board.reset\"}").hasPrefix("HTTP/1.1 204 "))
            #expect(try await page.post("{\"do\":\"board.button\",\"pin\":0,\"on\":true}").hasPrefix("HTTP/1.1 204 "))
            for command in [
                "{\"do\":\"part.set\",\"part\":\"air\",\"quantity\":\"humidity\",\"value\":45.5}",
                "{\"do\":\"part.plug\",\"part\":\"air\",\"on\":false}",
            ] { #expect(try await page.post(command).hasPrefix("HTTP/1.1 204 ")) }
            #expect(
                page.board.log.withLock { $0 } == [
                    "reset", "button 0 true", "set air.humidity 45.5", "plug air false",
                ])
            for (body, status, text) in [
                ("", 400, "expected a command"), ("[]", 400, "expected a command"),
                ("{\"do\":1}", 400, "expected a command"),
                ("{\"do\":\"x\"}", 400, "no such command"), ("{\"do\":\"board.power\"}", 400, "expected 'on'"),
                ("{\"do\":\"board.button\",\"pin\":49,\"on\":true}", 400, "expected 'pin' of 0 to 48"),
                ("{\"do\":\"board.type\",\"text\":\"a\\nb\"}", 400, "one line"),
                (
                    "{\"do\":\"board.type\",\"text\":\"\(String(repeating: "a", count: 1025))\"}", 400,
                    "at most 1024 bytes"
                ),
                ("{\"do\":\"time.speed\",\"speed\":101}", 400, "0 to 100"),
                ("{\"do\":\"phone.write\",\"id\":\"1\",\"hex\":\"0\"}", 400, "pairs of hexadecimal digits"),
                ("{\"do\":\"phone.write\",\"id\":\"1\",\"hex\":\"+1\"}", 400, "pairs of hexadecimal digits"),
                ("{\"do\":\"phone.answer\",\"on\":true,\"passkey\":\"12345\"}", 400, "six digits"),
                ("{\"do\":\"part.set\",\"part\":\"air\",\"quantity\":\"humidity\"}", 400, "expected 'value', a number"),
                ("{\"do\":\"part.set\",\"part\":\"air\",\"value\":1}", 400, "expected 'quantity'"),
                (
                    "{\"do\":\"part.set\",\"part\":\"air\",\"quantity\":\"humidity\",\"value\":\"1\"}", 400,
                    "'value' is of another type"
                ),
                (
                    "{\"do\":\"part.set\",\"part\":\"air\",\"quantity\":\"humidity\",\"value\":1e999}", 400,
                    "expected a command"
                ),
                ("{\"do\":\"part.plug\",\"part\":\"\",\"on\":true}", 400, "expected 'part'"),
                (
                    "{\"do\":\"part.plug\",\"part\":\"\(String(repeating: "a", count: 129))\",\"on\":true}", 400,
                    "at most 128 bytes"
                ),
                ("{\"do\":\"part.plug\",\"part\":\"air\"}", 400, "expected 'on'"),
                ("{\"do\":\"part.plug\",\"board\":1,\"part\":\"air\",\"on\":true}", 409, "no such part"),
                ("{\"do\":\"phone.pair\"}", 409, "no such part"),
                ("{\"do\":\"board.power\",\"on\":true}", 409, "stuck"),
            ] {
                let answer = try await page.post(body)
                #expect(
                    answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains(text), "\(body): \(answer.suffix(80))")
            }
        }
    }

    @Test func aBodyOfAGigabyteIsRefusedWithoutBeingRead() async throws {
        try await ServedPage.run { page in
            let socket = try await page.connect()
            try await socket.write(
                Data(
                    ("POST \(page.path)/command HTTP/1.1\r\nHost: \(page.host)\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1073741824\r\n\r\n").utf8))
            let answer = try await page.readAll(socket)
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("Connection: close"))
            // One that is sent all the same is not taken for requests.
            let other = try await page.connect()
            let chunk = Data(repeating: 0x41, count: 1 << 16)
            try await other.write(
                Data(
                    "POST \(page.path)/command HTTP/1.1\r\nHost: \(page.host)\r\nContent-Length: 1073741824\r\n\r\n"
                        .utf8))
            for _ in 0..<16 { try? await other.write(chunk) }
            #expect(try await page.readAll(other).hasPrefix("HTTP/1.1 413 "))
            await page.close(other)
            await page.close(socket)
            #expect(try await page.get("/").hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func eventsBeginWithTheStateAndFollowItsChanges() async throws {
        try await ServedPage.run { page in
            page.hub.set("board", ["a": 1])
            page.hub.append(LiveLine(time: 1, kind: .output, text: "first"))
            let stream = try await page.events()
            try await stream.read(until: "\"s\":\"first\"")
            #expect(stream.text.contains("event: hello\ndata: {\"run\":\"run-1\"}"))
            #expect(stream.text.contains("event: set\ndata: {\"section\":\"board\",\"value\":{\"a\":1}}"))
            page.hub.set("board", ["a": 2])
            page.hub.append(LiveLine(time: 2, kind: .input, text: "second"))
            try await stream.read(until: "\"second\"")
            #expect(stream.text.contains("{\"a\":2}"))
            #expect(stream.text.contains("id: run-1:2\n"))
            // It connects again, and gets what it has not.
            let again = try await page.events("Last-Event-ID: run-1:1\r\n")
            try await again.read(until: "\"second\"")
            #expect(!again.text.contains("\"s\":\"first\""))
            let other = try await page.events("Last-Event-ID: run-0:2\r\n")
            try await other.read(until: "\"second\"")
            #expect(other.text.contains("\"s\":\"first\""))
            await stream.close()
            await again.close()
            await other.close()
        }
    }

    @Test func aSlowBrowserIsToldWhatItMissed() async throws {
        // The time of deadlines stands: a loaded machine must not make the server lose patience with this reader.
        let time = LiveTime(now: { .zero }, sleep: { try await Task.sleep(for: $0) })
        try await ServedPage.run(time: time) { page in
            let stream = try await page.events()
            try await stream.read(until: "event: hello")
            // It reads nothing while more lines come than are kept.
            let text = String(repeating: "x", count: 900)
            for number in 0..<(LiveHub.lineLimit * 4) {
                page.hub.append(LiveLine(time: 0, kind: .output, text: "\(number) \(text)"))
            }
            page.hub.append(LiveLine(time: 0, kind: .output, text: "last"))
            try await stream.read(until: "\"last\"")
            let missed = stream.text.matches(of: /"missed":(\d+)/).compactMap { Int($0.1) }.reduce(0, +)
            let got = stream.text.matches(of: /"s":"/).count
            #expect(missed > 0)
            #expect(missed + got == LiveHub.lineLimit * 4 + 1)
            await stream.close()
        }
    }

    @Test func browsersThatGoAwayLeaveNothing() async throws {
        try await ServedPage.run { page in
            for number in 0..<40 {
                let stream = try await page.events()
                if number % 2 == 0 { try await stream.read(until: "event: hello") }
                await stream.close()
                // Others go in the middle of a request.
                let socket = try await page.connect()
                try await socket.write(
                    Data("POST \(page.path)/command HTTP/1.1\r\nHost: \(page.host)\r\nContent-L".utf8))
                await page.close(socket)
            }
            // What is written to them fails, and they are forgotten.
            for number in 0..<200 where page.hub.readerCount > 0 || page.server.connectionCount > 0 {
                page.hub.set("board", number)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(page.hub.readerCount == 0)
            #expect(page.server.connectionCount == 0)
        }
    }

    @Test func deadlinesEndConnectionsThatStandStill() async throws {
        let clock = ManualClock()
        try await ServedPage.run(time: clock.time) { page in
            let idle = try await page.connect()
            let slow = try await page.connect()
            try await slow.write(Data("GET / HT".utf8))
            try await Self.wait { page.server.connectionCount == 2 }
            // The server has read the beginning when the deadline of the slow one is the shorter one.
            try await Self.wait {
                clock.advance(by: LiveConnection.progressTime / 4)
                return page.server.connectionCount == 1
            }
            #expect(try await page.readAll(slow).isEmpty)
            try await Self.wait {
                clock.advance(by: LiveConnection.idleTime / 4)
                return page.server.connectionCount == 0
            }
            #expect(try await page.readAll(idle).isEmpty)
        }
    }

    private static func wait(_ condition: () -> Bool) async throws {
        for _ in 0..<500 {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("it has not come")
    }

    @Test func aThousandAtOnceAreAnswered() async throws {
        let (browsers, each) = (1000, 100)
        _ = raiseFileLimit(to: 4096)
        try await ServedPage.run(connectionLimit: 1100) { page in
            let answered = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<browsers {
                    group.addTask {
                        let socket = try await page.connect()
                        let request = Data("GET \(page.path)/none HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
                        var count = 0
                        for _ in 0..<each {
                            try await socket.write(request)
                            if try await page.readHead(socket).hasPrefix("HTTP/1.1 404 ") { count += 1 }
                        }
                        await page.close(socket)
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(answered == browsers * each)
        }
    }

    @Test func connectionsComeAndGo() async throws {
        let (browsers, each) = (20, 100)
        try await ServedPage.run { page in
            let answered = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<browsers {
                    group.addTask {
                        var count = 0
                        for _ in 0..<each {
                            if try await page.get("/none").hasPrefix("HTTP/1.1 404 ") { count += 1 }
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(answered == browsers * each)
        }
    }

    @Test func moreThanTheLimitWait() async throws {
        try await ServedPage.run(connectionLimit: 2) { page in
            let request = Data("GET \(page.path)/none HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
            let first = try await page.connect()
            let second = try await page.connect()
            for socket in [first, second] {
                try await socket.write(request)
                #expect(try await page.readHead(socket).hasPrefix("HTTP/1.1 404 "))
            }
            let third = try await page.connect()
            try await third.write(request)
            try await Self.wait { page.server.connectionCount == 2 }
            await page.close(first)
            #expect(try await page.readHead(third).hasPrefix("HTTP/1.1 404 "))
            await page.close(second)
            await page.close(third)
        }
    }

    /// Connections without the token make room, the oldest first.
    @Test func strangersKeepNobodyOut() async throws {
        try await ServedPage.run(connectionLimit: 3) { page in
            var strangers: [AsyncSocket] = []
            for _ in 0..<6 { strangers.append(try await page.connect()) }
            try await Self.wait { page.server.connectionCount == 3 }
            let start = ContinuousClock.now
            #expect(try await page.get("/none").hasPrefix("HTTP/1.1 404 "))
            #expect(ContinuousClock.now - start < .seconds(5))
            for stranger in strangers { await page.close(stranger) }
        }
    }

    @Test func aTakenPortIsAnError() async throws {
        try await ServedPage.run { page in
            #expect(throws: LiveServerError.self) {
                try LiveServer(
                    port: page.server.port, token: page.token, hub: page.hub, routes: LiveRoutes(),
                    time: LiveTime(ContinuousClock()))
            }
        }
    }
}
