import BLECapture
import BLECore
import MonotonicTime
import Testing

/// The bytes of captures; Wireshark and btmon judge whole ones in InteropTests.
@Suite struct BTSnoopTests {
    private static let address = DeviceAddress(0x02EC_0000_0001, .public)
    private var format = BTSnoop<String>(startingAt: 0)

    /// A record at the Unix epoch plus `microseconds`.
    private func record(_ opcode: UInt8, _ index: UInt8, _ payload: [UInt8], _ microseconds: UInt8 = 0) -> [UInt8] {
        let count: [UInt8] = [0, 0, 0, UInt8(payload.count)]
        return count + count + [0, index, 0, opcode] + [0, 0, 0, 0]
            + [0x00, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, microseconds] + payload
    }

    @Test func theHeaderNamesTheLinuxMonitor() {
        #expect(BTSnoop<Int>.header == Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1])
    }

    @Test mutating func aControllerAppearsWithItsAddressAndManufacturer() {
        let records = format.add("a", address: Self.address, company: 0x02E5, at: .zero)
        let bytes: [UInt8] = [1, 0, 0, 0, 0xEC, 2]
        let new = record(0, 0, [0, 0] + bytes + Array("hci0\0\0\0\0".utf8))
        #expect(records == new + record(10, 0, bytes + [0xE5, 0x02]))
    }

    @Test mutating func packetsNameTheirControllerAndDirection() {
        _ = format.add("a", address: Self.address, company: nil, at: .zero)
        _ = format.add("b", address: Self.address + 1, company: nil, at: .zero)
        let now = MonotonicInstant.zero.advanced(by: .microseconds(7))
        let cases: [(packet: [UInt8], isFromHost: Bool, opcode: UInt8)] = [
            ([1, 3, 0x0C, 0], true, 2), ([4, 0x10, 1, 0], false, 3), ([2, 1, 0, 0, 0], true, 4),
            ([2, 1, 0, 0, 0], false, 5), ([3, 1, 0, 0], true, 6), ([3, 1, 0, 0], false, 7),
        ]
        for (packet, isFromHost, opcode) in cases {
            #expect(
                format.record(packet, of: "b", isFromHost: isFromHost, at: now)
                    == record(opcode, 1, Array(packet.dropFirst()), 7))
        }
        // No place for them: a command from a controller, an event from a host, an unknown packet type, and nothing.
        for (packet, isFromHost) in [([1, 3, 0x0C, 0], false), ([4, 0x10, 1, 0], true), ([9, 1], true), ([], true)] {
            #expect(format.record(packet.map { UInt8($0) }, of: "b", isFromHost: isFromHost, at: now) == [])
        }
    }

    @Test mutating func anUnknownControllerAppearsWithItsFirstPacket() {
        let records = format.record([1, 3, 0x0C, 0], of: "a", isFromHost: true, at: .zero)
        let new = record(0, 0, [UInt8](repeating: 0, count: 8) + Array("hci0\0\0\0\0".utf8))
        #expect(records == new + record(2, 0, [3, 0x0C, 0]))
    }

    @Test mutating func theIndexOfAControllerThatDisappearsIsFree() {
        for name in ["a", "b", "c"] { _ = format.add(name, address: nil, company: nil, at: .zero) }
        #expect(format.remove("b", at: .zero) == record(1, 1, []))
        #expect(format.remove("b", at: .zero) == [])
        let added = format.add("d", address: nil, company: nil, at: .zero)
        #expect(Array(added[8..<12]) == [0, 1, 0, 0])
        // The same name again is another controller.
        let again = format.add("c", address: nil, company: nil, at: .zero)
        #expect(again.starts(with: record(1, 2, [])))
        #expect(format.removeAll(at: .zero) == record(1, 0, []) + record(1, 1, []) + record(1, 2, []))
        #expect(format.removeAll(at: .zero) == [])
    }
}

extension DeviceAddress {
    fileprivate static func + (address: DeviceAddress, offset: UInt64) -> DeviceAddress {
        DeviceAddress(address.value + offset, address.kind)
    }
}
