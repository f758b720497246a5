import BLECentral
import BLECentralHCI
import BLECore
import FirmwareBuild
import MonotonicTime
import BenchExecutor
import Testing
import VirtualBoard

/// The limit of simultaneous pairings and encryptions in a board's NimBLE host (`BLE_SM_MAX_PROCS`): one, unless the
/// sketch's build flags set more, as those of `BondStore` do.
@Suite struct SecurityProcedureTests {
    private static let pairingRequest: [UInt8] = [0x01, 0x03, 0x00, 0x09, 0x10, 0x03, 0x03]

    /// A NimBLE without a free procedure leaves the LTK Request unanswered (`ble_sm_ltk_req_rx`).
    @Test(arguments: [("Unsubscribing", false), ("BondStore", true)])
    func anOwnerCanEncryptDuringAnUnfinishedPairing(sketch: String, isAnswered: Bool) async throws {
        let firmware = try await SketchBuilds.shared.build(sketch)
        let bench = try await BoardBench()
        try bench.executor.run {
            let (board, _) = try await bench.board(firmware.layout)
            await board.powerOn()
            try await bench.sleep(.seconds(1))
            let (owner, _) = try await bench.central()
            let first = try await owner.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.sleep(.milliseconds(300))
            _ = try await owner.pair(first)
            try await bench.sleep(.milliseconds(300))
            try await owner.disconnect(first)
            try await bench.sleep(.milliseconds(300))
            await board.type(Array("a".utf8))

            let stranger = try await RawCentral(bench, 2)
            try await stranger.connect(to: board.bluetoothAddress)
            stranger.send(Self.pairingRequest, channel: 6)
            try await bench.sleep(.milliseconds(200))
            #expect(stranger.drainFrames().map { $0[1].prefix(2) } == ["02"])
            await board.type(Array("a".utf8))

            let second = try await owner.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            try await bench.sleep(.milliseconds(300))
            let start = bench.executor.now
            if isAnswered {
                #expect(try await owner.encrypt(second).isEncrypted)
            } else {
                // There is no answer until the procedure response time-out (Core 5.4, Vol 6 Part B 5.2).
                await #expect(throws: CentralError.self) { try await owner.encrypt(second) }
                #expect(bench.executor.now >= start.advanced(by: .seconds(30)))
            }
            try await board.powerOff()
        }
    }
}
