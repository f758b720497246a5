import BLECore
import BLEHost
import BLEPackets
import MonotonicTime
import Testing

@Suite struct HostTests {
    private func ready(_ configuration: HostConfiguration = .nimble) throws -> ScriptedController {
        var controller = ScriptedController(configuration)
        try controller.bringUp()
        return controller
    }

    // MARK: Commands

    @Test func anUnresponsiveControllerStopsTheHost() throws {
        var controller = ScriptedController(.nimble)
        controller.host.start(now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["01030c00"])
        controller.advance(by: .milliseconds(1999))
        #expect(controller.drainEvents().isEmpty)
        controller.advance(by: .milliseconds(1))
        let events = controller.drainEvents()
        #expect(events.count == 1)
        #expect(events.first?.hasSuffix("expected an answer within 2 s, got none") == true)
        #expect(events.first?.contains("0x0C03") == true)
        #expect(!controller.host.isReady && controller.host.nextDeadline == nil)
        try controller.bringUp()
    }

    @Test func aRefusedStartupCommandStopsTheHost() throws {
        var controller = ScriptedController(.nimble)
        controller.host.start(now: controller.now)
        controller.drain()
        try controller.status("030c", "01")
        #expect(controller.drainEvents().first?.hasSuffix("expected success, got 0x01 unknown HCI command") == true)
        #expect(controller.drainSent() == ["01030c00"])
    }

    @Test func aControllerWithoutLEIsUnsupported() throws {
        var controller = ScriptedController(.nimble)
        controller.host.start(now: controller.now)
        controller.drain()
        for (opcode, parameters) in [
            ("030c", "00"), ("0110", "00080e030860000e03"), ("0210", ScriptedController.answers["0210"]),
        ] {
            try controller.complete(opcode, try #require(parameters))
        }
        try controller.complete("0310", "000000000020000080")
        #expect(
            controller.drainEvents() == [
                "failed LMP features: expected LE Supported (bit 38), got 0x8000002000000000"
            ])
    }

    @Test func commandsWaitForACredit() throws {
        var controller = try ready()
        try controller.host.setAdvertisingData([1], now: controller.now)
        try controller.host.setScanResponseData([2], now: controller.now)
        controller.drain()
        #expect(controller.drainSent().count == 1)
        try controller.send("040e0400082000")
        #expect(controller.drainSent().isEmpty)
        try controller.send("040e03010000")
        #expect(controller.drainSent().first?.hasPrefix("01092020") == true)
    }

    @Test func anAnswerToAnUnknownCommandIsIgnored() throws {
        var controller = try ready()
        try controller.complete("0620")
        #expect(controller.drainEvents().isEmpty && controller.drainSent().isEmpty)
    }

    // MARK: Advertising

    @Test func advertisingEndsAfterItsDuration() throws {
        var controller = try ready()
        try controller.host.startAdvertising(for: .seconds(3), now: controller.now)
        controller.drain()
        try controller.complete("0620")
        try controller.complete("0a20")
        #expect(controller.drainSent() == ["0106200f300060000000000000000000000700", "010a200101"])
        #expect(controller.host.isAdvertising)
        #expect(throws: HostError.self) { try controller.host.startAdvertising(now: controller.now) }
        controller.advance(by: .seconds(3))
        #expect(controller.drainSent() == ["010a200100"])
        #expect(controller.drainEvents() == ["advertisingEnded"])
        #expect(!controller.host.isAdvertising)
    }

