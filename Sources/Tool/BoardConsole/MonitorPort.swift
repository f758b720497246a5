internal import BenchExecutor
import CommandSupport
internal import Console
import MonotonicTime
import SerialPort
import Synchronization

/// The board's port as a monitor uses it: read continuously, and reopened after a loss.
final class MonitorPort: Sendable {
    /// Reopens the port.
    typealias Opening = @Sendable () async throws -> any SerialPort

    /// An event of the port.
    enum Event: Sendable {
        /// Bytes were received.
        case received([UInt8], MonotonicInstant)
        /// No byte was received for the time after which an incomplete line is shown.
        case idle(MonotonicInstant)
        /// The board has left the bus; the port waits for its return.
        case away
        /// The connection was lost; the port is being reopened.
        case lost(String)
        /// The connection was restored, after this time.
        case back(Duration)
        /// The connection was lost permanently.
        case failed(SerialPortError)
    }

    /// The maximum number of bytes that wait while a crash is decoded or the screen is slow; above it, the port is not
    /// read.
    private static let limit = 16 << 20
    /// The pause between two reads of continuous output, so that one read returns many bytes (900 at 3 Mbaud).
    private static let gathering = Duration.milliseconds(3)
    private static let retry = Duration.milliseconds(200)
    /// After this time without bytes, all output from before a reset has been received.
    private static let silence = Duration.milliseconds(100)
    /// The longest time for which output is dropped if the reset does not hold the board.
    private static let dropLimit = Duration.seconds(1)

    private let current: Mutex<any SerialPort>
    private let reopen: Opening?
    /// Bytes received earlier, which are shown first.
    private let received: [UInt8]
    private let clock: BenchClock
    private let waiting = Mutex(0)
    private let lastReceived = Mutex(MonotonicInstant.zero)

    /// The port, which is already open; without `reopen` it is not opened again.
    init(_ port: any SerialPort, _ executor: BenchExecutor, reopen: Opening?, received: [UInt8] = []) {
        current = Mutex(port)
        self.reopen = reopen
        self.received = received
        clock = BenchClock(executor)
    }

    private var port: any SerialPort { current.withLock { $0 } }

    /// The port's name.
    var name: String { port.name }

    /// Sends `bytes`.
    func write(_ bytes: [UInt8]) async throws { try await port.write(bytes) }

    /// Waits until the other side has received all written bytes, if the port can report this.
    func drain() async throws { try await port.drain() }

    /// Waits until nothing has been received for this time.
    func waitForQuiet(_ time: Duration) async throws {
        while true {
            let end = lastReceived.withLock { $0 }.advanced(by: time)
            guard clock.now < end else { return }
            try await clock.sleep(until: end)
        }
    }

    /// Resets the board, into its loader if `intoLoader` is true.
    func reset(intoLoader: Bool) async throws {
        try await ResetSequence.reset(try resettablePort(), intoLoader: intoLoader)
    }

    /// Restarts the board, and drops its earlier output, so that the next byte read was sent after the reset.
    ///
    /// No other task may read the port meanwhile.
    ///
    /// - Throws: `CancellationError` when `interruption` ends the wait for a chip that has left the bus.
    func restart(_ interruption: Interruption) async throws {
        let port = try resettablePort()
        guard port.traits.interface == .uart else {
            // A chip whose native USB is the port cannot be held in reset: it boots at once.
            return try await interruption.cancelling {
                try await port.discardInput()
                try await ResetSequence.reset(port, intoLoader: false)
            }
        }
        try await ResetSequence.reset(port, intoLoader: false) {
            // A chip in reset is silent: bytes still received were sent before the reset.
            let end = clock.now.advanced(by: Self.dropLimit)
            while clock.now < end, try await !port.read(upTo: 65_536, within: Self.silence).isEmpty {}
        }
    }

    private func resettablePort() throws -> any SerialPort {
        let port = port
        guard port.hasModemLines else {
            throw SerialPortError(
                .noModemLines, port: port.name, "it has no DTR and RTS: the board cannot be reset through it")
        }
        return port
    }

    /// Closes the port.
    func close() async { await port.close() }

    /// Records that `count` received bytes have been processed.
    func processed(_ count: Int) { waiting.withLock { $0 -= count } }

    /// Reads until the task is cancelled, or the port is lost permanently.
    func run(_ report: @Sendable (Event) -> Void) async {
        if !received.isEmpty {
            waiting.withLock { $0 += received.count }
            report(.received(received, clock.now))
        }
        while !Task.isCancelled {
            do {
                try await read(report)
                return
            } catch is CancellationError {
                return
            } catch {
                let error =
                    error as? SerialPortError ?? SerialPortError(.system, port: name, "reading: \(error)")
                // A server that refuses a second client is not a lost connection.
                guard reopen != nil, error.code != .busy else { return report(.failed(error)) }
                report(.lost(error.description))
                guard await connectAgain(report) else { return }
            }
        }
    }

    private func read(_ report: (Event) -> Void) async throws {
        let port = port
        var former = clock.now
        var departures = 0
        while !Task.isCancelled {
            let bytes = try await port.read(upTo: 65_536, within: MonitorView.partialLineDelay)
            let now = clock.now
            if port.departureCount != departures {
                departures = port.departureCount
                report(.away)
            }
            guard !bytes.isEmpty else {
                report(.idle(now))
                continue
            }
            let isFull = waiting.withLock { waiting in
                waiting += bytes.count
                return waiting >= Self.limit
            }
            lastReceived.withLock { $0 = now }
            report(.received(bytes, now))
            if isFull {
                while waiting.withLock({ $0 >= Self.limit }) { try await clock.sleep(for: Self.gathering) }
            } else if former.duration(to: now) < Self.gathering + .milliseconds(2) {
                try await clock.sleep(for: Self.gathering)
            }
            former = clock.now
        }
    }

    /// Reopens the port until it answers; `false` when the task is cancelled.
    private func connectAgain(_ report: (Event) -> Void) async -> Bool {
        guard let reopen else { return false }
        let start = clock.now
        await port.close()
        while !Task.isCancelled {
            do {
                try await clock.sleep(for: Self.retry)
                let new = try await reopen()
                current.withLock { $0 = new }
                // A server that has another client accepts the connection, sends a refusal, and closes the connection.
                var bytes = try await new.read(upTo: 65_536, within: Self.retry)
                bytes += try await new.read(upTo: 65_536, within: Self.retry)
                let now = clock.now
                report(.back(start.duration(to: now)))
                if !bytes.isEmpty {
                    waiting.withLock { $0 += bytes.count }
                    report(.received(bytes, now))
                }
                return true
            } catch {
                await port.close()
            }
        }
        return false
    }
}
