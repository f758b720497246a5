import Dispatch
public import SerialPort
import Synchronization

/// A serial port of the machine: a tty by its path, such as `/dev/ttyUSB0` or a pseudo-terminal.
///
/// Opening locks the port for this process and leaves DTR and RTS deasserted, so that the board keeps running. Time is
/// the machine's monotonic clock. Calls block threads of the port, never the caller's.
public final class POSIXSerialPort: SerialPort {
    private let tty: TTY
    /// The properties of the connection to the chip that a flasher needs.
    public let traits: PortTraits
    private let readQueue: DispatchQueue
    private let writeQueue: DispatchQueue

    /// Opens the tty at `path`.
    ///
    /// - Parameter traits: the known properties of the device behind the tty.
    /// - Throws: `SerialPortError` with code `notFound`, `accessDenied`, `busy`, `unsupported` (not a tty, or an
    ///   unsupported rate) or `system`.
    public init(
        path: String, settings: SerialSettings = .default, traits: PortTraits = PortTraits()
    ) throws(SerialPortError) {
        self.traits = traits
        tty = try TTY(path: path, settings: settings)
        readQueue = DispatchQueue(label: "serial port, reading")
        writeQueue = DispatchQueue(label: "serial port, writing")
    }

    deinit {
        // There is no other reference to the port, so no call is pending.
        if tty.beginClosing() { tty.release() }
    }

    /// The path.
    public var name: String { tty.path }

    /// True if the tty has modem lines; a pseudo-terminal has none.
    public var hasModemLines: Bool { tty.hasModemLines }

    /// Waits for bytes; see `SerialPort`. A cancelled task gets a `CancellationError`.
    public func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        let cancellation = Cancellation()
        let bytes = try await withTaskCancellationHandler {
            try await Self.perform(on: readQueue) { [tty] in
                try tty.read(upTo: maximum, within: timeout) { cancellation.isSet }
            }
        } onCancel: { [tty] in
            cancellation.set()
            tty.wakeReader()
        }
        if bytes.isEmpty { try Task.checkCancellation() }
        return bytes
    }

    /// Sends all of `bytes`; fails when the driver accepts none for 10 seconds.
    public func write(_ bytes: [UInt8]) async throws {
        try await Self.perform(on: writeQueue) { [tty] in try tty.write(bytes) }
    }

    /// Discards bytes that were received and not read.
    public func discardInput() async throws {
        // Does not use the reading queue, where a read may be waiting.
        try await Self.perform(on: writeQueue) { [tty] in try tty.discardInput() }
    }

    /// Changes the rate to any number that the driver accepts.
    public func configure(_ settings: SerialSettings) async throws {
        try await Self.perform(on: writeQueue) { [tty] in try tty.configure(settings) }
    }

    /// Sets DTR and RTS in one step.
    public func setModemLines(_ lines: ModemLines) async throws {
        try await Self.perform(on: writeQueue) { [tty] in try tty.setModemLines(lines) }
    }

    /// Waits on the machine's clock.
    public func pause(for duration: Duration) async throws {
        let (seconds, attoseconds) = duration.components
        let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        await withCheckedContinuation { continuation in
            writeQueue.asyncAfter(deadline: deadline) { continuation.resume() }
        }
        try Task.checkCancellation()
    }

    /// Closes the port; a pending read or write fails with `disconnected`.
    public func close() async {
        guard tty.beginClosing() else { return }
        // When the running calls on both queues have ended, the descriptor is no longer used.
        await withCheckedContinuation { continuation in
            readQueue.async { [tty, writeQueue] in
                writeQueue.async {
                    tty.release()
                    continuation.resume()
                }
            }
        }
    }

    private static func perform<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// Signals a read on its queue that its task was cancelled.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
