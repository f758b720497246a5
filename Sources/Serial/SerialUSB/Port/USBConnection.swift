import Dispatch
import Inbox
internal import SerialPort
import Synchronization

/// An open device with its driver, from its opening until it is closed or gone.
final class USBConnection: Sendable {
    /// A device answers a control transfer within this time.
    private static let controlLimit: UInt32 = 1000
    /// A write without progress for this time has failed.
    private static let writeLimit = Duration.seconds(10)

    /// How long old bytes are discarded after the opening; a full buffer of 2 KiB takes 2 ms.
    private static let oldBytesTime = Duration.milliseconds(20)

    /// The driver of the UART.
    let driver: any BridgeDriver
    /// The contents of the descriptors.
    let info: USBDeviceInfo
    private let handle: USBHandle
    private let pump: InputPump
    private let reception: Reception
    /// The task of the first ``close(name:)``.
    private let closing = Mutex<Task<Void, Never>?>(nil)

    /// The state of reception.
    private final class Reception: Sendable {
        /// True if received data are discarded.
        let discards = Atomic(false)
        /// Why reception has ended.
        let fault = Mutex<USBFault?>(nil)
    }

    /// Why reception has ended; `nil` while it is running.
    var endFault: USBFault? { reception.fault.withLock { $0 } }

    private init(
        _ info: USBDeviceInfo, _ driver: any BridgeDriver, _ handle: USBHandle, _ pump: InputPump,
        _ reception: Reception
    ) {
        (self.info, self.driver, self.handle, self.pump, self.reception) = (
            info, driver, handle, pump, reception
        )
    }

    /// The callbacks of a connection, called on the event thread.
    struct Events: Sendable {
        /// Receives bytes; the result `false` stops the flow until ``USBConnection/resume()``.
        var received: @Sendable ([UInt8]) -> Bool
        /// The device is gone, or was closed.
        var ended: @Sendable (USBFault) -> Void
    }

