import ByteCodec
import ESPProtocol
import LoaderTraces
import Testing

/// The recorded traffic with genuine ROMs, as our codecs read it.
@Suite struct RecordedTraceTests {
    private static let all = LoaderTrace.Tool.allCases.flatMap { tool in
        LoaderTrace.ChipModel.allCases.map { (tool, $0) }
    }

    @Test(arguments: all) func `Each complete recorded request is one that our codec knows`(
        tool: LoaderTrace.Tool, chip: LoaderTrace.ChipModel
    ) throws {
        let exchanges = try LoaderTrace(tool, chip).sessions.flatMap(\.exchanges)
        #expect(exchanges.count > 800)
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

    @Test(arguments: ["# run\n> SYNC 36\n", "> SYNC 0 0\n", "# run\n< SYNC 0 4 00000000\n", "# run\n> SYNC 0 0 00\n"])
    func `A line of another form is refused`(text: String) {
        #expect(throws: LoaderTrace.Malformed.self) { try LoaderTrace(parsing: text, file: "test") }
    }
}
