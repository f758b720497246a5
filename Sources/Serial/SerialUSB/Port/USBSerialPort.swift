import Dispatch
import Inbox
public import SerialPort
import Synchronization

/// A serial port on a USB device, through libusb.
///
/// Opening claims the device, detaches the kernel's driver until the port is closed, and leaves DTR and RTS
/// deasserted, so that the board keeps running. Time is the machine's monotonic clock; no call blocks the caller's
/// thread.
///
/// A chip with its own USB (USB-Serial-JTAG, USB-OTG) vanishes from the bus when it is reset, and comes back. The port
/// follows it: pending reads continue, other calls wait, and bytes written meanwhile are lost, as with a board in
/// reset. The device must be back within ``USBKind/returnLimit``; otherwise all calls fail with `disconnected`.
public final class USBSerialPort: SerialPort {
    private enum Phase {
        case open(USBConnection)
        /// The device has vanished and may come back.
        case away
        case ended(SerialPortError)
    }

    private struct State {
        var phase: Phase
        var settings: SerialSettings
        var traits: PortTraits
        var departures = 0
        /// The last connection; it may still be giving its device back in the phase ``Phase/ended(_:)``.
        var connection: USBConnection?
        /// Counts openings of the device: late reports of an earlier opening are ignored.
        var openings = 0
    }

    /// The address.
    public let name: String
    private let address: USBAddress
    private let returnLimit: Duration
    private let queue: ByteInbox<SerialPortError>
    /// Calls that wait while the device is away.
    private let returning = Waiters()
    private let state: Mutex<State>

    private init(_ address: USBAddress, name: String, _ settings: SerialSettings, returnLimit: Duration) {
        self.name = name
        self.address = address
        self.returnLimit = returnLimit
        queue = ByteInbox(
            secondReader: SerialPortError(.busy, port: name, ByteInbox<SerialPortError>.secondReaderText))
        state = Mutex(State(phase: .away, settings: settings, traits: PortTraits()))
    }

    deinit {
        guard case .open(let connection) = state.withLock({ $0.phase }) else { return }
        let name = name
        Task.detached { await connection.close(name: name) }
    }

    /// Opens the device at `address`.
    static func open(
        _ address: USBAddress, name: String, _ settings: SerialSettings, returnLimit: Duration
    ) async throws(SerialPortError) -> USBSerialPort {
        let port = USBSerialPort(address, name: name, settings, returnLimit: returnLimit)
        try await port.connect { devices throws(SerialPortError) in try USBKind.select(address, name, devices) }
        return port
    }

    /// Opens a device, and assigns it to the port.
    private func connect(
        _ select: @escaping @Sendable ([USBDevice]) throws(SerialPortError) -> USBDevice
    ) async throws(SerialPortError) {
        let (rate, opening) = state.withLock { state in
            state.openings += 1
            return (state.settings.baudRate, state.openings)
        }
        let events = USBConnection.Events(
            received: { [queue] in queue.append($0) }, ended: { [weak self] in self?.ended($0, opening) })
        let connection = try await USBConnection.open(
            name: name, interface: address.interface, rate: rate, events, select: select)
        queue.onRoom { [weak connection] in connection?.resume() }
        let isWanted = state.withLock { state in
            guard case .away = state.phase else { return false }
            state.phase = .open(connection)
            state.connection = connection
            state.traits = connection.driver.traits
            return true
        }
        returning.resumeAll()
        if !isWanted { return await connection.close(name: name) }
        // The connection may have ended before the port stored it.
        if let fault = connection.endFault { ended(fault, opening) }
    }

    // MARK: SerialPort

    /// All devices have them.
    public var hasModemLines: Bool { true }

    /// The traits of the device.
    public var traits: PortTraits { state.withLock { $0.traits } }

    /// Counts the resets of a chip with its own USB.
    public var departureCount: Int { state.withLock { $0.departures } }

