import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import BenchExecutor
import Testing
import VirtualBoard

/// NimBLE-Arduino's white list and `setScanFilter`, from the sketch to the controller that filters.
@Suite struct WhiteListTests {
    @Test func onlyListedCentralsConnectUntilTheFilterEnds() async throws {
        try await run { bench, board, log in
            let (owner, _) = try await bench.central(1)
            let (stranger, _) = try await bench.central(2)
            try await visit(bench, board, owner)
            try await bench.wait(for: "the filter") { log.console.hasSuffix("open to 1\n") }
            await #expect {
                try await stranger.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(1))
            } throws: {
                ($0 as? CentralError)?.code == .timedOut
            }
            try await visit(bench, board, owner)
            try await bench.wait(for: "the end of the filter") { log.console.hasSuffix("open to all\r\n") }
            try await visit(bench, board, stranger)
            try await bench.wait(for: "the filter") { log.console.hasSuffix("open to 2\n") }
        }
    }

    @Test func onlyListedScannersReceiveScanResponses() async throws {
        try await run { bench, board, log in
            let (owner, ownerLog) = try await bench.central(1)
            let (stranger, strangerLog) = try await bench.central(2)
            await board.type(Array("s".utf8))
            try await visit(bench, board, owner)
            try await bench.wait(for: "the filter") { log.console.hasSuffix("open to 1\n") }
            for central in [owner, stranger] { try await central.startScanning(ScanFilter()) }
            try await bench.sleep(.seconds(1))
            #expect(names(in: ownerLog).contains("response"))
            #expect(!names(in: strangerLog).isEmpty)
            #expect(!names(in: strangerLog).contains("response"))
            try await bench.wait(for: "the end of the filter") { log.console.hasSuffix("open to all\r\n") }
            try await bench.sleep(.seconds(1))
            #expect(names(in: strangerLog).contains("response"))
        }
    }

    @Test func theListHasTwelveEntriesAndCannotChangeWhileInUse() async throws {
        try await run { bench, board, log in
            await board.type(Array("f".utf8))
            try await bench.wait(for: "the list") { log.console.hasSuffix("full with 12\n") }
            await board.type(Array("r".utf8))
            try await bench.wait(for: "the removal") { log.console.hasSuffix("removed 1 listed 0\n") }
            let (owner, _) = try await bench.central(1)
            try await visit(bench, board, owner)
            try await bench.wait(for: "the filter") { log.console.hasSuffix("open to 12\n") }
            await board.type(Array("r".utf8))
            try await bench.wait(for: "the refusal") { log.console.hasSuffix("removed 0 listed 1\n") }
            try await visit(bench, board, owner)
        }
    }

    // MARK: Helpers

    private func run(
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws {
        let firmware = try await SketchBuilds.shared.build("WhiteList")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "the sketch") { log.console.hasSuffix("open to all\r\n") }
            try await body(bench, board, log)
            try await board.powerOff()
        }
    }

    /// Connects, waits for the sketch's callback, and disconnects.
    private func visit(_ bench: BoardBench, _ board: VirtualBoard, _ central: HCICentral) async throws {
        let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(1))
        try await bench.sleep(.milliseconds(300))
        try await central.disconnect(connection)
        try await bench.sleep(.milliseconds(100))
    }

    /// The local names in a central's advertising reports; empty without a name.
    private func names(in log: CentralLog) -> [String] {
        log.events.compactMap { event in
            guard case .advertisement(let heard) = event else { return nil }
            return heard.data.localName ?? ""
        }
    }
}
