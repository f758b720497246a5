import BenchExecutor
import BoardConsole
import CommandSupport
import EspbenchCommands
import Foundation
import LogFiles
import MonotonicTime
import SerialPort
import Synchronization
import Testing

/// A port with scripted output, which fails the test on an unexpected write.
private final class ScriptedPort: SerialPort {
    let name = "scripted"
    let hasModemLines = false
    private let executor: BenchExecutor
    private let script: Mutex<[(pause: Duration, bytes: [UInt8])]>
    private let sent = Mutex<[UInt8]>([])
    private let endsWithError: Bool
    private let acceptsBytes: Bool

    init(
        _ executor: BenchExecutor, _ script: [(Duration, String)], endsWithError: Bool = false,
        acceptsBytes: Bool = true
    ) {
        self.acceptsBytes = acceptsBytes
        self.executor = executor
        self.script = Mutex(script.map { ($0, Array($1.utf8)) })
        self.endsWithError = endsWithError
    }

    var written: String { String(decoding: sent.withLock { $0 }, as: UTF8.self) }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        let clock = BenchClock(executor)
        let next = script.withLock { script -> (pause: Duration, bytes: [UInt8])? in
            guard let first = script.first else { return nil }
            let limit = timeout ?? first.pause
            if first.pause > limit {
                script[0].pause -= limit
                return (limit, [])
            }
            return script.removeFirst()
        }
        if next == nil, endsWithError { throw SerialPortError(.disconnected, port: name, "gone") }
        try await clock.sleep(for: next?.pause ?? timeout ?? .seconds(1))
        return next?.bytes ?? []
    }

    func write(_ bytes: [UInt8]) async throws {
        if !acceptsBytes { try await BenchClock(executor).sleep(for: .seconds(3600)) }
        sent.withLock { $0.append(contentsOf: bytes) }
    }
    func pause(for duration: Duration) async throws { try await BenchClock(executor).sleep(for: duration) }
    func discardInput() async throws { Issue.record("unexpected discardInput") }
    func configure(_ settings: SerialSettings) async throws { Issue.record("unexpected configure") }
    func setModemLines(_ lines: ModemLines) async throws { Issue.record("unexpected setModemLines") }
    func close() async {}
}