    /// Opens the device that `select` finds, sets the UART up at `rate` and starts receiving.
    ///
    /// - Parameter name: the port's, for errors.
    static func open(
        name: String, interface: UInt8?, rate: Int,
        _ events: Events,
        select: @escaping @Sendable ([USBDevice]) throws(SerialPortError) -> USBDevice
    ) async throws(SerialPortError) -> USBConnection {
        let claimed: Result<(USBDeviceInfo, any BridgeDriver, USBHandle), SerialPortError> =
            await withCheckedContinuation { continuation in
                // Enumeration and opening block.
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(SerialPortError) in
                            try claim(name, interface, select)
                        })
                }
            }
        var (info, driver, handle) = try claimed.get()
        do throws(SerialPortError) {
            if let inquiry = driver.inquiry { driver.learn(try await answer(inquiry, handle, name)) }
            guard let settings = driver.configure(rate: rate) else { throw .rate(rate, driver, name) }
            for request in driver.start + settings { try await send(request, handle, name, "setting the device up") }
            let (filter, reception) = (driver, Reception())
            // A UART without a command to discard its buffer first sends bytes that it received at another rate.
            let discards = driver.purgeInput.isEmpty && driver.traits.interface == .uart
            reception.discards.store(discards, ordering: .releasing)
            let pump = InputPump(handle, endpoint: driver.endpoints.input) { bytes in
                if reception.discards.load(ordering: .acquiring) { return true }
                return events.received(filter.payload(of: bytes))
            } ended: { fault in
                reception.fault.withLock { $0 = fault }
                events.ended(fault)
            }
            let result = USBConnection(info, driver, handle, pump, reception)
            do throws(USBFault) {
                try pump.start()
            } catch {
                throw error.error(name, "starting to receive")
            }
            if discards {
                try? await ContinuousClock().sleep(for: oldBytesTime)
                reception.discards.store(false, ordering: .releasing)
            }
            return result
        } catch {
            await handle.close()
            throw error
        }
    }

    private static func claim(
        _ name: String, _ interface: UInt8?, _ select: ([USBDevice]) throws(SerialPortError) -> USBDevice
    ) throws(SerialPortError) -> (USBDeviceInfo, any BridgeDriver, USBHandle) {
        let devices: [USBDevice]
        do throws(USBFault) {
            devices = try USBContext().devices()
        } catch {
            throw error.error(name, "listing the USB devices")
        }
        let device = try select(devices)
        guard let driver = BridgeTable.driver(for: device.info, interface: interface) else {
            throw SerialPortError(
                .unsupported, port: name,
                "expected a USB serial device\(interface.map { " with a UART at interface \($0)" } ?? ""), got "
                    + device.info.summary)
        }
        do throws(USBFault) {
            let handle = try device.open()
            try handle.claim(driver.interfaces)
            return (device.info, driver, handle)
        } catch {
            throw error.error(name, "opening")
        }
    }

    // MARK: Requests

    /// Sets the rate.
    func configure(rate: Int, name: String) async throws(SerialPortError) {
        guard let requests = driver.configure(rate: rate) else { throw .rate(rate, driver, name) }
        for request in requests { try await Self.send(request, handle, name, "setting the rate") }
    }

    /// Sets both modem lines.
    func setLines(_ lines: ModemLines, name: String) async throws(SerialPortError) {
        try await Self.send(driver.setLines(lines), handle, name, "setting DTR and RTS")
    }

    /// Discards the bytes buffered in the device.
    func purgeInput(name: String) async throws(SerialPortError) {
        for request in driver.purgeInput { try await Self.send(request, handle, name, "discarding input") }
    }

    /// Sends `bytes`, in transfers that take about a quarter of a second at `rate`.
    func write(_ bytes: [UInt8], rate: Int) async throws(USBFault) {
        let packet = driver.endpoints.output.packetSize
        let chunk = min(max(rate / 40, packet), 16_384) / packet * packet
        let run = OutputRun(bytes, chunk: chunk, to: driver.endpoints.output.address, handle)
        try await run.perform(progressWithin: Self.writeLimit)
    }

    /// Lets bytes flow again after `received` returned `false`.
    func resume() { pump.resume() }

    /// Ends the use of the UART and closes the device; all its transfers end. Returns when the device is closed, even
    /// if another call closes it.
    func close(name: String) async {
        let task = closing.withLock { closing in
            if let closing { return closing }
            let task = Task { [driver, handle] in
                for request in driver.stop { try? await Self.send(request, handle, name, "closing") }
                await handle.close()
            }
            closing = task
            return task
        }
        await task.value
    }

    private static func send(
        _ request: ControlTransfer, _ handle: USBHandle, _ name: String, _ action: String
    ) async throws(SerialPortError) {
        let outcome = await perform(request, handle)
        if let fault = outcome.fault { throw fault.error(name, action) }
    }

    /// The answer to an inquiry; empty if the device refuses it.
    private static func answer(
        _ request: ControlTransfer, _ handle: USBHandle, _ name: String
    ) async throws(SerialPortError) -> [UInt8] {
        let outcome = await perform(request, handle)
        guard let fault = outcome.fault else { return outcome.bytes }
        if fault.kind == .stalled { return [] }
        throw fault.error(name, "asking for the kind of chip")
    }

    private static func perform(_ request: ControlTransfer, _ handle: USBHandle) async -> USBTransfer.Outcome {
        await withCheckedContinuation { continuation in
            do throws(USBFault) {
                try handle.submit(
                    try USBTransfer.control(request, milliseconds: controlLimit, handle) { _, outcome in
                        continuation.resume(returning: outcome)
                    })
            } catch {
                continuation.resume(returning: USBTransfer.Outcome(fault: error, bytes: [], count: 0))
            }
        }
    }
}

extension SerialPortError {
    fileprivate static func rate(_ rate: Int, _ driver: any BridgeDriver, _ port: String) -> SerialPortError {
        let highest = driver.traits.highestBaudRate.map { ", its highest is \($0)" } ?? ""
        return SerialPortError(
            .unsupported, port: port, "the \(driver.name) has no rate of \(rate) bits per second\(highest)")
    }
}

/// One write: sends its bytes in several transfers, some of them in flight at a time.
final class OutputRun: Sendable {
    private static let depth = 4

