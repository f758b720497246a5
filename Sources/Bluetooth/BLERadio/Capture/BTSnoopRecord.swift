import BLECore
import BLEPackets

/// One record of a ``BTSnoop`` file: all numbers of its frame are big-endian, those of its payload little-endian.
enum BTSnoopRecord {
    /// What a record of the Linux monitor says; a subset (doc/btsnoop.txt of BlueZ).
    enum Opcode: UInt16 {
        case newIndex = 0
        case deleteIndex = 1
        case command = 2
        case event = 3
        case aclFromHost = 4
        case aclFromController = 5
        case synchronousFromHost = 6
        case synchronousFromController = 7
        case indexInformation = 10
    }

    /// Microseconds from midnight, January 1st, 0 AD, to the Unix epoch.
    static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// The opcode of a packet; `nil` if that kind cannot go in this direction.
    static func opcode(_ kind: HCIPacket.Kind, isFromHost: Bool) -> Opcode? {
        switch kind {
        case .command: isFromHost ? .command : nil
        case .event: isFromHost ? nil : .event
        case .acl: isFromHost ? .aclFromHost : .aclFromController
        case .synchronous: isFromHost ? .synchronousFromHost : .synchronousFromController
        }
    }

    /// The record; `time` is in microseconds since 0 AD.
    static func bytes(_ opcode: Opcode, _ index: UInt16, _ payload: some Collection<UInt8>, time: Int64) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(24 + payload.count)
        record += bigEndian(payload.count, 4)
        record += bigEndian(payload.count, 4)
        record += bigEndian(Int(index) << 16 | Int(opcode.rawValue), 4)
        // Dropped packets.
        record += bigEndian(0, 4)
        record += bigEndian(Int(time), 8)
        return record + payload
    }

    /// The six bytes of an address; zeros if it is not known.
    static func littleEndian(_ address: DeviceAddress?) -> [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: (address?.value ?? 0) >> (8 * $0)) }
    }

    /// A name in 8 bytes, filled up with zeros.
    static func name(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(8))
        return bytes + [UInt8](repeating: 0, count: 8 - bytes.count)
    }

    static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
