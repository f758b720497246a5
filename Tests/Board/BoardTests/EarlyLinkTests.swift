import BLECentral
import BLECentralHCI
import BLECore
import BLEPackets
import BLERadio
import FirmwareBuild
import BenchExecutor
import Testing
import VirtualBoard

/// The callbacks for a link before the exchange of versions and features is complete: that is when NimBLE posts CONNECT
/// (`ble_gap_rx_rd_rem_sup_feat_complete`), and for a link that ends before, it posts nothing.
@Suite struct EarlyLinkTests {
    @Test func anEarlyDisconnectionCausesNoCallback() async throws {
        try await run { bench, board, log in
            let central = try await RawCentral(bench)
            try await central.connect(to: board.bluetoothAddress) { handle in
                [HCIDisconnect(handle: handle, reason: .remoteUserTerminatedConnection).packet]
            }
            try await bench.sleep(.seconds(1))
            #expect(
                log.changes == [
                    "links 0 peers 0 advertising 1", "links 1 peers 0 advertising 0", "links 0 peers 0 advertising 0",
                ])
            try await expectAService(bench, board, log)
        }
    }

    @Test func anEarlyLinkLossCausesNoCallback() async throws {
        try await run { bench, board, log in
            let central = try await RawCentral(bench)
            _ = await bench.radio.add(PDUFault(.cut, .linkControl(opcodes: [])))
            try await central.connect(to: board.bluetoothAddress) { _ in [] }
            try await bench.sleep(.seconds(4))
            #expect(
                log.changes == [
                    "links 0 peers 0 advertising 1", "links 1 peers 0 advertising 0", "links 0 peers 0 advertising 0",
                ])
            try await expectAService(bench, board, log)
        }
    }

    // MARK: Helpers

    /// The board advertises again when the sketch starts it, and serves the next client.
    private func expectAService(_ bench: BoardBench, _ board: VirtualBoard, _ log: BoardLog) async throws {
        await board.type(Array("a".utf8))
        try await bench.sleep(.milliseconds(100))
        #expect(log.changes.suffix(2) == ["start 1", "links 0 peers 0 advertising 1"])
        let (central, _) = try await bench.central(2)
        let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
        try await central.write([1], to: AttributeID(rawValue: 0x0010), kind: .withResponse, on: connection)
        try await bench.sleep(.milliseconds(200))
        #expect(log.changes.contains("links 1 peers 1 advertising 0"))
        #expect(log.changes.contains("write 0 encrypted 0 known 1"), "\(log.changes)")
    }

    private func run(
        _ body: @escaping @Sendable (BoardBench, VirtualBoard, BoardLog) async throws -> Void
    ) async throws {
        let firmware = try await SketchBuilds.shared.build("EveryCallback")
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.wait(for: "advertising") { log.changes.count == 1 }
            try await body(bench, board, log)
        }
    }
}

extension BoardLog {
    /// The lines of the sketch `EveryCallback`.
    fileprivate var changes: [String] {
        console.split(whereSeparator: \.isNewline).map(String.init).filter { line in
            ["links", "start", "end", "reason", "to "].contains { line.hasPrefix($0) } || line.contains(" known ")
        }
    }
}
