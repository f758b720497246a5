import ByteCodec
import ESPProtocol
import LoaderTraces
import Testing

/// The recorded traffic with genuine ROMs, as our codecs read it.
@Suite struct RecordedTraceTests {
    private static let all = LoaderTrace.Tool.allCases.flatMap { tool in
        LoaderTrace.ChipModel.allCases.flatMap { chip in LoaderTrace.Loader.allCases.map { (tool, chip, $0) } }
    }

    @Test(arguments: all) func `Each complete recorded request is one that our codec knows`(
        tool: LoaderTrace.Tool, chip: LoaderTrace.ChipModel, loader: LoaderTrace.Loader
    ) throws {
        let exchanges = try LoaderTrace(tool, chip, loader).sessions.flatMap(\.exchanges)
        #expect(exchanges.count > (loader == .rom ? 800 : 250))
        for exchange in exchanges where exchange.request.isComplete {
            let request = exchange.request
            let entry = try #require(LoaderCommands.entry(for: request.opcode))
            let decoded = LoaderRequest(opcode: request.opcode, checksum: request.checksum, data: request.bytes[...])
            #expect(throws: Never.self, "line \(exchange.line): \(entry.name)") {
                try Self.decode(entry.command, decoded)
            }
        }
    }

    private static func decode<Command: LoaderCommand>(_ type: Command.Type, _ request: LoaderRequest) throws {
        _ = try request.decode(type)
    }

    @Test func `An unknown opcode is answered with the previous opcode, value and number of answers`() throws {
        let trace = try LoaderTrace(.esptool, .esp32)
        for session in trace.sessions {
            let unknown = session.exchanges.filter { $0.request.opcode == .securityInfo }
            #expect(unknown.count == 2)
            for exchange in unknown {
                #expect(exchange.answers.count == Sync.responseCount)
                #expect(
                    exchange.answers.allSatisfy {
                        $0.opcode == .sync && $0.value == Sync.Reply.rom.value && $0.bytes.prefix(2) == [1, 5]
                    })
            }
        }
    }

    @Test(arguments: LoaderTrace.ChipModel.allCases)
    func `A wrong request is refused, and the ROM answers the next`(chip: LoaderTrace.ChipModel) throws {
        let trials = try WrongRequests(chip).trials
        #expect(trials.count > 100)
        for trial in trials {
            #expect(trial.steps[0].answers.count == Sync.responseCount, "\(trial.subject)")
        }
        let unknown = try #require(trials.first { $0.subject.hasPrefix("each unknown opcode") }).steps.dropFirst(2)
        #expect(unknown.count == (chip == .esp32 ? 239 : 238))
        #expect(
            unknown.allSatisfy { step in
                step.answers.map { $0.opcode } == [.readRegister] && step.answers[0].bytes.prefix(2) == [1, 5]
            })
    }

    @Test(arguments: ["> SYNC 0 0\n", "# a\n> SYNC 0\n", "# a\n< none\n", "# a\n> ff 0 0\n< SYNC 0 4 0000\n"])
    func `A line of another form of wrong requests is refused`(text: String) {
        #expect(throws: LoaderTrace.Malformed.self) { try WrongRequests(parsing: text, file: "test") }
    }

    @Test func `Wrong requests are read as they were on the line`() throws {
        let text = "# a\n> ff 5 1f c0*2+01\n< none\n> RAW c0c0\n! b\\n\n< ff 00000002 4 01050000 *2\n"
        let trial = try #require(WrongRequests(parsing: text, file: "test").trials.first)
        #expect(trial.steps[0].sent == [0xc0, 0, 0xff, 5, 0, 0x1f, 0, 0, 0, 0xdb, 0xdc, 0xdb, 0xdc, 1, 0xc0])
        #expect(trial.steps[0].replies.isEmpty)
        #expect(trial.steps[1].sent == [0xc0, 0xc0])
        #expect(trial.steps[1].replies.first == .text("b\\n"))
        let answers = trial.steps[1].answers
        #expect(answers.map { $0.opcode.rawValue } == [0xff, 0xff])
        #expect(answers.allSatisfy { $0.value == 2 && $0.length == 4 && $0.bytes == [1, 5, 0, 0] })
    }

    @Test(arguments: ["# run\n> SYNC 36\n", "> SYNC 0 0\n", "# run\n< SYNC 0 4 00000000\n", "# run\n> SYNC 0 0 00\n"])
    func `A line of another form is refused`(text: String) {
        #expect(throws: LoaderTrace.Malformed.self) { try LoaderTrace(parsing: text, file: "test") }
    }
}