    /// Waits for bytes; see `SerialPort`. A cancelled task gets a `CancellationError`.
    public func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        try await queue.read(upTo: maximum, within: timeout)
    }

    /// Sends all of `bytes`; fails when the device accepts none for 10 seconds. A cancelled task gets a
    /// `CancellationError`; bytes sent before that stay sent.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        let connection = try await connected()
        let rate = state.withLock { $0.settings.baudRate }
        do throws(USBFault) {
            try await connection.write(bytes, rate: rate)
        } catch {
            if error.kind == .cancelled { try Task.checkCancellation() }
            if error.kind == .timedOut {
                throw SerialPortError(.system, port: name, "writing: the device accepted nothing for 10 seconds")
            }
            if vanished(error, connection) { return }
            throw ending(error.error(name, "writing"))
        }
    }

    /// Discards bytes that were received and not read, here and in the device.
    public func discardInput() async throws {
        if case .open(let connection) = state.withLock({ $0.phase }) {
            try await absent(connection) { () throws(SerialPortError) in
                try await connection.purgeInput(name: self.name)
            }
        }
        try queue.discard()
    }

    /// Changes the rate to any that the chip has.
    public func configure(_ settings: SerialSettings) async throws {
        let connection = try await connected()
        try await absent(connection) { () throws(SerialPortError) in
            try await connection.configure(rate: settings.baudRate, name: self.name)
        }
        state.withLock { $0.settings = settings }
    }

    /// Sets DTR and RTS in one control transfer. A chip with its own USB may reset before it has acknowledged the
    /// transfer.
    public func setModemLines(_ lines: ModemLines) async throws {
        let connection = try await connected()
        try await absent(connection) { () throws(SerialPortError) in
            do throws(SerialPortError) {
                try await connection.setLines(lines, name: self.name)
            } catch {
                guard error.code == .system, connection.driver.reenumerates else { throw error }
            }
        }
    }

    /// Waits on the machine's clock.
    public func pause(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Closes the device and gives it back to the kernel's driver; a pending read or write fails with `disconnected`.
    public func close() async {
        let error = SerialPortError.closed(name)
        let connection = state.withLock { state -> USBConnection? in
            state.phase = .ended(error)
            return state.connection
        }
        queue.finish(error)
        returning.resumeAll()
        await connection?.close(name: name)
    }

    // MARK: Following the device

    /// The open device; waits while the device is away.
    private func connected() async throws -> USBConnection {
        while true {
            try Task.checkCancellation()
            switch state.withLock({ $0.phase }) {
            case .open(let connection): return connection
            case .ended(let error): throw error
            case .away:
                await returning.wait { [self] in
                    if case .away = state.withLock({ $0.phase }) { false } else { true }
                }
            }
        }
    }

    /// Performs a request; if the device may vanish at a reset, its disappearance counts as success.
    private func absent(
        _ connection: USBConnection, _ body: () async throws(SerialPortError) -> Void
    ) async throws(SerialPortError) {
        do throws(SerialPortError) {
            try await body()
        } catch {
            guard error.code == .disconnected, vanished(USBFault(.gone, ""), connection) else { throw ending(error) }
        }
    }

    /// The error that ended the port, in place of an error that only results from it: if reception is the first to
    /// notice that the device is gone, closing cancels the other transfers.
    private func ending(_ error: SerialPortError) -> SerialPortError {
        guard error.code == .disconnected, case .ended(let cause) = state.withLock({ $0.phase }) else { return error }
        return cause
    }

    /// True if `fault` means that the device of `connection` has vanished and the port follows it.
    private func vanished(_ fault: USBFault, _ connection: USBConnection) -> Bool {
        guard fault.kind != .stalled, connection.driver.reenumerates else { return false }
        switch state.withLock({ $0.phase }) {
        case .away: return true
        // A transfer that fails is the first sign that the device leaves.
        case .open(let current): return current !== connection || fault.kind == .gone || fault.kind == .other
        case .ended: return false
        }
    }

    /// The reception of an opening has ended.
    private func ended(_ fault: USBFault, _ opening: Int) {
        let lost = state.withLock { state -> (connection: USBConnection, follows: Bool)? in
            guard opening == state.openings, case .open(let connection) = state.phase else { return nil }
            let follows = connection.driver.reenumerates && fault.kind == .gone
            state.phase = follows ? .away : .ended(fault.error(name, "reading"))
            if follows { state.departures += 1 }
            return (connection, follows)
        }
        guard let lost else { return }
        if !lost.follows { queue.finish(fault.error(name, "reading")) }
        let reference = Reference(port: self)
        Task { [name, returnLimit] in
            await lost.connection.close(name: name)
            if lost.follows { await Self.follow(lost.connection.info.identity, limit: returnLimit, reference) }
        }
    }

    /// A weak reference: the port can be released while its device is away.
    private struct Reference: Sendable {
        weak let port: USBSerialPort?
    }

    /// The interval between two searches for a device that is away.
    private static let lookInterval = Duration.milliseconds(50)

    /// Opens the device again when it has come back.
    private static func follow(
        _ identity: USBIdentity, limit: Duration, _ reference: Reference
    ) async {
        let awaited = DeviceReturn(identity)
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        var lastError: SerialPortError?
        while clock.now < deadline {
            guard let port = reference.port, case .away = port.state.withLock({ $0.phase }) else { return }
            do throws(SerialPortError) {
                return try await port.connect { devices throws(SerialPortError) in
                    try returned(identity, awaited, devices, port.name)
                }
            } catch {
                // The device is missing, or the system is still setting it up: the driver binds, udev sets permissions.
                lastError = error
            }
            try? await clock.sleep(for: lookInterval)
        }
        reference.port?.giveUp(lastError)
    }

    /// The device that had the identity `before`.
    private static func returned(
        _ before: USBIdentity, _ awaited: DeviceReturn, _ devices: [USBDevice], _ name: String
    ) throws(SerialPortError) -> USBDevice {
        if let index = awaited.index(in: devices.map(\.info.identity)) { return devices[index] }
        guard let other = devices.first(where: { $0.info.identity.location == before.location })?.info else {
            throw SerialPortError(.notFound, port: name, "was it unplugged?")
        }
        let number = other.identity.serialNumber.map { ", serial number \($0)" } ?? ""
        throw SerialPortError(.notFound, port: name, "in its place is \(other.summary)\(number)")
    }

    private func giveUp(_ cause: SerialPortError?) {
        let seconds = returnLimit.components.seconds
        let detail = cause?.detail ?? ""
        let error = SerialPortError(
            .disconnected, port: name, "the device vanished and did not come back within \(seconds) s; \(detail)")
        state.withLock { state in
            if case .away = state.phase { state.phase = .ended(error) }
        }
        queue.finish(error)
        returning.resumeAll()
    }
}
