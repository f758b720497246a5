import BLEClients
import BLECore
import BLEHost
import BLEPeripheral
import BLERadio
import BenchExecutor
import MonotonicTime
import Synchronization

/// A board that passes bytes on to a UART at its rate, with buffers that overflow: what a sketch does, in Swift.
final class SerialBoard: Sendable {
    struct Settings: Sendable {
        var service = BLESerialService.hm10
        var writes: CharacteristicProperties = [.writeWithoutResponse, .write]
        var baudRate = 115_200
        /// The room for bytes from the client.
        var capacity = 2304
        /// The room for bytes to the client.
        var outputCapacity = 8192
        var mtu = 247
        /// Whether what the UART sends comes back.
        var echoes = false
        /// Whether it counts, in FFE2.
        var counts = false
        /// Whether it numbers its bytes, in FFE3.
        var numbers = false
        var isSilent = false
        var name = "HMSoft"
    }

    struct State {
        /// What the UART has sent, or will.
        var passedOn: [UInt8] = []
        /// When all of it is sent.
        var lineIsFree = MonotonicInstant.zero
        /// How many bytes were written on this connection.
        var written = 0
        /// Bytes that did not fit.
        var overrun = 0
        var writes: [Int] = []
        /// Bytes for the client that are kept; the first ones are on their way to it.
        var output: [UInt8] = []
        var underWay = 0
        /// The number of the first of them, and of the next byte of the client, in FFE3; both wrap around soon.
        var keptFrom: UInt32 = 0xFFFF_F000
        var accepted: UInt32 = 0xFFFF_F000
        var boot: UInt32 = 0x1234_5678
        var isAcknowledged = false
        var acknowledgements = 0
        var outputOverrun = 0
        var connection: ConnectionHandle?
        var isSubscribed = false
        var lastCount = 0
        var isCounting = false
        /// Whether CTS holds the UART: bytes stay in the buffer.
        var held: [UInt8]?
    }

    let settings: Settings
    let state = Mutex(State())
    let executor: BenchExecutor

    init(_ settings: Settings, _ executor: BenchExecutor) {
        self.settings = settings
        self.executor = executor
    }

    var byteTime: Duration { .nanoseconds(10_000_000_000 / settings.baudRate) }

    /// How many bytes the UART has not sent.
    private func level(_ state: State, _ now: MonotonicInstant) -> Int {
        let left = max(0, now.duration(to: state.lineIsFree).wholeNanoseconds)
        return Int((left + byteTime.wholeNanoseconds - 1) / byteTime.wholeNanoseconds)
    }

    func peripheral(on port: RadioPort) throws -> BLEPeripheral {
        let service = settings.service
        let output: @Sendable (ClientConfiguration, ConnectionHandle, isolated BLEPeripheral) -> Void = {
            [self] configuration, _, peripheral in
            state.withLock { $0.isSubscribed = configuration.rawValue != 0 }
            flush(peripheral)
        }
        let receive: @Sendable ([UInt8], ConnectionHandle, isolated BLEPeripheral) throws -> Void = {
            [self] value, _, peripheral in
            write(value, peripheral)
        }
        var characteristics: [CharacteristicDefinition] = []
        if service == .hm10 {
            var both = CharacteristicDefinition(
                service.input, settings.writes.union(.notify), maximumLength: 512, onWrite: receive)
            both.onSubscribe = output
            characteristics = [both]
        } else {
            var notified = CharacteristicDefinition(service.output, .notify, maximumLength: 512)
            notified.onSubscribe = output
            characteristics = [
                CharacteristicDefinition(service.input, settings.writes, maximumLength: 512, onWrite: receive),
                notified,
            ]
        }
        if settings.counts {
            var status = CharacteristicDefinition(BLEUUID(0xFFE2), [.read, .notify], maximumLength: 20)
            status.onRead = { [self] _, _ in statusValue(executor.now) }
            characteristics.append(status)
        }
        if settings.numbers {
            var position = CharacteristicDefinition(
                BLEUUID(0xFFE3), [.read, .write, .writeWithoutResponse], maximumLength: 12
            ) { [self] value, _, peripheral in acknowledge(value, peripheral) }
            position.onRead = { [self] _, _ in positionValue() }
            characteristics.append(position)
        }
        var definition = PeripheralDefinition(
            name: settings.name, services: [ServiceDefinition(service.uuid, characteristics)])
        definition.preferredMTU = settings.mtu
        definition.onConnect = { [self] info, _ in
            state.withLock {
                ($0.connection, $0.written, $0.lastCount) = (info.handle, 0, 0)
                ($0.isAcknowledged, $0.underWay) = (false, 0)
            }
        }
        definition.onDisconnect = { [self] _, _, _ in
            state.withLock { ($0.connection, $0.isSubscribed) = (nil, false) }
        }
        definition.onEvent = { [self] event, peripheral in
            if case .roomAvailable = event { flush(peripheral) }
        }
        return try BLEPeripheral(definition, on: port, executor: executor)
    }

    // MARK: From the client

