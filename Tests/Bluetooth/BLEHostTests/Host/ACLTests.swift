import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// ACL data between host and controller: buffers, fragments, limits.
@Suite struct ACLTests {
    private func connected(_ configuration: HostConfiguration = .nimble) throws -> ScriptedController {
        var controller = ScriptedController(configuration)
        try controller.bringUp()
        try controller.connectAsPeripheral()
        return controller
    }

    private func frame(_ pdu: [UInt8]) -> [UInt8] { [UInt8(pdu.count & 0xFF), UInt8(pdu.count >> 8), 4, 0] + pdu }

    @Test func neverSendsMorePacketsThanTheControllerHasBuffers() throws {
        var controller = try connected()
        for number in UInt8(0)..<14 { controller.host.sendATT([0x1B, number], on: 1, now: controller.now) }
        controller.drain()
        #expect(controller.drainSent().count == 12)
        try controller.send("0413050101000100")
        #expect(controller.drainSent() == ["020100060002000400 1b0c".compact])
        try controller.send("0413050101000500")
        #expect(controller.drainSent() == ["020100060002000400 1b0d".compact])
    }

    @Test func onlyANimBLEHostCountsBuffers() throws {
        for (pool, queued) in [(NimBLEBuffers(), 4), (NimBLEBuffers(count: 12, size: 64), 6), (nil, 0)] {
            var controller = try connected()
            controller.host.pool = pool
            let notification = [0x1B, 0x12, 0] + [UInt8](repeating: 1, count: 50)
            // The controller has 12 buffers, so two wait.
            for _ in 0..<14 { controller.host.sendATT(notification[...], on: 1, now: controller.now) }
            #expect(controller.host.queuedBuffers == queued)
            try controller.send("0413050101000200")
            #expect(controller.host.queuedBuffers == 0)
        }
        #expect(try connected(.central(.none)).host.pool == nil)
        #expect(try connected().host.pool == NimBLEBuffers())
    }

    @Test func aTypedPDUGivesTheSamePacket() throws {
        var controller = try connected()
        controller.host.sendATT(
            ATTHandleValueNotification(handle: 0x12, value: [0xAA]), on: 1, now: controller.now)
        controller.drain()
        #expect(controller.drainSent() == ["02010008000400 0400 1b1200aa".compact])
    }

    @Test func aLongFrameIsSentInFragmentsOfTheControllersLength() throws {
        var controller = try connected()
        controller.host.sendATT([UInt8](repeating: 0x5A, count: 300)[...], on: 1, now: controller.now)
        controller.drain()
        let sent = controller.drainSent()
        #expect(sent.count == 2)
        #expect(sent.first == "020100fb002c010400" + String(repeating: "5a", count: 247))
        #expect(sent.last == "0201103500" + String(repeating: "5a", count: 53))
    }

    @Test func aLostLinkFreesItsBuffersAndDropsQueuedPackets() throws {
        var controller = try connected()
        for _ in 0..<14 { controller.host.sendATT([0x1B], on: 1, now: controller.now) }
        try controller.send("04050400010008")
        _ = controller.drainSent()
        try controller.connectAsPeripheral()
        for _ in 0..<12 { controller.host.sendATT([0x1B], on: 1, now: controller.now) }
        controller.drain()
        #expect(controller.drainSent().count == 12)
    }

    @Test func connectionsAreServedInTurn() throws {
        var controller = try connected()
        try controller.send("043e1301000200010002f0f0f0f0f00a0000000a0007")
        _ = controller.drainSent()
        for _ in 0..<14 { controller.host.sendATT([1], on: 1, now: controller.now) }
        for _ in 0..<2 { controller.host.sendATT([2], on: 2, now: controller.now) }
        controller.drain()
        _ = controller.drainSent()
        try controller.send("0413050101000300")
        #expect(controller.drainSent().map { $0.suffix(2) } == ["02", "01", "02"])
    }

    @Test func roomAvailableIsReportedWhenTheQueueHasSpace() throws {
        var controller = try connected()
        for _ in 0..<24 { controller.host.sendATT([1], on: 1, now: controller.now) }
        #expect(!controller.host.hasRoom(on: 1))
        try controller.send("0413050101000100")
        #expect(controller.drainEvents() == ["roomAvailable 1"])
        #expect(controller.host.hasRoom(on: 1))
        try controller.send("0413050101000100")
        #expect(controller.drainEvents().isEmpty)
    }

    @Test func processedPacketsAreReportedWhenFewBuffersAreLeft() throws {
        var controller = try connected()
        for _ in 0..<9 { controller.sendACL(frame([0x0A, 3, 0])) }
        #expect(controller.drainSent().isEmpty)
        controller.sendACL(frame([0x0A, 3, 0]))
        #expect(controller.drainSent() == ["01350c05010100 0a00".compact])
    }

    @Test func processedPacketsAreReportedAfterTwoSeconds() throws {
        var controller = try connected()
        controller.sendACL(frame([0x0A, 3, 0]))
        controller.advance(by: .milliseconds(1500))
        controller.sendACL(frame([0x0A, 3, 0]))
        #expect(controller.drainSent().isEmpty)
        controller.advance(by: .milliseconds(500))
        #expect(controller.drainSent() == ["01350c05010100 0200".compact])
        #expect(controller.host.nextDeadline == nil)
    }

    @Test func aSignallingFrameBeyondItsMTUAndTwoBytesIsDropped() throws {
        var controller = try connected()
        for (length, answers) in [(102, 1), (103, 0)] {
            let packet = [0x08, 1, UInt8(length - 4), 0] + [UInt8](repeating: 0, count: length - 4)
            controller.sendACL([UInt8(length), 0, 5, 0] + packet)
            #expect(controller.drainSent().count == answers)
        }
    }

    @Test func anIncompleteFrameEndsTheLinkAfterThirtySeconds() throws {
        var controller = try connected(.central(.none))
        controller.sendACL([3, 0, 4, 0, 0x0A])
        controller.advance(by: .milliseconds(29_999))
        #expect(controller.drainSent().isEmpty)
        controller.advance(by: .milliseconds(1))
        #expect(controller.drainSent() == ["0106040301 0013".compact])
        #expect(controller.host.nextDeadline == controller.now.advanced(by: .seconds(2)))
    }

    @Test func aFrameInManyFragmentsIsReassembled() throws {
        var controller = try connected(.central(.none))
        let pdu = [UInt8](0..<200)
        let whole = frame(pdu)
        controller.sendACL(Array(whole[..<4]))
        for index in stride(from: 4, to: whole.count, by: 27) {
            controller.sendACL(boundary: 1, Array(whole[index..<min(index + 27, whole.count)]))
        }
        #expect(
            controller.drainEvents() == [
                "att 1 " + pdu.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
            ])
    }
}