@Suite("The monitor")
struct MonitorSessionTests {
    private func keys(_ executor: BenchExecutor, _ typed: [(Duration, [UInt8])]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for (time, bytes) in typed {
                executor.schedule(at: MonotonicInstant.zero.advanced(by: time)) { continuation.yield(bytes) }
            }
        }
    }

    @Test("stamps lines, shows an incomplete line, sends typed bytes, and ends at Ctrl-]")
    func session() throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(
            executor,
            [(.milliseconds(5), "ets Jun  8\r\nrst"), (.milliseconds(10), ":0x1\r\n"), (.seconds(2), "name? ")])
        let session = MonitorSession(port: port, output: captured.output(), executor: executor)
        let keys = keys(
            executor, [(.seconds(3), Array("bob\n".utf8)), (.seconds(4), [0x78, 0x1D, 0x79])])
        try executor.run { _ = try await session.run(keys: keys) }
        #expect(captured.data == "[    0.005] ets Jun  8\n[    0.015] rst:0x1\n[    2.015] name? \n")
        #expect(port.written == "bob\nx")
    }

    @Test("shows first what came from the port before")
    func received() throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(executor, [(.milliseconds(5), "lo\n")])
        let session = MonitorSession(
            port: port, output: captured.output(), executor: executor, received: Array("hello\nhel".utf8))
        try executor.run { _ = try await session.run(keys: keys(executor, [(.seconds(1), [0x1D])])) }
        #expect(captured.data == "[    0.000] hello\n[    0.005] hello\n")
    }

    @Test("ends with the port")
    func portEnds() {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(executor, [(.seconds(1), "bye\n")], endsWithError: true)
        let session = MonitorSession(port: port, output: captured.output(), executor: executor)
        #expect(throws: SerialPortError.self) {
            try executor.run { _ = try await session.run(keys: keys(executor, [])) }
        }
        #expect(captured.data == "[    1.000] bye\n")
    }

    @Test("shows output for one more second after the end of input, then ends")
    func inputEnds() throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(
            executor, [(.milliseconds(100), "name? "), (.milliseconds(800), "hello\n"), (.seconds(1), "late\n")])
        let session = MonitorSession(port: port, output: captured.output(), executor: executor)
        try executor.run {
            _ = try await session.run(
                keys: AsyncStream { continuation in
                    continuation.yield(Array("bob\n".utf8))
                    continuation.finish()
                })
        }
        #expect(captured.data == "[    0.100] name? hello\n")
        #expect(port.written == "bob\n")
        #expect(executor.now == .zero.advanced(by: .seconds(1)))
    }

    @Test("ends after a program's input, but not after one without bytes", arguments: [true, false])
    func programEnds(isEmpty: Bool) throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(executor, [(.seconds(5), "late\n")], endsWithError: true)
        let session = MonitorSession(port: port, output: captured.output(), executor: executor)
        let keys = AsyncStream<[UInt8]> { continuation in
            if !isEmpty { continuation.yield([0x78]) }
            continuation.finish()
        }
        let outcome = Result { try executor.run { try await session.run(keys: keys, areTyped: false) } }
        if isEmpty {
            #expect(throws: SerialPortError.self) { try outcome.get() }
            #expect(captured.data == "[    5.000] late\n")
        } else {
            #expect(try outcome.get() == .passed)
            #expect(captured.data.isEmpty && executor.now == .zero.advanced(by: .seconds(1)))
        }
    }

    @Test("ends when standard output cannot be written")
    func outputEnds() throws {
        let executor = BenchExecutor()
        let port = ScriptedPort(executor, [(.seconds(1), "a\n"), (.seconds(1), "b\n")])
        let output = Output(
            dataIsColoured: false, showsBar: false,
            writeData: { (_) throws(SystemFault) in throw SystemFault(ENOSPC) }, writeNote: { _ in })
        let session = MonitorSession(port: port, output: output, executor: executor)
        let failure = #expect(throws: CommandFailure.self) {
            try executor.run { _ = try await session.run(keys: keys(executor, [])) }
        }
        #expect(failure?.status == .benchFault)
        #expect(failure?.message == "standard output could not be written: No space left on device")
        #expect(executor.now == .zero.advanced(by: .seconds(1)))
    }

    @Test("reads a program's input only as fast as the port accepts it, and keeps its time", arguments: [true, false])
    func endlessInput(acceptsBytes: Bool) throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(executor, [(.seconds(1), "seen\n")], acceptsBytes: acceptsBytes)
        var settings = MonitorSettings()
        settings.timeout = .seconds(5)
        let session = MonitorSession(port: port, output: captured.output(), executor: executor, settings: settings)
        let taken = Mutex(0)
        // So many that they end at some time.
        let keys = AsyncStream<[UInt8]> {
            taken.withLock { taken in
                taken += 1
                return taken <= 2000 ? [UInt8](repeating: 0x79, count: 1000) : nil
            }
        }
        try executor.run { _ = try await session.run(keys: keys, areTyped: false) }
        #expect(captured.data == "[    1.000] seen\n")
        if acceptsBytes {
            #expect(port.written.utf8.count == 2_000_000)
        } else {
            #expect(taken.withLock { $0 } < 10)
        }
    }

    @Test("takes keys also while the port accepts nothing, and says what is not sent")
    func keysOfAStuckPort() throws {
        let executor = BenchExecutor()
        let captured = CapturedOutput()
        let port = ScriptedPort(executor, [], acceptsBytes: false)
        let session = MonitorSession(port: port, output: captured.output(), executor: executor)
        let keys = AsyncStream<[UInt8]> { continuation in
            for _ in 0..<2000 { continuation.yield([UInt8](repeating: 0x79, count: 1000)) }
            executor.schedule(at: MonotonicInstant.zero.advanced(by: .seconds(2))) { continuation.yield([0x1D]) }
        }
        try executor.run { _ = try await session.run(keys: keys) }
        #expect(captured.data.hasSuffix("--- not sent: the port does not accept what was typed before\n"))
        #expect(executor.now < .zero.advanced(by: .seconds(3)))
    }
}
