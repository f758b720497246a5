package import Console
import MonotonicTime
import SerialPort
package import BenchExecutor

/// Shows a board's console with time stamps, and sends typed bytes, until Ctrl-], the end of input or the end of the
/// port.
package struct MonitorSession: Sendable {
    /// How long an incomplete line is held before it is shown.
    private static let partialLineDelay = Duration.milliseconds(250)
    /// How long output is shown after the end of input, for the answer to its last line.
    private static let finalOutputTime = Duration.seconds(1)

    private let port: any SerialPort
    private let output: Output
    private let executor: BenchExecutor
    private let crashes: CrashLines

    /// A session on `port`; the time stamps are of `executor`'s clock. `crashes` gives the places of a crash.
    package init(
        port: any SerialPort, output: Output, executor: BenchExecutor, crashes: CrashLines = CrashLines(symbols: nil)
    ) {
        self.port = port
        self.crashes = crashes
        self.output = output
        self.executor = executor
    }

    /// Runs a session on the port at `address` with the keyboard.
    static func run(
        at address: PortAddress, _ executor: BenchExecutor, _ output: Output, crashes: CrashLines
    ) async throws {
        let port = try await Ports.open(address)
        try await MonitorSession(port: port, output: output, executor: executor, crashes: crashes).run()
        await port.close()
    }

    /// Runs the session with the keyboard.
    func run() async throws {
        let terminal = RawTerminal()
        defer { terminal.leave() }
        output.note("monitoring \(port.name), Ctrl-] leaves")
        try await run(keys: KeyboardInput.bytes())
    }

    /// Runs the session; `keys` are the typed bytes.
    ///
    /// - Throws: `SerialPortError` when the port fails; ``CommandFailure`` when standard output cannot be written.
    package func run(keys: AsyncStream<[UInt8]>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await show() }
            group.addTask {
                let hasLeft = try await send(keys)
                if !hasLeft { try await BenchClock(executor).sleep(for: Self.finalOutputTime) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Shows the console until cancelled.
    private func show() async throws {
        var lines = LineAssembler()
        let origin = executor.now
        var crashes = crashes
        while !Task.isCancelled {
            let bytes: [UInt8]
            do {
                bytes = try await port.read(upTo: 4096, within: Self.partialLineDelay)
            } catch is CancellationError {
                return
            }
            for line in lines.append(bytes, at: executor.now) { await show(line, origin, &crashes) }
            if bytes.isEmpty, let line = lines.flush() { await show(line, origin, &crashes) }
            try output.checkData()
        }
    }

    /// Shows a line with its time stamp, seconds since the session began, and below it where its code addresses are.
    private func show(_ line: ConsoleLine, _ origin: MonotonicInstant, _ crashes: inout CrashLines) async {
        output.data(StampedLine.text(line, since: origin) + "\n")
        guard crashes.mayDecode(line.text) else { return }
        for text in await crashes.lines(below: line.text) { output.data(StampedLine.continuation(text) + "\n") }
    }

    /// Sends typed bytes; returns `true` when the user leaves, `false` at the end of input.
    private func send(_ keys: AsyncStream<[UInt8]>) async throws -> Bool {
        for await bytes in keys {
            let typed = bytes.prefix { $0 != KeyboardInput.leave }
            if !typed.isEmpty { try await port.write(Array(typed)) }
            if typed.count < bytes.count { return true }
        }
        return false
    }
}
