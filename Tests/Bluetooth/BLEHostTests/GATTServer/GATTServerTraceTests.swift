import BLEHost
import ByteCodec
import Testing

/// Replays the responses of the real NimBLE host.
@Suite struct GATTServerTraceTests {
    /// Steps that may differ, by their index in the file, each with the reason. None.
    static let exceptions: [Int: String] = [:]

    @Test func everyRecordedExchangeWithTheCalculatorIsEqual() throws {
        let steps = try TraceStep.load("nimble-calculator")
        #expect(steps.count == 872)
        let differences = try replay(steps, on: calculator())
        #expect(differences.filter { Self.exceptions[$0.place] == nil }.map(\.text) == [])
        #expect(differences.count == Self.exceptions.count)
    }

    @Test func oneDifferentByteIsDetected() throws {
        var steps = try TraceStep.load("nimble-calculator")
        let place = try #require(steps.firstIndex { $0.recv == ["13", "1b12000f"] })
        steps[place].recv = ["13", "1b12000e"]
        let differences = try replay(steps, on: calculator())
        #expect(differences.map(\.place) == [place])
    }

    private struct Difference {
        var place: Int
        var text: String
    }

    private func replay(_ steps: [TraceStep], on board: GATTServerBoard) throws -> [Difference] {
        var differences: [Difference] = []
        for (place, step) in steps.enumerated() {
            var received: [String] = []
            if step.isConnect {
                board.server.disconnect(0, now: board.now)
                board.server.connect(0)
                received = board.sent()
            } else {
                received = try board.exchange(step.send)
            }
            if received != step.recv {
                let text = "\(place) \(step.step) (\(step.note)): \(step.send): expected \(step.recv), got \(received)"
                differences.append(Difference(place: place, text: text))
            }
        }
        return differences
    }

    /// The recorded calculator: on a write of exactly 3 bytes it sets its output and notifies without a value.
    private func calculator() throws -> GATTServerBoard {
        var builder = GATTDatabaseBuilder(deviceName: "Test Peripheral")
        let service = builder.addService(try AttributeType("EBC0FCC1-2FC3-44B7-94A8-A08D0A0A5079"))
        let input = builder.addCharacteristic(
            try AttributeType("C1AB2C55-7914-4140-B85B-879C5E252FE5"), to: service,
            properties: [.write, .writeWithoutResponse], hasCallbacks: true)
        let output = builder.addCharacteristic(
            try AttributeType("643954A4-A6CC-455C-825C-499190CE7DB0"), to: service, properties: [.read, .notify],
            value: [0])
        let database = try builder.register()
        #expect(database.handle(of: service) == 0x000E)
        #expect(database.valueHandle(of: input) == 0x0010)
        #expect(database.valueHandle(of: output) == 0x0012)
        let board = GATTServerBoard(database)
        board.application = { board, action in
            guard case .written(_, database.valueHandle(of: input), _, let request) = action, request.count == 3 else {
                return
            }
            let result: UInt8 =
                switch request[2] {
                case 0: request[0] &+ request[1]
                case 1: request[0] &- request[1]
                case 2: request[0] &* request[1]
                default: 0
                }
            board.server.setValue([result], of: database.valueHandle(of: output))
            board.server.notifySubscribers(of: database.valueHandle(of: output), now: board.now)
        }
        return board
    }
}
