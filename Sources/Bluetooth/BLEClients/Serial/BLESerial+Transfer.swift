import BenchExecutor
public import BLECentral
import BLECore
public import Console
internal import MonotonicTime

/// The bytes of one connection.
extension BLESerial {
    /// The time without a report after which the status of a board that counts is read.
    private static let statusTime = Duration.seconds(1)
    /// Limit of impossible reports in a row; a single one may be a response that a newer notification has overtaken.
    private static let disbeliefLimit = 3

    func setUp(_ peripheral: Peripheral) async throws(CentralError) {
        await endTransfer()
        let line: BLESerialLine
        let services = try await peripheral.services()
        do throws(CentralError) {
            line = try BLESerialLine(services)
        } catch {
            // A new connection would find the same services.
            fail(error)
            throw error
        }
        let chunk = try await prepareToSend(line)
        // Subscribe first: a board that numbers its bytes then keeps them until they are acknowledged.
        let values = try await line.output.values()
        count.connections += 1
        let name = await central.knownPeers[peripheral.id]?.name
        tell(.opened(peripheral.id, name: name, line.service, chunk: chunk))
        transfer = Task(executorPreference: central.executor) { await self.transfer(values, line) }
    }

    /// Exchanges the MTU, reads how much the board takes and its position in the streams; returns the longest chunk.
    private func prepareToSend(_ line: BLESerialLine) async throws(CentralError) -> Int {
        let peripheral = line.input.peripheral
        if central.abilities.contains(.mtuExchange) {
            // If the board refuses, the MTU remains unchanged.
            try await Self.allowingRefusal { () async throws(CentralError) in
                _ = try await peripheral.exchangeMTU(Self.mtu)
            }
        }
        disbelief = 0
        var status: BLESerialStatus?
        if let characteristic = line.status {
            status = BLESerialStatus(try await characteristic.read())
            if let status { tellLosses(status) }
        }
        var position: BLESerialPosition?
        isAcknowledging = false
        if let characteristic = line.position {
            position = BLESerialPosition(try await characteristic.read())
            if let position {
                try await characteristic.write(receiver.begin(position), .withResponse)
                isAcknowledging = true
            }
        }
        let properties = line.input.properties
        let (chunk, arrived, lost) = sender.begin(
            mtu: try await peripheral.mtu,
            BLESerialSender.Writes(
                commands: properties.contains(.writeWithoutResponse), requests: properties.contains(.write)),
            status, position)
        confirmed(arrived)
        unconfirmed(lost)
        return chunk
    }

    func unconfirmed(_ lost: Int) {
        guard lost > 0 else { return }
        count.unconfirmed += lost
        tell(.unconfirmed(lost))
        if sender.queued == 0, sender.unconfirmed == 0 { sent.release() }
    }

    /// Transfers bytes until the connection ends.
    private func transfer(_ values: AsyncThrowingStream<[UInt8], any Error>, _ line: BLESerialLine) async {
        let executor = central.executor
        let sending = Task(executorPreference: executor) { await self.transmit(line) }
        let counting = Task(executorPreference: executor) { await self.followStatus(line) }
        let acknowledging = Task(executorPreference: executor) { await self.acknowledge(line) }
        do {
            for try await value in values {
                receive(value)
                willAcknowledge(value.count)
            }
        } catch {
            // The reconnector reports the error.
        }
        sending.cancel()
        counting.cancel()
        acknowledging.cancel()
        await sending.value
        await counting.value
        await acknowledging.value
        unconfirmed(sender.end())
    }

    func endTransfer() async {
        transfer?.cancel()
        await transfer?.value
        transfer = nil
    }

    /// Sends waiting bytes until the connection ends; ends it after any other failure.
    private func transmit(_ line: BLESerialLine) async {
        do throws(CentralError) {
            while !Task.isCancelled { try await transmitNext(line) }
        } catch {
            fail(error)
        }
    }

