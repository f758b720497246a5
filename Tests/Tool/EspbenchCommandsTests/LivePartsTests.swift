import CommandSupport
import Foundation
import Synchronization
import TCP
import Testing

/// The parts of boards that `live` and `serve` run: from the page's commands to the sketch, and back.
@Suite("Parts of a board", .ownThreads, .timeLimit(.minutes(10)))
struct LivePartsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let sketch = Self.root.appending(path: "Tests/Tool/LivePageTests/Sketches/World").path

    /// A page that is followed, and its commands.
    private final class Page {
        private let host: String
        private let path: String
        private let port: UInt16
        private let stream: Int32
        private var rest = ""
        /// The lines of the console.
        private var lines: [String] = []
        /// The newest state of the first board.
        private(set) var board: [String: Any] = [:]

        init(_ address: String) throws {
            let url = try #require(URL(string: address))
            host = "\(url.host ?? ""):\(url.port ?? 0)"
            port = UInt16(url.port ?? 0)
            path = url.path
            stream = try Self.connect(port)
            send("GET \(path)/events HTTP/1.1\r\nHost: \(host)\r\n\r\n", to: stream)
        }

        deinit { close(stream) }

        private static func connect(_ port: UInt16) throws -> Int32 {
            let descriptor = try TCPSocket.connect(host: "127.0.0.1", port: port, name: "page", milliseconds: 5000)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
            return descriptor
        }

        private func send(_ text: String, to descriptor: Int32) {
            let bytes = Array(text.utf8)
            #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        }

        /// The status of a command, and the text of its answer.
        func command(_ json: String) throws -> (status: Int, text: String) {
            let descriptor = try Self.connect(port)
            defer { close(descriptor) }
            send(
                "POST \(path)/command HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n\(json)", to: descriptor)
            var answer = ""
            while let more = receive(descriptor) { answer += more }
            let body = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            return (Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0, body)
        }

        /// Reads events until a condition holds; its failure is an issue after half a minute.
        func wait(_ expected: String, _ condition: (Page) -> Bool) {
            let end = ContinuousClock.now + .seconds(30)
            while !condition(self) {
                var entry = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
                guard ContinuousClock.now < end, poll(&entry, 1, 30_000) > 0, let more = receive(stream) else {
                    Issue.record("expected \(expected), got \(lines.suffix(10)), \(board)")
                    return
                }
                take(more)
            }
        }

        private func take(_ more: String) {
            var frames = (rest + more).components(separatedBy: "\n")
            rest = frames.removeLast()
            for frame in frames where frame.hasPrefix("data: ") {
                let object = try? JSONSerialization.jsonObject(with: Data(frame.dropFirst(6).utf8)) as? [String: Any]
                if object?["section"] as? String == "boards", let boards = object?["value"] as? [[String: Any]] {
                    board = boards.first ?? [:]
                }
                lines += (object?["lines"] as? [[String: Any]] ?? []).compactMap { $0["s"] as? String }
            }
        }

        /// Waits for a line of the console after those that were waited for.
        func says(_ line: String) {
            wait("the line \(line)") { $0.lines.contains(line) }
            lines = lines.firstIndex(of: line).map { Array(lines[($0 + 1)...]) } ?? lines
        }

        private func receive(_ descriptor: Int32) -> String? {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
        }

        private func part(_ name: String) -> [String: Any] {
            (board["parts"] as? [[String: Any]])?.first { $0["name"] as? String == name } ?? [:]
        }

        func reading(_ part: String, _ name: String) -> [String: Any] {
            (self.part(part)["readings"] as? [[String: Any]])?.first { $0["name"] as? String == name } ?? [:]
        }

        func quantity(_ part: String, _ name: String) -> Double? {
            let quantities = self.part(part)["quantities"] as? [[String: Any]]
            return quantities?.first { $0["name"] as? String == name }?["value"] as? Double
        }
    }

    private func tool(_ arguments: [String], _ folder: URL) -> EspbenchProcess {
        EspbenchProcess([arguments[0], "--project", Self.root.path] + arguments.dropFirst(), folder: folder)
    }

    @Test("are set on the live page, which shows what they do")
    func live() throws {
        try withTemporaryFolder { folder in
            let tool = tool(["live", Self.sketch, "--parts", Self.sketch + "/parts.yaml"], folder)
            try tool.process.run()
            defer { tool.process.terminate() }
            let page = try Page(tool.waitForOutput("\n").trimmingCharacters(in: .newlines))
            page.says("ready")
            #expect(page.quantity("knob", "position") == 0)
            page.wait("a small angle") {
                ($0.reading("arm", "angle")["number"] as? Double).map { $0 > 0 && $0 < 20 } == true
            }
            page.wait("a colour") { $0.reading("light", "colours")["colours"] as? [String] == ["#FF8000"] }
            // Pins with a part are shown by it: a button at each other input, each other output, each other signal.
            page.wait("pins without parts") { page in
                page.board["buttons"] as? [Int] == [0, 14]
                    && (page.board["pins"] as? [[String: Any]])?.map { $0["pin"] as? Int } == [4]
            }
            let signals = try #require(page.board["signals"] as? [[String: Double]])
            #expect(signals.count == 1 && signals[0]["pin"] == 5 && signals[0]["frequency"] == 2000)
            #expect(signals[0]["duty"].map { abs($0 - 25) < 0.2 } == true)

            #expect(
                try page.command(#"{"do":"part.set","part":"knob","quantity":"position","value":100}"#).status == 204)
            page.wait("the level") { $0.quantity("knob", "position") == 100 }
            page.wait("full light") { ($0.reading("lamp", "brightness")["number"] as? Double ?? 0) > 95 }
            page.wait("the angle") { ($0.reading("arm", "angle")["number"] as? Double ?? 0) > 170 }
            #expect(try page.command(#"{"do":"part.set","part":"door","quantity":"contact","value":1}"#).status == 204)
            page.says("door low")
            #expect(try page.command(#"{"do":"part.set","part":"counter","quantity":"count","value":7}"#).status == 204)
            #expect(try page.command(#"{"do":"board.type","text":"count"}"#).status == 204)
            page.says("count 7")
            #expect(try page.command(#"{"do":"part.plug","part":"counter","on":false}"#).status == 204)
            #expect(try page.command(#"{"do":"board.type","text":"count"}"#).status == 204)
            page.says("no count")

            for (command, status, reason) in Self.refused {
                let answer = try page.command(command)
                #expect(answer.status == status && answer.text.contains(reason), "\(command): \(answer)")
            }
            #expect(page.quantity("knob", "position") == 100)

            // Two drivers of a pin: a suite ends there, the page goes on.
            #expect(try page.command(#"{"do":"board.type","text":"drive"}"#).status == 204)
            page.wait("the conflict") {
                $0.board["fault"] as? String == "pin 27: the sketch drives it high, and 'door' drives it low"
            }
            #expect(try page.command(#"{"do":"part.set","part":"door","quantity":"contact","value":0}"#).status == 204)
            #expect(
                try page.command(#"{"do":"part.set","part":"knob","quantity":"position","value":0}"#).status == 204)
            page.wait("a dim light") { ($0.reading("lamp", "brightness")["number"] as? Double ?? 100) < 10 }
        }
    }

    private static let refused: [(String, Int, String)] = [
        (
            #"{"do":"part.set","part":"knbo","quantity":"position","value":1}"#, 409,
            "no part 'knbo', expected one of: knob, door"
        ),
        (
            #"{"do":"part.set","part":"knob","quantity":"volume","value":1}"#, 409,
            "no quantity 'volume', expected one of: position"
        ),
        (#"{"do":"part.set","part":"lamp","quantity":"volume","value":1}"#, 409, "'lamp' has no quantity 'volume'"),
        (#"{"do":"part.set","part":"knob","quantity":"position","value":101}"#, 409, "of 0...100 %, got 101"),
        (#"{"do":"part.set","part":"knob","quantity":"position","value":-1e308}"#, 409, "of 0...100 %, got "),
        (
            #"{"do":"part.set","part":"door","quantity":"contact","value":2}"#, 409,
            "one of: released, pressed, from 0; got 2"
        ),
        (#"{"do":"part.set","part":"door","quantity":"contact","value":0.5}"#, 409, "from 0; got 0.5"),
        (#"{"do":"part.set","part":"knob","quantity":"position","value":"1"}"#, 400, "'value' is of another type"),
        (#"{"do":"part.set","part":["knob"],"quantity":"position","value":1}"#, 400, "'part' is of another type"),
        (#"{"do":"part.set","board":1,"part":"knob","quantity":"position","value":1}"#, 409, "no such part"),
        (#"{"do":"part.plug","part":"knbo","on":true}"#, 409, "no part 'knbo'"),
    ]

    @Test("are wired to served boards")
    func serve() throws {
        try withTemporaryFolder { folder in
            for (parts, answer) in [(Self.sketch + "/parts.yaml", "count 42\n"), ("none", "no count\n")] {
                let keyboard = Pipe()
                let tool = tool(
                    ["serve", "--console", "--socket", "0", "--parts", parts, Self.sketch, "--flash-file", "flash"],
                    folder)
                tool.process.standardInput = keyboard
                try tool.process.run()
                defer { tool.process.terminate() }
                let output = tool.waitForOutput("ready\n")
                let port = try #require(output.firstMatch(of: #/socket://127\.0\.0\.1:(\d+)/#)?.1)
                let board = try TCPSocket.connect(
                    host: "127.0.0.1", port: try #require(UInt16(port)), name: "board", milliseconds: 5000)
                defer { close(board) }
                #expect(write(board, "count\n", 6) == 6)
                #expect(tool.waitForOutput("done count").contains(answer))
            }
        }
    }

    @Test("in a file with a fault are refused before anything is built, with file and line")
    func faults() throws {
        try withTemporaryFolder { folder in
            try Self.make(["p.yaml": "a: {part: led, pin: 26}\nb: {part: ledd, pin: 27}\n"], to: folder)
            for verb in ["live", "serve"] {
                for (file, message) in [
                    ("p.yaml", "error: p.yaml:2:11: unknown part 'ledd' (did you mean 'led'?)"),
                    ("q.yaml", "q.yaml"),
                ] {
                    let result = try tool([verb, Self.sketch, "--parts", file], folder).run()
                    #expect(result.code == ExitReason.badInput.rawValue, "\(result.errors)")
                    #expect(result.errors.contains(message) && result.output.isEmpty, "\(result.errors)")
                }
            }
        }
    }

    private static let suite = "suite: S\nparts: {PARTS}\ncases: [{name: c, steps: [advance: 1 s]}]\n"

    private static func make(_ files: [String: String], to folder: URL) throws {
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    @Test(
        "are by default those of the suites, where they agree",
        arguments: [
            (["a: {part: led, pin: 26}"], [], "wired a to X as X/Suites/0.yaml does"),
            (["a: {part: led, pin: 26}", "a: {pin: 26, part: led}"], [], "wired a to X as X/Suites/0.yaml does"),
            (
                ["a: {part: led, pin: 26}", "a: {part: led, pin: 27}"], [],
                "X has no parts, since its suites wire different ones; --parts chooses: X/Suites/0.yaml, X/Suites/1.yaml"
            ),
            (["a: {part: led, pin: 26}", "a: {part: led, pin: 27}"], ["--parts", "X/Suites/1.yaml"], ""),
            (["a: {part: led, pin: 26}"], ["--parts", "none"], ""),
            (["a: {part: led}"], [], "X has no parts, since a suite of it cannot be read: X/Suites/0.yaml:2:12"),
        ] as [([String], [String], String)])
    func defaults(_ parts: [String], _ options: [String], _ note: String) throws {
        try withTemporaryFolder { folder in
            // It is not built: this is about what is said before.
            var files = ["espbench.yaml": "sketches: [X]\n", "X/X.ino": "#error no sketch\n"]
            for (index, parts) in parts.enumerated() {
                files["X/Suites/\(index).yaml"] = Self.suite.replacing("PARTS", with: parts)
            }
            try Self.make(files, to: folder)
            let result = try EspbenchProcess(["live", "X"] + options, folder: folder).run()
            #expect(result.code == ExitReason.buildFailed.rawValue, "\(result.errors)")
            if note.isEmpty {
                #expect(!result.errors.contains("parts") && !result.errors.contains("wired"), "\(result.errors)")
            } else {
                #expect(result.errors.contains(note), "\(result.errors)")
            }
        }
    }
}