    private struct State {
        var rest: ArraySlice<UInt8>
        var inFlight: [ObjectIdentifier: USBTransfer] = [:]
        var fault: USBFault?
        /// Counts completed transfers, for the check of progress.
        var progress = 0
        var continuation: CheckedContinuation<USBFault?, Never>?
    }

    private let handle: USBHandle
    private let endpoint: UInt8
    private let chunk: Int
    private let state: Mutex<State>

    /// The write of `bytes` in transfers of `chunk` bytes.
    init(_ bytes: [UInt8], chunk: Int, to endpoint: UInt8, _ handle: USBHandle) {
        self.handle = handle
        self.endpoint = endpoint
        self.chunk = max(1, chunk)
        state = Mutex(State(rest: bytes[...]))
    }

    /// Sends the bytes; ends when the device has accepted all of them.
    ///
    /// - Parameter limit: the longest time without progress.
    /// - Throws: ``USBFault``; kind `timedOut` after `limit`, `cancelled` when the task is cancelled.
    func perform(progressWithin limit: Duration) async throws(USBFault) {
        let fault = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                watch(limit, since: -1)
                submitMore()
            }
        } onCancel: {
            stop(USBFault(.cancelled, "cancelled"))
        }
        if let fault { throw fault }
    }

    /// Submits as many bytes as there is room for; ends the write when nothing is left.
    ///
    /// Under the lock: the caller and the thread of completions both call this function, and the bytes must be sent in
    /// order.
    private func submitMore() {
        let (failed, finished) = state.withLock {
            state -> ([USBTransfer], (CheckedContinuation<USBFault?, Never>, USBFault?)?) in
            while state.fault == nil, !state.rest.isEmpty, state.inFlight.count < Self.depth {
                do throws(USBFault) {
                    let transfer = try USBTransfer.sending(state.rest.prefix(chunk), to: endpoint, handle) {
                        [self] in completed($0, $1)
                    }
                    try handle.submit(transfer)
                    state.inFlight[ObjectIdentifier(transfer)] = transfer
                    state.rest = state.rest.dropFirst(chunk)
                } catch {
                    state.fault = error
                }
            }
            guard state.fault != nil || state.rest.isEmpty else { return ([], nil) }
            guard state.inFlight.isEmpty else { return (state.fault == nil ? [] : Array(state.inFlight.values), nil) }
            return ([], state.continuation.take().map { ($0, state.fault) })
        }
        for transfer in failed { transfer.cancel() }
        finished?.0.resume(returning: finished?.1)
    }

    private func completed(_ transfer: USBTransfer, _ outcome: USBTransfer.Outcome) {
        state.withLock { state in
            state.inFlight[ObjectIdentifier(transfer)] = nil
            state.progress += 1
        }
        if let fault = outcome.fault { stop(fault) }
        submitMore()
    }

    /// Ends the write with `fault`, when the transfers in flight have ended.
    private func stop(_ fault: USBFault) {
        let running = state.withLock { state in
            if state.fault == nil { state.fault = fault }
            return Array(state.inFlight.values)
        }
        for transfer in running { transfer.cancel() }
    }

    /// Ends the write when nothing was sent for `limit`.
    private func watch(_ limit: Duration, since seen: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) { [weak self] in
            guard let self else { return }
            let (progress, isRunning) = state.withLock { ($0.progress, $0.continuation != nil) }
            guard isRunning else { return }
            if progress == seen || (seen < 0 && progress == 0) { return stop(USBFault(.timedOut, "no progress")) }
            watch(limit, since: progress)
        }
    }
}

/// Calls that wait for the same event; each can be cancelled.
final class Waiters: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Waits for ``resumeAll()``, or for the end of the task; not at all if `isOver`.
    func wait(unless isOver: @escaping @Sendable () -> Bool) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                // Checked when the wait can already be resumed, so that no event is missed.
                if isOver() || state.withLock({ $0.cancelled.contains(id) }) { resume(id) }
            }
        } onCancel: {
            state.withLock { _ = $0.cancelled.insert(id) }
            resume(id)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
    }

    private func resume(_ id: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }

    /// Ends all waits.
    func resumeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }
}