    private func transmitNext(_ line: BLESerialLine) async throws(CentralError) {
        switch sender.next(central.executor.now) {
        case .command(let bytes):
            do throws(CentralError) {
                try await line.input.write(bytes, .withoutResponse)
            } catch {
                sender.takeBack(bytes)
                throw error
            }
            room.release()
        case .request(let bytes):
            try await line.input.write(bytes, .withResponse)
            confirmed(sender.confirm(central.executor.now))
        case .confirm:
            // A refusal is a response, too.
            if let read = line.readable { try await Self.allowingRefusal(read) }
            confirmed(sender.confirm(central.executor.now))
        case .awaitStatus: try await awaitStatus(line)
        case .wait(let time): try? await BenchClock(central.executor).sleep(until: time)
        case .idle: for await _ in work.join() {}
        }
    }

    private func confirmed(_ bytes: Int) {
        count.sent += bytes
        room.release()
        if sender.queued == 0, sender.unconfirmed == 0 { sent.release() }
    }

    // MARK: A board that counts

    /// Waits until the board has passed bytes on, or more bytes wait; reads the status if the board does not notify it.
    private func awaitStatus(_ line: BLESerialLine) async throws(CentralError) {
        let executor = central.executor
        isStatusLate = false
        let alarm = executor.schedule(at: executor.now.advanced(by: Self.statusTime)) { [weak self] in
            self?.assumeIsolated { serial in
                serial.isStatusLate = true
                serial.work.release()
            }
        }
        for await _ in work.join() {}
        if !isStatusLate { executor.cancel(alarm) }
        guard isStatusLate, let status = line.status else { return }
        let value = try await status.read()
        disbelief = receive(status: value) ? 0 : disbelief + 1
        guard disbelief < Self.disbeliefLimit else {
            throw CentralError(
                .protocolViolation,
                "status of the board (FFE2): expected at most \(sender.unconfirmed) bytes more than before, \(disbelief) times, got "
                    + "\(value)")
        }
    }

    private func followStatus(_ line: BLESerialLine) async {
        guard let status = line.status else { return }
        do {
            for try await value in try await status.values() { _ = receive(status: value) }
        } catch {
            // Without notifications, the status is read.
        }
    }

    /// True if the status is possible.
    private func receive(status value: [UInt8]) -> Bool {
        guard let status = BLESerialStatus(value) else { return false }
        tellLosses(status)
        let count = sender.confirm(status)
        confirmed(count ?? 0)
        work.release()
        return count != nil
    }

    /// Reports the bytes that the board has lost since its last report.
    private func tellLosses(_ status: BLESerialStatus) {
        defer { lastStatus = status }
        guard let lastStatus else { return }
        let fromClient = BLESerialStatus.growth(status.lostFromClient, since: lastStatus.lostFromClient)
        let fromUART = BLESerialStatus.growth(status.lostFromUART, since: lastStatus.lostFromUART)
        if fromClient + fromUART > 0 { tell(.boardLost(fromClient: fromClient, fromUART: fromUART)) }
    }

    // MARK: A board that numbers its bytes

    /// Bytes were received: acknowledges them at once, or after a short time.
    private func willAcknowledge(_ count: Int) {
        guard isAcknowledging, count > 0 else { return }
        if receiver.receive(count) {
            acknowledgeNow()
        } else if acknowledgement == nil {
            let executor = central.executor
            acknowledgement = executor.schedule(at: executor.now.advanced(by: BLESerialReceiver.acknowledgedTime)) {
                [weak self] in
                self?.assumeIsolated { serial in
                    serial.acknowledgement = nil
                    serial.acknowledgeNow()
                }
            }
        }
    }

    private func acknowledgeNow() {
        mustAcknowledge = true
        acknowledgements.release()
    }

