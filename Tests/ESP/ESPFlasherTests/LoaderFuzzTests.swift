import ByteCodec
import ESPChips
import ESPFlasher
import ESPImage
import ESPProtocol
import Foundation
import SerialPort
import Testing

/// Random responses to every command end in a reply or in an error: no trap, no endless wait.
@Suite struct LoaderFuzzTests {
    /// How many responses each command gets; `ESPBENCH_FUZZ_REQUESTS` raises it.
    static let count = ProcessInfo.processInfo.environment["ESPBENCH_FUZZ_REQUESTS"].flatMap { Int($0) } ?? 300

    @Test(arguments: LoaderCommands.all.map { $0.name })
    func randomResponsesAreParsedOrRefused(name: String) throws {
        let entry = try #require(LoaderCommands.all.first { $0.name == name })
        var chance = Chance(seed: UInt64(entry.command.opcode.rawValue))
        var accepted = 0
        for _ in 0..<Self.count {
            for dialect in [LoaderDialect.rom, .stub] where Self.isParsed(entry.command, dialect, &chance) {
                accepted += 1
            }
        }
        // Half of the responses are built as the command's own: some must pass, or nothing was tested.
        #expect(accepted > 0)
    }

    private static func isParsed<Command: LoaderCommand>(
        _ command: Command.Type, _ dialect: LoaderDialect, _ chance: inout Chance
    ) -> Bool {
        var reader = ByteReader(chance.response(to: Command.opcode, dialect), subject: "response")
        guard let response = try? LoaderResponse(from: &reader),
            case .success? = try? response.outcome(of: Command.self, dialect: dialect)
        else { return false }
        return true
    }

    /// Operations of the flasher, each with a board that answers at random.
    private static let operations: [(name: String, run: @Sendable (Flasher) async throws -> Void)] = [
        ("connect", { try await $0.connect(ConnectOptions(attempts: 2)) }),
        ("identify", { _ = try await $0.identify() }),
        ("rate", { try await $0.raiseBaudRate(upTo: 921_600, of: try await $0.identify()) }),
        ("information", { _ = try await $0.information(of: try await $0.identify()) }),
        ("stub", { try await $0.start(try stub(), on: try await $0.identify()) }),
        ("digest", { _ = try await $0.digest(0..<4096, of: .known(.esp32)) }),
        ("reset", { try await $0.reset(.soft) }),
        ("session", { _ = try await $0.open(SessionOptions(connect: ConnectOptions(attempts: 2))) }),
    ]

