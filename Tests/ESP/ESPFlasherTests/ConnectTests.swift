import ESPFlasher
import ESPProtocol
import SerialPort
import Testing

@Suite struct ConnectTests {
    private func connect(_ port: ScriptedPort) async throws -> Flasher {
        let flasher = Flasher(port: port, clock: port.clock)
        try await flasher.connect()
        return flasher
    }

    @Test func theFirstAttemptOverModemLinesIsUnixTight() async throws {
        let port = ScriptedPort(
            hasModemLines: true,
            [
                .rate(115_200), .lines(dtr: false, rts: false), .lines(dtr: true, rts: true),
                .lines(dtr: false, rts: true), .pause(.milliseconds(100)), .lines(dtr: true, rts: false),
                .pause(.milliseconds(50)), .lines(dtr: false, rts: false), .sync(),
            ])
        _ = try await connect(port)
        await port.finish()
    }

    @Test func theThirdAttemptIsTheClassicReset() async throws {
        func tight(_ hold: Int) -> [ScriptedPort.Step] {
            [
                .lines(dtr: false, rts: false), .lines(dtr: true, rts: true), .lines(dtr: false, rts: true),
                .pause(.milliseconds(100)), .lines(dtr: true, rts: false), .pause(.milliseconds(hold)),
                .lines(dtr: false, rts: false),
            ]
        }
        let silence = Array(repeating: ScriptedPort.Step.silence(Sync()), count: 5)
        let port = ScriptedPort(
            hasModemLines: true,
            [.rate(115_200)] + tight(50) + silence + tight(550) + silence + [
                .lines(dtr: false, rts: true), .pause(.milliseconds(100)), .lines(dtr: true, rts: false),
                .pause(.milliseconds(50)), .lines(dtr: false, rts: false), .silence(Sync()), .sync(),
            ])
        _ = try await connect(port)
        await port.finish()
    }

    @Test func noiseBeforeAndBetweenAnswersIsIgnored() async throws {
        let noise = Array("ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET)".utf8) + [0xC0, 0xDB, 0x00, 0xFF]
        let answer = LoaderResponse(to: Sync.self, .rom, dialect: .rom).frame
        let port = ScriptedPort(
            noise: noise,
            [
                .rate(115_200),
                .command(LoaderRequest(Sync()), answer: noise + answer + [0x00, 0xFF] + answer),
            ])
        _ = try await connect(port)
        await port.finish()
    }

    @Test(arguments: [
        ("", FlasherError.Code.noAnswer, "nothing came from the board"),
        (
            "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n", .wrongBootMode,
            "(boot:0x13); hold its BOOT button"
        ),
        ("boot:0x3 (DOWNLOAD_BOOT(UART0))\r\nwaiting for download\r\n", .noAnswer, "check the line to its RX pin"),
        ("Listening...\r\n", .otherProgram, "14 bytes came that are not an answer"),
    ])
    func noAnswerSaysWhatTheBoardDoes(noise: String, code: FlasherError.Code, expected: String) async throws {
        let port = ScriptedPort(
            noise: Array(noise.utf8),
            [.rate(115_200)] + Array(repeating: .silence(Sync()), count: 35))
        let error = await FlasherError.of { _ = try await connect(port) }
        #expect(error?.code == code)
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
        #expect(error?.description.hasPrefix("script: no answer to 35 SYNCs: ") == true)
        await port.finish()
    }

    @Test func endlessNoiseTimesOut() async throws {
        let port = ScriptedPort(
            noise: Array(repeating: 0x55, count: 100_000),
            [.rate(115_200)] + Array(repeating: .silence(Sync()), count: 35))
        #expect(await FlasherError.of { _ = try await connect(port) }?.code == .otherProgram)
        await port.finish()
    }

    @Test func aDisconnectedPortIsAPortError() async throws {
        let port = ScriptedPort([.rate(115_200), .vanish(.sync)])
        let error = await FlasherError.of { _ = try await connect(port) }
        #expect(error?.code == .port)
        #expect((error?.underlying as? SerialPortError)?.code == .disconnected)
        #expect(error?.description == "connecting over script: script: the device is gone")
    }

    @Test func theRateChangesAtBothEnds() async throws {
        let port = ScriptedPort(
            Scripts.connect + Scripts.identify() + [
                // A ROM that measured its 40 MHz crystal as 41.
                .ok(ReadRegister(address: 0x3FF5_F06C), .init(value: 656 << 7)),
                .ok(ReadRegister(address: 0x3FF5_A010), .init(value: 0xAA00_00A0)),
                .ok(ChangeBaudRate(newRate: 944_640)), .rate(921_600), .pause(.milliseconds(50)),
                // The board still uses the new rate when it receives the last command.
                .silence(
                    WriteRegister([
                        .init(address: 0x3FF4_80A4, value: 0x50D8_3AA1), .init(address: 0x3FF4_8090, value: 2000),
                        .init(address: 0x3FF4_808C, value: 0xC000_4800), .init(address: 0x3FF4_80A4, value: 0),
                    ])), .rate(115_200),
            ])
        let flasher = try await connect(port)
        let board = try await flasher.identify()
        try await flasher.changeBaudRate(to: 921_600, of: board)
        try await flasher.restart()
        await port.finish()
    }

    /// The other side of a socket, with a fixed rate, would lose the chip.
    @Test(arguments: [false, true])
    func theRateOfALineBehindASocketIsRaisedOnRequestOnly(isRequested: Bool) async throws {
        let digest = ScriptedPort.Step.ok(
            FlashMD5(address: 0, size: 0x1000), .init(digest: Array(repeating: 1, count: 16)[...]))
        let next = ScriptedPort.Step.ok(
            FlashMD5(address: 0x1000, size: 0x1000), .init(digest: Array(repeating: 1, count: 16)[...]))
        let raised: [ScriptedPort.Step] = [
            .ok(ReadRegister(address: 0x3FF5_F06C), .init(value: 0)),
            .ok(ReadRegister(address: 0x3FF5_A010), .init(value: 0)),
            .ok(ChangeBaudRate(newRate: 460_800)), .rate(460_800), .pause(.milliseconds(50)), digest, digest, next,
            next,
        ]
        let port = ScriptedPort(setsRate: false, Scripts.connect + Scripts.identify() + (isRequested ? raised : []))
        let flasher = Flasher(port: port, clock: port.clock)
        _ = try await flasher.open(SessionOptions(baudRate: 460_800, raisesUnsetRate: isRequested))
        await port.finish()
        #expect(flasher.baudRate == (isRequested ? 460_800 : 115_200))
    }

    @Test func anImplausibleMeasurementIsNotUsed() async throws {
        let port = ScriptedPort(
            Scripts.connect + Scripts.identify() + [
                .ok(ReadRegister(address: 0x3FF5_F06C), .init(value: 0)),
                .ok(ReadRegister(address: 0x3FF5_A010), .init(value: 0)),
                .ok(ChangeBaudRate(newRate: 460_800)), .rate(460_800), .pause(.milliseconds(50)),
            ])
        let flasher = try await connect(port)
        try await flasher.changeBaudRate(to: 460_800, of: try await flasher.identify())
        await port.finish()
    }

    @Test func modemLinesRestartTheBoard() async throws {
        let port = ScriptedPort(
            hasModemLines: true,
            [.rate(115_200), .lines(dtr: false, rts: true), .pause(.milliseconds(100)), .lines(dtr: false, rts: false)])
        try await Flasher(port: port, clock: port.clock).restart()
        await port.finish()
    }
}
