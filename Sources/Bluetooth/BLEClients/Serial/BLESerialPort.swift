import BenchExecutor
internal import BLECentral
internal import MonotonicTime
public import SerialPort
import Synchronization

/// Presents a serial line over Bluetooth LE as a serial port, for a monitor, a pseudo-terminal, or a server.
///
/// It has no modem lines and no settable rate. Closing it does not end the connection.
public final class BLESerialPort: SerialPort {
    /// The port's name in messages.
    public let name: String
    /// Always false.
    public let hasModemLines = false

    private let serial: BLESerial
    private let isClosed = Atomic(false)

    /// A port for `serial`; the caller connects and disconnects it.
    public init(_ serial: BLESerial, name: String) {
        self.serial = serial
        self.name = name
    }

    /// Waits for at least one byte, and returns the bytes received, at most `maximum`.
    public func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try check("reading")
        do {
            return try await serial.read(upTo: maximum, within: timeout)
        } catch let error as CentralError {
            throw fault(error)
        }
    }

    /// Queues `bytes` for sending.
    public func write(_ bytes: [UInt8]) async throws {
        try check("writing")
        do throws(CentralError) {
            try await serial.send(bytes)
        } catch {
            throw Task.isCancelled ? CancellationError() : fault(error)
        }
    }

    /// Waits until the board has confirmed all written bytes.
    public func drain() async throws {
        try check("waiting until all is sent")
        do throws(CentralError) {
            try await serial.waitUntilSent()
        } catch {
            throw Task.isCancelled ? CancellationError() : fault(error)
        }
    }

    /// Discards unread bytes.
    public func discardInput() async throws {
        try check("discarding")
        await serial.discardReceived()
    }

    /// Does nothing: the rate of the board's UART cannot be set from here.
    public func configure(_ settings: SerialSettings) async throws { try check("configuring") }

    /// Does nothing.
    public func setModemLines(_ lines: ModemLines) async throws { try check("setting modem lines") }

    /// Suspends for `duration` by the central's clock.
    public func pause(for duration: Duration) async throws {
        try await BenchClock(serial.central.executor).sleep(for: duration)
    }

    /// Closes this port; the connection remains.
    public func close() async { isClosed.store(true, ordering: .releasing) }

    private func check(_ operation: String) throws(SerialPortError) {
        guard isClosed.load(ordering: .acquiring) else { return }
        throw SerialPortError(.disconnected, port: name, "\(operation): the port is closed")
    }

    private func fault(_ error: CentralError) -> SerialPortError {
        SerialPortError(.disconnected, port: name, error.detail)
    }
}

/// Tasks that wait for a change; a cancelled one stops waiting.
struct WaitList {
    private var waiters: [AsyncStream<Never>.Continuation] = []

    /// A stream that ends at the next change.
    mutating func join() -> AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        waiters.append(continuation)
        return stream
    }

    /// Resumes all waiting tasks.
    mutating func release() {
        for waiter in waiters { waiter.finish() }
        waiters.removeAll(keepingCapacity: true)
    }
}