    private static func stub() throws(FlasherError) -> StubImage {
        try StubImage(
            json: Array(#"{"entry": 1074266112, "text": "AAAA", "text_start": 1074266112}"#.utf8), name: "test")
    }

    @Test(arguments: operations.map { $0.name })
    func operationsEnd(name: String) async throws {
        let operation = try #require(Self.operations.first { $0.name == name })
        for seed in 0..<UInt64(max(10, Self.count / 30)) {
            let port = RandomPort(seed: seed)
            await Self.run(operation.run, port)
        }
    }

    /// Writes, reads and digests with a board that was identified properly, and then answers at random.
    @Test func flashOperationsEnd() async throws {
        for seed in 0..<UInt64(max(10, Self.count / 30)) {
            for operation in 0..<5 {
                let port = RandomPort(seed: seed, script: Scripts.connect + Scripts.identify())
                let flasher = Flasher(port: port, clock: port.clock)
                try await flasher.connect()
                let board = try await flasher.identify()
                await port.beginRandom()
                let data = FlashLayout.Region(name: "data", offset: 0x1_0000, bytes: Scripts.bytes(9000))
                let layout = try FlashLayout([data])
                await Self.run(
                    { flasher in
                        switch operation {
                        case 0: try await flasher.write(layout, to: board)
                        case 1: _ = try await flasher.read(0..<9000, of: board)
                        case 2: _ = try await flasher.verify(layout, on: board)
                        case 3: try await flasher.erase(0..<0x4000, of: board)
                        default: _ = try await flasher.digest(0..<9000, of: board)
                        }
                        // What is written and read is compared with digests, which no chance meets.
                        #expect(operation > 1, "random answers were taken for valid data")
                    }, port, flasher)
            }
        }
    }

    private static func run(
        _ body: (Flasher) async throws -> Void, _ port: RandomPort, _ flasher: Flasher? = nil
    ) async {
        do {
            try await body(flasher ?? Flasher(port: port, clock: port.clock))
        } catch let error as FlasherError {
            #expect(!error.description.isEmpty)
        } catch {
            Issue.record("an error of another type: \(error)")
        }
        // The clock moves only while the flasher waits.
        #expect(port.clock.now.offset < .seconds(3600))
    }
}

/// Seeded chance, and responses made of it.
private struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// The content of a frame: often shaped as a response to `opcode`, otherwise of random bytes.
    mutating func response(to opcode: LoaderOpcode, _ dialect: LoaderDialect) -> [UInt8] {
        if Int.random(in: 0..<4, using: &self) == 0 { return bytes(Int.random(in: 0...80, using: &self)) }
        let lengths = [0, 0, 0, 4, 12, 16, 16, 20, 32, 64, Int.random(in: 0...90, using: &self)]
        var data = bytes(lengths.randomElement(using: &self) ?? 0)
        if data.count == 32 { data = Array(Hexadecimal.string(bytes(16)).utf8) }
        let isFailure = Int.random(in: 0..<4, using: &self) == 0
        let status = isFailure ? bytes(dialect.statusLength) : Array(repeating: 0, count: dialect.statusLength)
        let body = data + status
        let isOther = Int.random(in: 0..<8, using: &self) == 0
        let head: [UInt8] = [1, isOther ? bytes(1)[0] : opcode.rawValue, UInt8(body.count), 0]
        let value = Bool.random(using: &self) ? bytes(4) : [0, 0, 0, 0]
        var frame = head + value + body
        if Int.random(in: 0..<6, using: &self) == 0, !frame.isEmpty {
            frame[Int.random(in: 0..<frame.count, using: &self)] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        }
        if Int.random(in: 0..<10, using: &self) == 0 { frame.removeLast(Int.random(in: 0..<frame.count, using: &self)) }
        return frame
    }
}

/// A port whose board answers at random; after a script, if there is one.
private actor RandomPort: SerialPort {
    nonisolated let name = "random"
    nonisolated let hasModemLines = false
    nonisolated let clock: ScriptClock
    private var chance: Chance
    private var script: ScriptedPort?
    private var input: [UInt8] = []
    private var decoder = SLIPDecoder(limit: 1 << 16)

    init(seed: UInt64, script: [ScriptedPort.Step]? = nil) {
        chance = Chance(seed: seed + 1)
        let scripted = script.map { ScriptedPort($0) }
        self.script = scripted
        clock = scripted?.clock ?? ScriptClock()
    }

    func beginRandom() async {
        await script?.finish()
        script = nil
    }

    func read(upTo maximum: Int, within timeout: Duration?) async throws -> [UInt8] {
        if let script { return try await script.read(upTo: maximum, within: timeout) }
        guard !input.isEmpty else {
            clock.advance(by: timeout ?? .seconds(1))
            return []
        }
        clock.advance(by: .milliseconds(1))
        let bytes = Array(input.prefix(min(maximum, 100)))
        input.removeFirst(bytes.count)
        return bytes
    }

    func write(_ bytes: [UInt8]) async throws {
        if let script { return try await script.write(bytes) }
        for case .frame(let content) in decoder.decode(bytes) {
            let opcode = LoaderOpcode(rawValue: content.count > 1 ? content[1] : 0)
            // SYNC is answered often enough for the operation to go on.
            let isSync = opcode == .sync && chance.next() % 4 != 0
            for _ in 0..<Int.random(in: 0...2, using: &chance) where !isSync {
                input += SLIP.encode(chance.response(to: opcode, .rom))
            }
            if isSync { input += LoaderResponse(to: Sync.self, .rom, dialect: .rom).frame }
            if chance.next() % 10 == 0 { input += chance.bytes(30) }
        }
    }

    func setModemLines(_ lines: ModemLines) async throws {}
    func pause(for duration: Duration) async throws { clock.advance(by: duration) }
    func configure(_ settings: SerialSettings) async throws { try await script?.configure(settings) }
    func discardInput() async throws {
        if let script { try await script.discardInput() }
        input = []
    }
    func close() async {}
}
