public import BLECore
internal import BLEPackets
public import MonotonicTime

/// Writes HCI traffic of several controllers in the btsnoop format (RFC 1761 with datalink 2001, the Linux monitor's), which
/// Wireshark and btmon read and write.
///
/// A record contains the index of its controller. An index is assigned when a controller is added, and becomes free
/// when the controller is removed. An unknown controller is added at its first packet. Values of `Controller` identify
/// controllers.
public struct BTSnoop<Controller: Hashable & Sendable>: Sendable {
    /// The file header.
    public static var header: [UInt8] {
        Array("btsnoop\0".utf8) + BTSnoopRecord.bigEndian(1, 4) + BTSnoopRecord.bigEndian(2001, 4)
    }

    private let start: Int64
    private var indices: [Controller: UInt16] = [:]

    /// A capture of a bench created `unixMicroseconds` after the Unix epoch.
    public init(startingAt unixMicroseconds: Int64) {
        start = BTSnoopRecord.unixEpoch &+ unixMicroseconds
    }

    /// The records of an added controller: New Index and, if its manufacturer is known, Index Info. An existing
    /// controller is replaced.
    ///
    /// - Parameter company: the manufacturer's company identifier.
    public mutating func add(
        _ controller: Controller, address: DeviceAddress?, company: UInt16?, at instant: MonotonicInstant
    ) -> [UInt8] {
        let removed = remove(controller, at: instant)
        let index = freeIndex
        indices[controller] = index
        let bytes = address?.littleEndianBytes ?? [UInt8](repeating: 0, count: 6)
        let name = BTSnoopRecord.name("hci\(index)")
        // The first two bytes: a primary controller on a virtual bus.
        var records = removed + record(.newIndex, index, [0, 0] + bytes + name, at: instant)
        if let company {
            let information = bytes + [UInt8(truncatingIfNeeded: company), UInt8(company >> 8)]
            records += record(.indexInformation, index, information, at: instant)
        }
        return records
    }

    /// The record of a removed controller, Delete Index; empty if the controller is unknown.
    public mutating func remove(_ controller: Controller, at instant: MonotonicInstant) -> [UInt8] {
        guard let index = indices.removeValue(forKey: controller) else { return [] }
        return record(.deleteIndex, index, [], at: instant)
    }

    /// The records that remove all controllers.
    public mutating func removeAll(at instant: MonotonicInstant) -> [UInt8] {
        defer { indices.removeAll() }
        return indices.values.sorted().flatMap { record(.deleteIndex, $0, [], at: instant) }
    }

    /// The records of one H4 packet (with its indicator), to be appended to the file; empty for a packet in the wrong
    /// direction, e.g. an event from a host, which the format cannot represent.
    public mutating func record(
        _ packet: [UInt8], of controller: Controller, isFromHost: Bool, at instant: MonotonicInstant
    ) -> [UInt8] {
        guard let kind = packet.first.flatMap(HCIPacket.Kind.init),
            let opcode = BTSnoopRecord.opcode(kind, isFromHost: isFromHost)
        else { return [] }
        var records: [UInt8] = []
        if indices[controller] == nil { records = add(controller, address: nil, company: nil, at: instant) }
        guard let index = indices[controller] else { return [] }
        return records + record(opcode, index, packet.dropFirst(), at: instant)
    }

    /// The lowest free index; if none is free, controllers share 0xFFFE. 0xFFFF means no controller.
    private var freeIndex: UInt16 {
        let taken = Set(indices.values)
        return (0..<0xFFFE).first { !taken.contains($0) } ?? 0xFFFE
    }

    private func record(
        _ opcode: BTSnoopRecord.Opcode, _ index: UInt16, _ payload: some Collection<UInt8>, at instant: MonotonicInstant
    ) -> [UInt8] {
        BTSnoopRecord.bytes(opcode, index, payload, time: start &+ instant.nanoseconds / 1000)
    }
}

/// One record of a ``BTSnoop`` file: all numbers of its frame are big-endian, those of its payload little-endian.
enum BTSnoopRecord {
    /// The kinds of records of the Linux monitor; a subset (doc/btsnoop.txt of BlueZ).
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

    /// The opcode of a packet; `nil` if packets of this kind are not allowed in this direction.
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
        // The number of dropped packets.
        record += bigEndian(0, 4)
        record += bigEndian(Int(time), 8)
        return record + payload
    }

    /// A name in 8 bytes, padded with zeros.
    static func name(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(8))
        return bytes + [UInt8](repeating: 0, count: 8 - bytes.count)
    }

    static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
