import BLEPackets
import BenchTesting
import Foundation
import Synchronization
import Testing

private let service = BLEUUID(0xA000)
private let counter = BLEUUID(0xA001)

/// A peripheral that counts the writes since it was switched on, for bonded centrals.
private func writeCounter() -> PeripheralDefinition {
    let writes = Mutex<UInt8>(0)
    let counter = CharacteristicDefinition(
        counter, [.read, .write], value: [0], writeNeeds: .encrypted
    ) { _, _, peripheral in
        let count = writes.withLock { count in
            count += 1
            return count
        }
        try peripheral.update([count], of: BLEUUID(0xA001))
    }
    var definition = PeripheralDefinition(name: "Counter", services: [ServiceDefinition(service, [counter])])
    definition.security = SecurityConfiguration(bonding: true, secureConnections: true)
    return definition
}

/// A peripheral written in Swift as the board of a bench.
@Suite(.bench(peripheral: writeCounter)) struct PeripheralBenchTests {
    @Test func keepsBondsAndNothingElseWithoutPower() async throws {
        try await withBench { bench in
            let central = try await bench.central()
            var link = try await central.connect(advertising: service)
            try await bench.expectError(.attError(0x05)) { try await link.write([0], to: counter) }
            try await link.pair()
            try await link.write([0], to: counter)
            #expect(try await link.read(counter) == [1])

            try await bench.board.cyclePower()
            try await link.expectDisconnect(within: .seconds(30))
            #expect(try await bench.board.bonds() == [try await central.address()])
            link = try await central.connect(advertising: service)
            #expect(try await link.read(counter) == [0])
            try await link.encrypt()
            try await link.write([0], to: counter)
            #expect(try await link.read(counter) == [1])
        }
    }

    @Test func forgetsBonds() async throws {
        try await withBench { bench in
            let central = try await bench.central()
            var link = try await central.connect(advertising: service)
            try await link.pair()
            // The last key is still on its way to the board.
            try await bench.advance(by: .milliseconds(100))
            #expect(try await bench.board.bonds() == [try await central.address()])
            try await bench.board.forgetBonds()
            #expect(try await bench.board.bonds() == [])
            try await bench.board.reset()
            try await link.expectDisconnect(within: .seconds(30))
            link = try await central.connect(advertising: service)
            try await bench.expectError(.attError(0x05)) { try await link.write([0], to: counter) }
        }
    }

    @Test func losesItsPowerAtAPDU() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.session.cutPower(at: .pdu(PDUPoint(.securityManager(.pairingRandom), from: .central)))
            await #expect(throws: TestFailure.self) { try await link.pair() }
            let bonds = try await bench.board.bonds()
            #expect(bonds == [])
        }
    }

    @Test func eachTestHasAFreshOne() async throws {
        try await withBench { bench in
            let bonds = try await bench.board.bonds()
            let count = try await bench.central().connect(advertising: service).read(counter)
            #expect(bonds == [] && count == [0])
        }
    }

    @Test func hasNoConsole() async throws {
        try await withBench { bench in
            #expect(!bench.abilities.contains(.console) && bench.abilities.contains(.airControl))
            let failure = await #expect(throws: TestFailure.self) { try await bench.board.type("x") }
            #expect(failure?.failure.got == "this bench has no console")
        }
    }
}

/// A peripheral whose handler throws.
private func faultyPeripheral() -> PeripheralDefinition {
    struct Broken: Error {}
    return PeripheralDefinition(
        name: "Faulty",
        services: [
            ServiceDefinition(
                service, [CharacteristicDefinition(counter, .write) { _, _, _ in throw Broken() }])
        ])
}

@Suite(.bench(peripheral: faultyPeripheral)) struct FaultyPeripheralTests {
    @Test func anErrorOfAHandlerIsInTheTimeline() async throws {
        try await withBench { bench in
            let link = try await bench.central().connect(advertising: service)
            try await bench.expectError(.attError(0x0E)) { try await link.write([0], to: counter) }
            let lines = bench.session.recorder.recentEvents.map(\.payload.text)
            #expect(lines.contains("Faulty: a handler threw Broken()"))
            #expect(lines.contains { $0.hasSuffix("A001 00") })
        }
    }

    @Test func suitesThatAreNotThereOrWrongFailAtTheCall() async throws {
        try await withBench { bench in
            let line = #_sourceLocation.line + 1
            let failure = await #expect(throws: TestFailure.self) { try await bench.runSuite("Suites/none.yaml") }
            #expect(failure?.sourceLocation.line == line)
            #expect(failure?.failure.expected == "the suite 'Suites/none.yaml'")
        }
    }

    @Test func numbersOutOfRangeAreRefused() async throws {
        try await withBench { bench in
            let loss = await #expect(throws: BenchFailure.self) {
                try await bench.session.setAir(loss: .max, pathLoss: .min)
            }
            #expect(loss?.expected == "a packet loss in percent of 0...100")
            let pin = await #expect(throws: TestFailure.self) { try await bench.board.press(pin: -1) }
            #expect(pin?.failure.expected == "a pin of 0...48")
        }
    }

    @Test func aSuiteOfWhichNoCaseRunsFails() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        try "suite: S\nsketch: X\ncases: [{name: c, steps: [console: x]}]\n"
            .write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withBench { bench in
            let failure = await #expect(throws: TestFailure.self) { try await bench.runSuite(file.path) }
            #expect(failure?.failure.got == "needs: console")
        }
    }

    @Test func whatABenchLacksIsNotWaitedFor() async throws {
        try await withBench { bench in
            let start = bench.now
            let failure = await #expect(throws: TestFailure.self) { try await bench.board.expectConsole("hello") }
            #expect(failure?.failure.got == "this bench has no console")
            let servo = await #expect(throws: TestFailure.self) {
                try await bench.board.expectServo(.sweep(from: 0, to: 90))
            }
            #expect(servo?.failure.got == "this bench has no servo measurement")
            #expect(bench.now == start)
        }
    }
}
