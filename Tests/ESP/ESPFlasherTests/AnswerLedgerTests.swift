import ESPFlasher
import ESPProtocol
import Testing

/// Answers that come twice, at the worst moment.
@Suite struct AnswerLedgerTests {
    private typealias Step = ScriptedPort.Step

    private static func command(_ offset: UInt32) -> FlashMD5 { FlashMD5(address: offset, size: 4096) }

    private static func answer(_ byte: UInt8) -> [UInt8] {
        let reply = FlashMD5.Reply(digest: Array(repeating: byte, count: 16)[...])
        return LoaderResponse(to: FlashMD5.self, reply, dialect: .rom).frame
    }

    private static let sync: [UInt8] = Array(
        repeating: LoaderResponse(to: Sync.self, .rom, dialect: .rom).frame, count: Sync.responseCount
    ).flatMap { $0 }

    private func digests(_ offsets: [UInt64], _ steps: [Step]) async throws -> [[UInt8]] {
        let port = ScriptedPort(Scripts.connect + Scripts.identify() + steps)
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        let board = try await flasher.identify()
        var result: [[UInt8]] = []
        for offset in offsets { result.append(try await flasher.digest(offset..<offset + 4096, of: board)) }
        await port.finish()
        return result
    }

    /// The answer to the first command comes again before that to the second, which then comes before SYNC's.
    @Test func anAnswerThatComesAgainIsNotThatToTheNextCommand() async throws {
        let found = try await digests(
            [0, 0x1000],
            [
                .command(LoaderRequest(Self.command(0)), answer: Self.answer(1)), .sync(),
                .command(LoaderRequest(Self.command(0x1000)), answer: Self.answer(1)),
                .command(LoaderRequest(Sync()), answer: Self.answer(2) + Self.sync),
                .command(LoaderRequest(Self.command(0x1000)), answer: Self.answer(2)), .sync(),
            ])
        #expect(found == [Array(repeating: 1, count: 16), Array(repeating: 2, count: 16)])
    }

    @Test func anAnswerThatIsThereBeforeTheCommandIsNotTaken() async throws {
        let found = try await digests(
            [0, 0x1000],
            [
                .command(LoaderRequest(Self.command(0)), answer: Self.answer(1)),
                .command(LoaderRequest(Sync()), answer: Self.sync + Self.answer(1)),
                .command(LoaderRequest(Self.command(0x1000)), answer: Self.answer(2)), .sync(),
                .command(LoaderRequest(Self.command(0x1000)), answer: Self.answer(2)), .sync(),
            ])
        #expect(found == [Array(repeating: 1, count: 16), Array(repeating: 2, count: 16)])
    }

    @Test func answersThatAreAlwaysWrongAreAnError() async throws {
        let attempt: [Step] = [
            .command(LoaderRequest(Self.command(0)), answer: Self.answer(1)),
            .command(LoaderRequest(Sync()), answer: Self.answer(2) + Self.sync),
        ]
        let error = await FlasherError.of {
            _ = try await digests([0], Array(repeating: attempt, count: 6).flatMap { $0 })
        }
        #expect(error?.code == .noisyLine)
        #expect(
            error?.description == "digest of 0x0 to 0x1000: answers come more than once, 6 so far; "
                + "is another program using the port?")
    }
}