    /// Acknowledges received bytes until the connection ends. While the buffer is full because it is not read, does not
    /// acknowledge: the board then stops sending, and with RTS/CTS also stops its UART's peer.
    private func acknowledge(_ line: BLESerialLine) async {
        guard isAcknowledging, let position = line.position else { return }
        let kind: WriteKind = position.properties.contains(.writeWithoutResponse) ? .withoutResponse : .withResponse
        while !Task.isCancelled {
            guard mustAcknowledge, !isFull else {
                for await _ in acknowledgements.join() {}
                continue
            }
            mustAcknowledge = false
            do {
                try await position.write(receiver.acknowledge(), kind)
            } catch {
                // The connection ends, or the board refuses unexpectedly: it will send those bytes again.
                break
            }
        }
        if let acknowledgement { central.executor.cancel(acknowledgement) }
        (acknowledgement, mustAcknowledge) = (nil, false)
    }

    // MARK: Ends

    private static func allowingRefusal(_ body: () async throws(CentralError) -> Void) async throws(CentralError) {
        do throws(CentralError) {
            try await body()
        } catch {
            guard case .attError = error.code else { throw error }
        }
    }
}

/// The rate of sending to a board that passes the bytes on to a UART.
public struct BLESerialPace: Sendable, Hashable {
    /// Bits per second of the board's UART, ten per byte: 8N1.
    public var baudRate: Int
    /// The room in the board's buffer for bytes not yet passed on.
    public var window: Int

    /// The valid rates.
    public static let baudRates = 50...10_000_000
    /// The valid windows, in bytes. For full speed at common connection intervals, a tenth of a second has to fit.
    public static let windows = 1...1_000_000

    /// A pace; values out of range are clamped.
    ///
    /// - Parameter window: in bytes; `nil`: the bytes that the UART passes on within 200 ms, at least 64.
    public init(baudRate: Int = 115_200, window: Int? = nil) {
        let rate = min(max(baudRate, Self.baudRates.lowerBound), Self.baudRates.upperBound)
        self.baudRate = rate
        self.window = min(max(window ?? max(64, rate / 50), Self.windows.lowerBound), Self.windows.upperBound)
    }

    /// The time that the UART takes for `count` bytes.
    func time(for count: Int) -> Duration {
        .nanoseconds(count * ((10_000_000_000 + baudRate - 1) / baudRate))
    }

    /// The number of bytes that the UART passes on in this time, rounded up.
    func bytes(in time: Duration) -> Int {
        let each = Int64((10_000_000_000 + baudRate - 1) / baudRate)
        return Int((max(0, time.wholeNanoseconds) + each - 1) / each)
    }
}

/// A serial line's text.
extension BLESerial {
    /// Sends a line in UTF-8.
    ///
    /// - Throws: the errors of ``send(_:)``.
    public func send(line text: String, ending: LineEnding) async throws(CentralError) {
        try await send(Array(text.utf8) + ending.bytes)
    }

    /// The received lines, without their ends: CR, LF, or both. Invalid UTF-8 is replaced; characters split across
    /// notifications are joined. A line longer than `maximumLength` bytes is split; the last line needs no end.
    ///
    /// One reader at a time, like ``received``.
    public nonisolated func lines(maximumLength: Int = 65_536) -> AsyncThrowingStream<String, any Error> {
        let lines = BLESerialLines(self, maximumLength)
        return AsyncThrowingStream { try await lines.next() }
    }
}

/// Splits the bytes of a serial line into lines of text.
private actor BLESerialLines {
    private let serial: BLESerial
    private var splitter: LineSplitter
    private var ready: [RawLine] = []
    private var failure: (any Error)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { serial.unownedExecutor }

    init(_ serial: BLESerial, _ maximumLength: Int) {
        self.serial = serial
        splitter = LineSplitter(maximumLength: maximumLength)
    }

    func next() async throws -> String {
        while ready.isEmpty {
            if let failure { throw failure }
            do {
                ready = splitter.append(try await serial.read(), at: .zero).reversed()
            } catch {
                failure = error
                ready = splitter.flush().map { [$0] } ?? []
            }
        }
        return String(decoding: ready.removeLast().bytes, as: UTF8.self)
    }
}
