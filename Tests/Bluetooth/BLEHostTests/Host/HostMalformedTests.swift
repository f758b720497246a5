import BLEHost
import BLEPackets
import ByteCodec
import MonotonicTime
import Testing

/// Any input from the controller or the peer: no trap, and the host keeps working.
@Suite struct HostMalformedTests {
    private static let events = [
        "043e1301000200010001f0f0f0f0f00a0000000a0007", "040c080001000b4c000000", "043e0c04000100ff79010000000000",
        "0413050101000100", "040e0401062000", "040f0400010620", "043e0a0300010028000000c800",
        "043e0b060100180028000000c800",
        "043e0f0201000101020304050603020106c4", "04050400010013", "041a0101",
    ]

    @Test(arguments: events) func everyTruncatedEventIsReportedAndTheHostContinues(event: String) throws {
        let bytes = try #require(Hexadecimal.bytes(event))
        for count in 1..<bytes.count {
            for mendsLength in [false, true] {
                var controller = ScriptedController(.nimble)
                try controller.bringUp()
                try controller.connectAsPeripheral()
                try controller.host.startScanning(ScanParameters(), now: controller.now)
                var cut = Array(bytes[1..<count])
                if mendsLength, cut.count >= 2 { cut[1] = UInt8(cut.count - 2) }
                controller.host.receive(HCIPacket(.event, cut), now: controller.now)
                controller.drain()
                if !mendsLength {
                    #expect(controller.drainEvents().contains { $0.hasPrefix("malformedPacket HCI event: ") })
                }
                _ = controller.drainEvents()
                controller.sendACL([3, 0, 4, 0, 0x0A, 3, 0])
                #expect(controller.drainEvents() == ["att 1 0a0300"])
            }
        }
    }

    @Test func everyTruncatedACLPacketIsDropped() throws {
        let bytes: [UInt8] = [1, 0x20, 7, 0, 3, 0, 4, 0, 0x0A, 3, 0]
        var controller = ScriptedController(.nimble)
        try controller.bringUp()
        try controller.connectAsPeripheral()
        for count in 0..<bytes.count {
            controller.host.receive(HCIPacket(.acl, Array(bytes[..<count])), now: controller.now)
            controller.drain()
        }
        #expect(controller.drainEvents().isEmpty)
        controller.host.receive(HCIPacket(.acl, bytes), now: controller.now)
        controller.drain()
        #expect(controller.drainEvents() == ["att 1 0a0300"])
    }

    @Test func everyTruncatedSignallingPacketIsAnsweredOrDropped() throws {
        let pdu: [UInt8] = [0x12, 1, 8, 0, 6, 0, 12, 0, 0, 0, 200, 0]
        for count in 0..<pdu.count {
            var controller = ScriptedController(.central(.none))
            try controller.bringUp()
            try controller.connectAsCentral()
            controller.sendACL([UInt8(count), 0, 5, 0] + pdu[..<count])
            #expect(controller.drainSent().isEmpty)
            guard count >= 4 else { continue }
            var mended = Array(pdu[..<count])
            mended[2] = UInt8(count - 4)
            controller.sendACL([UInt8(count), 0, 5, 0] + mended)
            #expect(controller.drainSent() == ["0201000a00060005000101 02000000".compact])
        }
    }

    @Test func randomPacketsNeverTrap() throws {
        var random = SeededRandom(seed: 7)
        for configuration in [HostConfiguration.nimble, .central(.none)] {
            var controller = ScriptedController(configuration)
            try controller.bringUp()
            try controller.connectAsPeripheral()
            for _ in 0..<20_000 {
                var bytes = random.bytes(Int(random.next() % 40))
                let isEvent = random.next() % 2 == 0
                if isEvent, bytes.count >= 3 {
                    bytes[0] = [0x05, 0x0C, 0x0E, 0x0F, 0x13, 0x3E][Int(random.next() % 6)]
                    bytes[1] = UInt8(bytes.count - 2)
                    if bytes[0] == 0x3E { bytes[2] = UInt8(random.next() % 12) }
                } else if bytes.count >= 8 {
                    bytes[0] = UInt8(random.next() % 3)
                    bytes[1] = UInt8(random.next() % 4) << 4
                    bytes[2] = UInt8(bytes.count - 4)
                    bytes[3] = 0
                    bytes[4] = UInt8(random.next() % 48)
                    bytes[5] = 0
                    bytes[6] = UInt8(random.next() % 8)
                    bytes[7] = 0
                }
                controller.host.receive(HCIPacket(isEvent ? .event : .acl, bytes), now: controller.now)
                if random.next() % 64 == 0 { controller.now = controller.now.advanced(by: .milliseconds(300)) }
                controller.host.advance(to: controller.now)
                controller.drain()
                _ = controller.drainEvents()
                for command in controller.drainSent() where command.hasPrefix("01") {
                    try controller.status(String(command.dropFirst(2).prefix(4)))
                }
            }
            #expect(controller.host.isReady)
        }
    }
}
