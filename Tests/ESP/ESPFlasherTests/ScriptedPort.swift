import ByteCodec
import ESPProtocol
import SerialPort
import Synchronization
import Testing

/// A clock that moves only when the scripted port waits.
final class ScriptClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Duration.zero)
    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { advance(by: now.duration(to: deadline)) }
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// A port with a scripted board: each call must be the next in the script.
actor ScriptedPort: SerialPort {
    enum Step: Sendable {
        /// This command, answered by these bytes.
        case command(LoaderRequest, answer: [UInt8])
        /// A block with this number and any payload, answered by these bytes.
        case block(UInt32, answer: [UInt8])
        case lines(dtr: Bool, rts: Bool)
        case pause(Duration)
        case rate(Int)
        /// The port is disconnected instead of the next answer.
        case vanish(LoaderOpcode)
    }

    nonisolated let name = "script"
    nonisolated let hasModemLines: Bool
    nonisolated let traits: PortTraits
    nonisolated let clock = ScriptClock()
    private var steps: ArraySlice<Step>
    private var input: [UInt8]
    private var isGone = false
    /// The most bytes that a read returns. Small, so that frames arrive in parts.
    private let chunk: Int
    private var decoder = SLIPDecoder(limit: 1 << 16)
    /// The payloads of the blocks, in order.
    private(set) var payloads: [[UInt8]] = []

    init(
        hasModemLines: Bool = false, interface: PortTraits.Interface = .uart, setsRate: Bool = true,
        noise: [UInt8] = [], chunk: Int = 7, _ steps: [Step]
    ) {
        self.chunk = chunk
        self.hasModemLines = hasModemLines
        traits = PortTraits(interface: interface, setsRate: setsRate)
        self.steps = steps[...]
        input = noise
    }

    /// Fails the test unless the script is complete.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(steps.isEmpty, "not happened: \(steps)", sourceLocation: sourceLocation)
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        if input.isEmpty {
            if isGone { throw SerialPortError(.disconnected, port: name, "the device is gone") }
            guard let timeout else {
                Issue.record("a read without an end")
                throw SerialPortError(.disconnected, port: name, "the script has ended")
            }
            clock.advance(by: timeout)
            return []
        }
        // So that endless noise ends.
        clock.advance(by: .milliseconds(1))
        let bytes = Array(input.prefix(min(maximum, chunk)))
        input.removeFirst(bytes.count)
        return bytes
    }

    func write(_ bytes: [UInt8]) async throws {
        if isGone { throw SerialPortError(.disconnected, port: name, "the device is gone") }
        for event in decoder.decode(bytes) {
            guard case .frame(let content) = event else {
                Issue.record("not a frame: \(event)")
                continue
            }
            var reader = ByteReader(content, subject: "request")
            receive(try LoaderRequest(from: &reader))
        }
    }

    private func receive(_ request: LoaderRequest) {
        switch steps.first {
        case .command(request, let answer):
            input += answer
        case .block(let sequence, let answer) where request.opcode == .deflateData:
            guard let data = try? request.decode(DeflateData.self), data.block.sequence == sequence else { fallthrough }
            #expect(request.checksum == data.checksum)
            payloads.append(Array(data.block.payload))
            input += answer
        case .vanish(request.opcode):
            isGone = true
        default:
            Issue.record("unexpected \(request), expected \(String(describing: steps.first))")
            return
        }
        steps = steps.dropFirst()
    }

    func setModemLines(_ lines: ModemLines) async throws {
        guard case .lines(let dtr, let rts) = steps.popFirst(), lines == ModemLines(dtr: dtr, rts: rts) else {
            Issue.record("unexpected \(lines)")
            return
        }
    }

    func pause(for duration: Duration) async throws {
        guard case .pause(duration) = steps.popFirst() else {
            Issue.record("unexpected pause of \(duration)")
            return
        }
        clock.advance(by: duration)
    }

    func configure(_ settings: SerialSettings) async throws {
        if isGone { throw SerialPortError(.disconnected, port: name, "the device is gone") }
        guard case .rate(settings.baudRate) = steps.popFirst() else {
            Issue.record("unexpected \(settings)")
            return
        }
    }

    func discardInput() async throws { input = [] }

    func close() async { isGone = true }
}

extension ScriptedPort.Step {
    /// `command`, and its success.
    static func ok<Command: LoaderCommand>(
        _ command: Command, _ reply: Command.Reply, dialect: LoaderDialect = .rom
    ) -> Self {
        .command(LoaderRequest(command), answer: LoaderResponse(to: Command.self, reply, dialect: dialect).frame)
    }

    /// `command`, and its success without a value.
    static func ok<Command: LoaderCommand>(
        _ command: Command, dialect: LoaderDialect = .rom
    ) -> Self where Command.Reply == EmptyReply {
        ok(command, EmptyReply(), dialect: dialect)
    }

    /// A block, and its success.
    static func okBlock(_ sequence: UInt32, dialect: LoaderDialect = .rom) -> Self {
        .block(sequence, answer: LoaderResponse(to: DeflateData.self, EmptyReply(), dialect: dialect).frame)
    }

    /// `command`, and no answer.
    static func silence<Command: LoaderCommand>(_ command: Command) -> Self {
        .command(LoaderRequest(command), answer: [])
    }

    /// `command`, and a refusal.
    static func refused<Command: LoaderCommand>(
        _ command: Command, _ code: LoaderErrorCode, dialect: LoaderDialect = .rom
    ) -> Self {
        .command(
            LoaderRequest(command),
            answer: LoaderResponse(to: Command.opcode, failure: code, dialect: dialect).frame)
    }

    /// `command`, which the ROM does not know: it answers with the opcode, the value and the number of answers of the
    /// request before, as that of the ESP32 does.
    static func unknown<Command: LoaderCommand>(
        _ command: Command, after former: LoaderOpcode, value: UInt32, count: Int = 1
    ) -> Self {
        var writer = ByteWriter()
        writer.append([1, former.rawValue, 4, 0])
        writer.uint32(value)
        writer.append([1, 5, 0, 0])
        let frame = SLIP.encode(writer.bytes)
        return .command(LoaderRequest(command), answer: (0..<count).flatMap { _ in frame })
    }

    /// A SYNC that is answered eight times.
    static func sync(_ dialect: LoaderDialect = .rom) -> Self {
        let reply: Sync.Reply = dialect == .rom ? .rom : .stub
        let frame = LoaderResponse(to: Sync.self, reply, dialect: dialect).frame
        return .command(LoaderRequest(Sync()), answer: (0..<Sync.responseCount).flatMap { _ in frame })
    }
}