    @Test func longAdvertisingDataAndAStoppedHostAreErrors() throws {
        let controller = try ready()
        #expect {
            try controller.host.setAdvertisingData([UInt8](repeating: 0, count: 32), now: .zero)
        } throws: {
            "\($0)" == "advertising data: expected at most 31 bytes, got 32"
        }
        #expect {
            try Host(configuration: .nimble).startAdvertising(now: .zero)
        } throws: {
            "\($0)" == "advertising: expected a synchronized host, which this is not"
        }
    }

    @Test func refusedAdvertisingIsReported() throws {
        var controller = try ready()
        try controller.host.startAdvertising(now: controller.now)
        controller.drain()
        try controller.complete("0620")
        try controller.complete("0a20", "0c")
        #expect(controller.drainEvents().last?.hasSuffix("0x0C command disallowed") == true)
        #expect(!controller.host.isAdvertising)
    }

    // MARK: Scanning and connecting

    @Test func scanningStartsRestartsAndStops() throws {
        var controller = try ready(.central(.none))
        try controller.host.startScanning(ScanParameters(), now: controller.now)
        controller.drain()
        try controller.complete("0b20")
        try controller.complete("0c20")
        #expect(controller.drainSent() == ["010b200701100010000000", "010c20020100"])
        #expect(controller.drainEvents() == ["scanningStarted"])
        try controller.host.startScanning(ScanParameters(isActive: false), now: controller.now)
        controller.drain()
        for opcode in ["0c20", "0b20", "0c20"] { try controller.complete(opcode) }
        #expect(controller.drainSent() == ["010c20020000", "010b200700100010000000", "010c20020100"])
        #expect(controller.drainEvents() == ["scanningStarted"])
        try controller.send("043e0f02010001010203040506 03020106c4".filter { $0 != " " })
        #expect(controller.drainEvents() == ["report 06:05:04:03:02:01 -60 020106"])
        try controller.host.stopScanning(now: controller.now)
        controller.drain()
        try controller.complete("0c20")
        #expect(controller.drainSent() == ["010c20020000"])
        #expect(controller.drainEvents() == ["scanningStopped"])
    }

    @Test func aFixedRandomAddressIsSetAndUsed() throws {
        var controller = ScriptedController(.central(.fixed(DeviceAddress(0xC0FF_EE00_0001, .random))))
        controller.host.start(now: controller.now)
        controller.drain()
        var commands: [String] = []
        while let command = controller.drainSent().first {
            commands.append(command)
            let opcode = String(command.dropFirst(2).prefix(4))
            try controller.complete(opcode, try #require(ScriptedController.answers[opcode]))
        }
        #expect(commands.last == "01052006010000eeffc0")
        #expect(!commands.contains { $0.hasPrefix("01310c") })
        try controller.host.startScanning(ScanParameters(), now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["010b200701100010000100"])
    }

    @Test func aCancelledConnectionAttemptFails() throws {
        var controller = try ready(.central(.none))
        try controller.host.connect(to: DeviceAddress(1, .public), now: controller.now)
        #expect(throws: HostError.self) {
            try controller.host.connect(to: DeviceAddress(2, .public), now: controller.now)
        }
        controller.drain()
        try controller.status("0d20")
        controller.host.cancelConnect(now: controller.now)
        controller.drain()
        #expect(
            controller.drainSent() == [
                "010d2019100010000000010000000000000600060000 00c80000000000".compact, "010e2000",
            ])
        try controller.complete("0e20")
        try controller.send("043e130102" + String(repeating: "0", count: 34))
        #expect(controller.drainEvents() == ["connectionFailed 0x02 unknown connection identifier"])
    }

    @Test func aCentralReportsTheConnectionAtOnceAndRequestsLongPackets() throws {
        var controller = try ready(.central(.none))
        try controller.host.connect(to: DeviceAddress(0xF0F0_F0F0_F001, .public), now: controller.now)
        controller.drain()
        try controller.status("0d20")
        _ = controller.drainSent()
        try controller.send("043e1301000100000001f0f0f0f0f006000000c80007")
        #expect(controller.drainEvents() == ["linkEstablished 1 F0:F0:F0:F0:F0:01", "connected 1"])
        #expect(controller.drainSent() == ["012220060100fb004808"])
        let info = try #require(controller.host.connection(1))
        #expect(info.isCentral && info.interval == 6 && info.latency == 0 && info.supervisionTimeout == 200)
    }

    @Test func anEnhancedConnectionCompleteEventIsHandled() throws {
        var controller = try ready()
        try controller.send("043e1f0a000100010001f0f0f0f0f0" + String(repeating: "0", count: 24) + "0a0000000a0007")
        #expect(controller.drainEvents() == ["linkEstablished 1 F0:F0:F0:F0:F0:01"])
    }

    // MARK: Disconnecting

    @Test func aDisconnectIsSentOnceAndReportedWithItsReason() throws {
        var controller = try ready()
        try controller.connectAsPeripheral()
        try controller.host.disconnect(1, now: controller.now)
        try controller.host.disconnect(1, now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["0106040301 0013".compact])
        try controller.status("0604")
        try controller.send("04050400010016")
        #expect(
            controller.drainEvents() == ["disconnected 1 0x16 connection terminated by local host true"])
        #expect(controller.host.connections.isEmpty)
        #expect(throws: HostError.self) { try controller.host.disconnect(1, now: controller.now) }
    }

    @Test func aLinkThatEndsBeforeVersionAndFeaturesIsNeverReportedConnected() throws {
        var controller = try ready()
        try controller.send("043e1301000100010001f0f0f0f0f00a0000000a0007")
        try controller.send("0405040001003e")
        #expect(
            controller.drainEvents().last == "disconnected 1 0x3E connection failed to be established false")
    }
}

extension String {
    var compact: String { filter { $0 != " " } }
}
