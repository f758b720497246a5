import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import BenchExecutor
import Testing
import VirtualBoard

/// The calculator on several boards on one radio.
@Suite struct SeveralTests {
    private static let input = BLEUUID("C1AB2C55-7914-4140-B85B-879C5E252FE5")
    private static let output = BLEUUID("643954A4-A6CC-455C-825C-499190CE7DB0")

    /// A client of one calculator.
    private struct Client {
        var central: HCICentral
        var connection: ConnectionID
        var input: AttributeID
        var output: AttributeID

        init(_ central: HCICentral, of board: VirtualBoard) async throws {
            self.central = central
            connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            let services = try await central.discoverServices(on: connection)
            let characteristics = services.flatMap(\.characteristics)
            input = try #require(characteristics.first { $0.uuid == SeveralTests.input }).value
            output = try #require(characteristics.first { $0.uuid == SeveralTests.output }).value
            try await central.setSubscription(.notifications, of: output, on: connection)
        }

        func ask(_ request: [UInt8]) async throws {
            try await central.write(request, to: input, kind: .withResponse, on: connection)
        }
    }

    @Test func twoBoardsServeTwoCentralsIndependently() async throws {
        let firmware = try await SketchBuilds.shared.build("Calculator")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (one, oneLog) = try await bench.board(firmware.layout, number: 1)
            let (two, twoLog) = try await bench.board(firmware.layout, number: 2)
            #expect(one.bluetoothAddress != two.bluetoothAddress)
            await one.powerOn()
            await two.powerOn()
            let (first, firstLog) = try await bench.central(1)
            let (second, secondLog) = try await bench.central(2)
            let clientOfOne = try await Client(first, of: one)
            let clientOfTwo = try await Client(second, of: two)
            for number in UInt8(0)..<20 {
                try await clientOfOne.ask([number, 100, 0])
                try await clientOfTwo.ask([number, 3, 2])
            }
            try await bench.sleep(.milliseconds(300))
            #expect(values(in: firstLog) == (0..<20).map { [100 + $0] })
            #expect(values(in: secondLog) == (0..<20).map { [3 * $0] })
            #expect(try await first.read(clientOfOne.output, on: clientOfOne.connection) == [119])
            #expect(try await second.read(clientOfTwo.output, on: clientOfTwo.connection) == [57])
            // One board loses power; the other is not affected.
            try await one.powerOff()
            try await bench.wait(for: "the loss of the first link") {
                firstLog.events.last == .disconnected(clientOfOne.connection, reason: 0x08)
            }
            try await clientOfTwo.ask([200, 1, 1])
            try await bench.sleep(.milliseconds(300))
            #expect(values(in: secondLog).last == [199])
            #expect(oneLog.starts == 1)
            #expect(twoLog.starts == 1)
        }
    }

    @Test func theSameSeedGivesTheSameRun() async throws {
        let first = try await record(seed: 7)
        let again = try await record(seed: 7)
        let other = try await record(seed: 8)
        #expect(first.lines == again.lines)
        #expect(first.lines.count > 20)
        // The seed only changes the times of events.
        #expect(first.lines != other.lines)
        #expect(first.events == other.events)
        #expect(first.console == other.console)
    }

    private struct Record: Sendable {
        var lines: [String]
        var events: [CentralEvent]
        var console: String
    }

    /// A client's connection, and a reset of the board during it.
    private func record(seed: UInt64) async throws -> Record {
        let firmware = try await SketchBuilds.shared.build("Calculator")
        let bench = try await BoardBench(seed: seed)
        return try bench.executor.run {
            let (board, boardLog) = try await bench.board(firmware.layout)
            let (central, centralLog) = try await bench.central()
            await board.powerOn()
            var client = try await Client(central, of: board)
            try await client.ask([1, 2, 0])
            try await bench.sleep(.milliseconds(300))
            try await central.disconnect(client.connection)
            client = try await Client(central, of: board)
            try await client.ask([1, 2, 1])
            await board.reset()
            try await bench.wait(for: "the loss of the link") {
                centralLog.events.last == .disconnected(client.connection, reason: 0x08)
            }
            client = try await Client(central, of: board)
            try await client.ask([3, 4, 2])
            try await bench.sleep(.milliseconds(300))
            return Record(
                lines: boardLog.lines + centralLog.lines, events: centralLog.events,
                console: boardLog.console)
        }
    }

    private func values(in log: CentralLog) -> [[UInt8]] {
        log.events.compactMap { event in
            if case .notification(_, _, let value, _) = event { value } else { nil }
        }
    }
}
