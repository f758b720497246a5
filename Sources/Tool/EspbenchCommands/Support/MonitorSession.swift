import Console
import MonotonicTime
import SerialPort
package import BenchExecutor

/// Shows a board's console with time stamps, and sends what is typed, until Ctrl-], the end of what is typed or the
/// port's end.
package struct MonitorSession: Sendable {
    /// How long a line that has begun waits for its end before it is shown as it is.
    private static let patience = Duration.milliseconds(250)
    /// How long what the board prints is still shown when there is nothing more to type: the answer to a last line.
    private static let farewell = Duration.seconds(1)

    private let port: any SerialPort
    private let output: Output
    private let executor: BenchExecutor

    /// A session on `port`; the time of `executor` makes the stamps.
    package init(port: any SerialPort, output: Output, executor: BenchExecutor) {
        self.port = port
        self.output = output
        self.executor = executor
    }

    /// Runs a session on the port at `address` with the keyboard.
    static func run(at address: PortAddress, _ executor: BenchExecutor, _ output: Output) async throws {
        let port = try await Ports.open(address)
        try await MonitorSession(port: port, output: output, executor: executor).run()
        await port.close()
    }

    /// Runs the session with the keyboard.
    func run() async throws {
        let terminal = RawTerminal()
        defer { terminal.leave() }
        output.note("monitoring \(port.name), Ctrl-] leaves")
        try await run(keys: KeyboardInput.bytes())
    }

    /// Runs the session; `keys` is what is typed.
    ///
    /// - Throws: `SerialPortError` when the port fails; ``CommandFailure`` when the console cannot be written any more.
    package func run(keys: AsyncStream<[UInt8]>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await show() }
            group.addTask {
                let hasLeft = try await send(keys)
                if !hasLeft { try await BenchClock(executor).sleep(for: Self.farewell) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Shows what the board prints, until cancelled.
    private func show() async throws {
        var lines = LineAssembler()
        let origin = executor.now
        while !Task.isCancelled {
            let bytes: [UInt8]
            do {
                bytes = try await port.read(upTo: 4096, within: Self.patience)
            } catch is CancellationError {
                return
            }
            for line in lines.append(bytes, at: executor.now) { show(line, origin) }
            if bytes.isEmpty, let line = lines.flush() { show(line, origin) }
            try output.checkData()
        }
    }

    /// Shows a line with its stamp: seconds since the session began.
    private func show(_ line: ConsoleLine, _ origin: MonotonicInstant) {
        output.data(StampedLine.text(line, since: origin) + "\n")
    }

    /// Sends what is typed; `true` when the user leaves, `false` when there is nothing more to type.
    private func send(_ keys: AsyncStream<[UInt8]>) async throws -> Bool {
        for await bytes in keys {
            let typed = bytes.prefix { $0 != KeyboardInput.leave }
            if !typed.isEmpty { try await port.write(Array(typed)) }
            if typed.count < bytes.count { return true }
        }
        return false
    }
}