    private func write(_ value: [UInt8], _ peripheral: isolated BLEPeripheral) {
        let now = executor.now
        state.withLock { state in
            state.writes.append(value.count)
            let waiting = level(state, now) + (state.held?.count ?? 0)
            let taken = value.prefix(max(0, settings.capacity - waiting))
            state.overrun += value.count - taken.count
            state.written += taken.count
            state.accepted &+= UInt32(value.count)
            if state.held != nil {
                state.held? += taken
            } else {
                pass(Array(taken), &state, now)
            }
        }
        if settings.echoes { send(value, peripheral) }
        if settings.counts { tellCount(peripheral) }
    }

    private func pass(_ bytes: [UInt8], _ state: inout State, _ now: MonotonicInstant) {
        state.passedOn += bytes
        state.lineIsFree = max(state.lineIsFree, now).advanced(by: byteTime * bytes.count)
    }

    /// CTS holds the UART, or lets it go on.
    func hold(_ isHeld: Bool) {
        let now = executor.now
        state.withLock { state in
            if isHeld {
                state.held = []
            } else if let held = state.held {
                state.held = nil
                pass(held, &state, now)
            }
        }
    }

    private func statusValue(_ now: MonotonicInstant) -> [UInt8] {
        state.withLock { state in
            let sent = max(0, state.written - level(state, now) - (state.held?.count ?? 0))
            var value: [UInt8] = []
            for number in [sent, settings.capacity, state.overrun, state.outputOverrun, settings.baudRate] {
                value += (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            return value
        }
    }

    /// Notifies the count each quarter of the buffer, and when it is empty.
    private func tellCount(_ peripheral: isolated BLEPeripheral) {
        let isFirst = state.withLock { state in
            defer { state.isCounting = true }
            return !state.isCounting
        }
        guard isFirst else { return }
        executor.schedule(at: executor.now.advanced(by: .milliseconds(5))) { [weak self, weak peripheral] in
            peripheral?.assumeIsolated { self?.count($0) }
        }
    }

    private func count(_ peripheral: isolated BLEPeripheral) {
        let now = executor.now
        let (isNews, goesOn) = state.withLock { state in
            state.isCounting = false
            let sent = max(0, state.written - level(state, now) - (state.held?.count ?? 0))
            let isNews = sent - state.lastCount >= settings.capacity / 4 || sent == state.written
            if isNews { state.lastCount = sent }
            return (isNews, sent < state.written)
        }
        if isNews { _ = try? peripheral.notify(statusValue(now), of: BLEUUID(0xFFE2)) }
        if goesOn { tellCount(peripheral) }
    }

    // MARK: To the client

    /// Bytes come from the UART.
    func send(_ bytes: [UInt8], _ peripheral: isolated BLEPeripheral) {
        state.withLock { state in
            let taken = bytes.prefix(max(0, settings.outputCapacity - state.output.count))
            state.outputOverrun += bytes.count - taken.count
            state.output += taken
        }
        flush(peripheral)
    }

    private func flush(_ peripheral: isolated BLEPeripheral) {
        guard !settings.isSilent else { return }
        let chunk = min(settings.mtu, BLESerial.mtu) - 3
        while true {
            guard let connection = state.withLock({ $0.isSubscribed ? $0.connection : nil }),
                peripheral.hasRoom(on: connection)
            else { return }
            let value = state.withLock { state -> [UInt8] in
                let value = Array(state.output.dropFirst(state.underWay).prefix(chunk))
                state.underWay += value.count
                if !state.isAcknowledged { remove(state.underWay, &state) }
                return value
            }
            guard !value.isEmpty else { return }
            _ = try? peripheral.notify(value, of: settings.service.output, to: connection)
        }
    }

    private func remove(_ count: Int, _ state: inout State) {
        state.output.removeFirst(count)
        state.underWay -= count
        state.keptFrom &+= UInt32(count)
    }

    private func positionValue() -> [UInt8] {
        state.withLock { state in
            [state.boot, state.accepted, state.keptFrom].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
        }
    }

    private func acknowledge(_ value: [UInt8], _ peripheral: isolated BLEPeripheral) {
        guard value.count == 4 else { return }
        let received = value.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        state.withLock { state in
            let count = received &- state.keptFrom
            state.acknowledgements += 1
            if !state.isAcknowledged {
                // The client says what it has already.
                state.isAcknowledged = true
                state.underWay = min(Int(count), state.output.count)
            }
            if count <= UInt32(state.underWay) { remove(Int(count), &state) }
        }
        flush(peripheral)
    }

    /// Off and on again: the numbers begin anew.
    func powerCycle() {
        state.withLock { ($0.boot, $0.accepted, $0.keptFrom) = ($0.boot &+ 1, 0, 0) }
    }

    /// The UART receives `bytes` at its rate; returns when the last has come.
    func feed(_ bytes: [UInt8], _ peripheral: BLEPeripheral) async throws {
        let piece = max(1, settings.baudRate / 10 / 200)
        var rest = bytes[...]
        let clock = BenchClock(executor)
        var time = executor.now
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(part.count)
            time = time.advanced(by: byteTime * part.count)
            try await clock.sleep(until: time)
            await peripheral.perform { self.send(part, $0) }
        }
    }
}

extension BLEPeripheral {
    func perform(_ body: @Sendable (isolated BLEPeripheral) -> Void) { body(self) }
}
