import BLECentral
import BLECentralHCI
import BLEPackets
import BLERadio
import FirmwareBuild
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// A sketch that ends the connection in `onWrite`: NimBLE's host gives its controller HCI Disconnect first, and then
/// the write response. LL_TERMINATE_IND is queued by then, so that the response never goes out
/// (Core 5.4, Vol 6 Part B 5.1.6); what was queued before it does.
@Suite struct DisconnectTests {
    @Test func aResponseQueuedAfterADisconnectIsNotSent() async throws {
        let firmware = try await SketchBuilds.shared.build("DisconnectInCallback")
        let bench = try await BoardBench()
        let sent = Mutex<[String]>([])
        try bench.executor.run {
            let (board, log) = try await bench.board(firmware.layout)
            // The only device, so the board has the first controller.
            let controller = Mutex<ControllerID?>(nil)
            await bench.radio.setObserver { observation in
                let board = controller.withLock { id in
                    if id == nil { id = observation.controller }
                    return id
                }
                guard observation.isFromHost, observation.controller == board else { return }
                let bytes = observation.packet.bytes
                if observation.packet.kind == .acl, bytes.count > 8 {
                    sent.withLock { $0.append(bytes[8] == 0x13 ? "response" : "notification") }
                } else if observation.packet.kind == .command, bytes.starts(with: [0x06, 0x04]) {
                    sent.withLock { $0.append("disconnect") }
                }
            }
            await board.powerOn()
            try await bench.sleep(.seconds(2))
            let (central, centralLog) = try await bench.central()
            let connection = try await central.connectAndAccept(to: PeerID(board.bluetoothAddress), within: .seconds(5))
            // The board's host requests our version and features first.
            try await bench.sleep(.milliseconds(300))
            let received = PDULog()
            try await central.setRawATTHandler({ received.append($0) }, on: connection)
            try await central.sendRawATT([0x12, 0x10, 0x00, 0x01], on: connection)
            try await bench.wait(for: "the disconnection") { log.console.contains("disconnecting") }
            try await bench.sleep(.milliseconds(300))
            #expect(received.take() == ["1b1000a1"])
            #expect(centralLog.events.last == .disconnected(connection, reason: 0x13))
        }
        #expect(sent.withLock { $0 } == ["notification", "disconnect", "response"])
    }
}
