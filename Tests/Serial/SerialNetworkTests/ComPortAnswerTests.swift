import SerialNetwork
import SerialPort
import Testing

/// The answers to COM-PORT-OPTION commands: the value in force (RFC 2217 section 3).
@Suite(.timeLimit(.minutes(10))) struct ComPortAnswerTests {
    private static let (iac, sb, se, option): (UInt8, UInt8, UInt8, UInt8) = (255, 250, 240, 44)

    /// Sends commands of one value each; returns the values answered.
    private func answers(_ commands: [(code: UInt8, value: UInt8)]) async throws -> [UInt8] {
        try await withServer(.rfc2217, open: { FakePort(echoes: false) }) { server in
            let client = try await NetworkPort.open(try server.address.asSocket)
            var answers: [UInt8] = []
            for command in commands {
                try await client.write([Self.iac, Self.sb, Self.option, command.code, command.value, Self.iac, Self.se])
                let beginning = [Self.iac, Self.sb, Self.option, command.code + 100]
                var bytes: [UInt8] = []
                // The server's greeting comes before the first answer.
                while bytes.count < 7 || bytes.suffix(7).prefix(4) != beginning[...] {
                    let more = try await client.read(upTo: 1, within: .seconds(20))
                    guard !more.isEmpty else { return answers }
                    bytes += more
                }
                answers.append(bytes[bytes.count - 3])
            }
            await client.close()
            return answers
        }
    }

    private static let (dataSize, parity, stopSize, control): (UInt8, UInt8, UInt8, UInt8) = (2, 3, 4, 5)

    @Test func frameFormatCommandsAreAnswered() async throws {
        let commands =
            [
                (Self.dataSize, 0), (Self.dataSize, 7), (Self.dataSize, 0), (Self.dataSize, 9), (Self.parity, 0),
                (Self.parity, 3), (Self.parity, 6), (Self.stopSize, 0), (Self.stopSize, 2), (Self.stopSize, 4),
            ] as [(UInt8, UInt8)]
        let answered = try await answers(commands)
        #expect(answered == [8, 7, 7, 7, 1, 3, 3, 1, 2, 2])
    }

    @Test func flowControlAndBreakCommandsAreAnswered() async throws {
        let values: [(sent: UInt8, answered: UInt8)] = [
            (0, 1), (13, 14), (4, 6), (5, 5), (4, 5), (6, 6), (4, 6),
            // Hardware flow control for both directions; then inbound only.
            (3, 3), (0, 3), (13, 16), (15, 15), (13, 15), (0, 3), (17, 17), (0, 17), (18, 18), (13, 18), (19, 19),
            (1, 1), (13, 14), (200, 1),
        ]
        let answered = try await answers(values.map { (Self.control, $0.sent) })
        #expect(answered == values.map(\.answered))
    }
}
