internal import BenchExecutor
import CommandSupport
internal import Console
import MonotonicTime
import SerialPort
import Synchronization

/// The board's port as a monitor uses it: read without pause, opened again when it is lost.
final class MonitorPort: Sendable {
    /// Opens the port again.
    typealias Opening = @Sendable () async throws -> any SerialPort

    /// An event of the port.
    enum Event: Sendable {
        /// Bytes were received.
        case received([UInt8], MonotonicInstant)
        /// Nothing was received for the delay of incomplete lines.
        case idle(MonotonicInstant)
        /// The board has left the bus, and the port follows it.
        case away
        /// The connection was lost; the port is opened again.
        case lost(String)
        /// It is connected again, after this time.
        case back(Duration)
        /// The connection was lost for good.
        case failed(SerialPortError)
    }

    /// How many bytes wait in memory while a crash is decoded or the screen is slow; then the port is not read.
    private static let limit = 16 << 20
    /// Pauses of a port that sends without pause, so that one wake-up brings many bytes. At 3 Mbaud 900 bytes arrive in it.
    private static let gathering = Duration.milliseconds(3)
    private static let retry = Duration.milliseconds(200)
    /// After so long without bytes everything from before a reset has arrived.
    private static let silence = Duration.milliseconds(100)
    /// How long output is dropped, should a board not be held by its reset.
    private static let dropLimit = Duration.seconds(1)

    private let current: Mutex<any SerialPort>
    private let reopen: Opening?
    /// The bytes received before, which are shown first.
    private let received: [UInt8]
    private let clock: BenchClock
    private let waiting = Mutex(0)
    private let lastReceived = Mutex(MonotonicInstant.zero)

    /// The port that is open now; `reopen` is `nil` if it is not opened again.
    init(_ port: any SerialPort, _ executor: BenchExecutor, reopen: Opening?, received: [UInt8] = []) {
        current = Mutex(port)
        self.reopen = reopen
        self.received = received
        clock = BenchClock(executor)
    }

    private var port: any SerialPort { current.withLock { $0 } }

    /// Its name.
    var name: String { port.name }

    /// Sends `bytes`.
    func write(_ bytes: [UInt8]) async throws { try await port.write(bytes) }

    /// Waits until the other side has what was written, where the port can tell.
    func drain() async throws { try await port.drain() }

    /// Waits until nothing has been received for this time.
    func waitForQuiet(_ time: Duration) async throws {
        while true {
            let end = lastReceived.withLock { $0 }.advanced(by: time)
            guard clock.now < end else { return }
            try await clock.sleep(until: end)
        }
    }

    /// Restarts the board, into its loader if asked for.
    func reset(intoLoader: Bool) async throws {
        try await ResetSequence.reset(try resettablePort(), intoLoader: intoLoader)
    }

    /// Restarts the board, and drops what it had printed before: what is read next comes from after the reset.
    ///
    /// Nothing may read the port meanwhile.
    ///
    /// - Throws: `CancellationError` when `interruption` ends the wait for a chip that has left the bus.
    func restart(_ interruption: Interruption) async throws {
        let port = try resettablePort()
        guard port.traits.interface == .uart else {
            // A chip whose own USB device is the port is not held: it boots at once.
            return try await interruption.cancelling {
                try await port.discardInput()
                try await ResetSequence.reset(port, intoLoader: false)
            }
        }
        try await ResetSequence.reset(port, intoLoader: false) {
            // A chip in reset is silent: what still comes has been on its way.
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

    /// Gives the port back.
    func close() async { await port.close() }

    /// Says that received bytes have been processed.
    func processed(_ count: Int) { waiting.withLock { $0 -= count } }

    /// Reads until cancelled, or until the port is lost for good.
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
                // A server that refuses a second client is no connection that was lost.
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

    /// Opens the port until it answers; `false` when cancelled.
    private func connectAgain(_ report: (Event) -> Void) async -> Bool {
        guard let reopen else { return false }
        let start = clock.now
        await port.close()
        while !Task.isCancelled {
            do {
                try await clock.sleep(for: Self.retry)
                let new = try await reopen()
                current.withLock { $0 = new }
                // A server that has another client accepts the connection, says so, and ends it.
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
