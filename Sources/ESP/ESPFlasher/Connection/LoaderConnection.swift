import ByteCodec
import ESPProtocol
import SerialPort

/// Sends commands over a port and waits for their answers; skips other bytes on the line.
///
/// One command at a time.
final class LoaderConnection {
    /// The longest accepted frame: more than any answer, since noise may look like a frame.
    private static let frameLimit = 1024
    private static let readSize = 4096

    let port: any SerialPort
    let clock: any Clock<Duration>
    /// Whether the ROM or the stub answers; known after SYNC.
    var dialect = LoaderDialect.rom
    private(set) var noise = NoiseLog()
    private var decoder = SLIPDecoder(limit: frameLimit)
    private var responses: [LoaderResponse] = []

    init(port: any SerialPort, clock: any Clock<Duration>) {
        self.port = port
        self.clock = clock
    }

    /// Sends `command` and returns its answer.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - context: the operation that errors name.
    /// - Throws: ``FlasherError`` with code `timeout`, `port`, `refused` or `malformedAnswer`.
    func send<Command: LoaderCommand>(
        _ command: Command, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> Command.Reply {
        responses.removeAll()
        try await onPort(context()) { try await self.port.write(LoaderRequest(command).frame) }
        guard let response = try await response(to: Command.opcode, within: command.timeout, context()) else {
            throw FlasherError(
                .timeout, "\(context()): no answer to \(Command.opcode) within \(command.timeout)")
        }
        let outcome: Result<Command.Reply, LoaderErrorCode>
        do {
            outcome = try response.outcome(of: Command.self, dialect: dialect)
        } catch {
            throw FlasherError(.malformedAnswer, "\(context()), \(Command.opcode)", underlying: error)
        }
        switch outcome {
        case .success(let reply): return reply
        case .failure(let code):
            throw FlasherError(.refused, "\(context()): \(Command.opcode) was refused", underlying: code)
        }
    }

    /// The next response to `opcode`; late responses to other commands are discarded. `nil` after the time-out.
    func response(
        to opcode: LoaderOpcode, within timeout: Duration, _ context: @autoclosure () -> String
    ) async throws(FlasherError) -> LoaderResponse? {
        let stopwatch = Stopwatch(clock)
        while true {
            while !responses.isEmpty {
                let response = responses.removeFirst()
                if response.opcode == opcode { return response }
            }
            let remaining = timeout - stopwatch.elapsed
            guard remaining > .zero else { return nil }
            let bytes = try await onPort(context()) {
                try await self.port.read(upTo: Self.readSize, within: remaining)
            }
            receive(bytes)
        }
    }

    /// Discards the bytes received so far.
    func discardInput(_ context: @autoclosure () -> String) async throws(FlasherError) {
        try await onPort(context()) { try await self.port.discardInput() }
        decoder.reset()
        responses.removeAll()
    }

    /// Calls the port; adds the context to its errors.
    func onPort<Result>(
        _ context: @autoclosure () -> String, _ body: () async throws -> Result
    ) async throws(FlasherError) -> Result {
        do {
            return try await body()
        } catch {
            throw FlasherError(.port, context(), underlying: error)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        for event in decoder.decode(bytes) {
            switch event {
            case .frame(let frame):
                var reader = ByteReader(frame, subject: "loader response")
                if let response = try? LoaderResponse(from: &reader) {
                    responses.append(response)
                } else {
                    noise.append(frame)
                }
            case .noise(let bytes): noise.append(bytes)
            case .fault: break
            }
        }
    }
}
