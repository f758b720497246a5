import BLECore
import ByteCodec

/// An own address type (Core 5.4, Vol 4 Part E 7.8.5); open for any value.
package struct HCIOwnAddressType: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// A type by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The public address.
    package static let `public` = HCIOwnAddressType(rawValue: 0)
    /// The address of LE Set Random Address.
    package static let random = HCIOwnAddressType(rawValue: 1)
    /// A private address that the controller generates for the peer, or the public address.
    package static let resolvableOrPublic = HCIOwnAddressType(rawValue: 2)
    /// A private address that the controller generates for the peer, or the address of LE Set Random Address.
    package static let resolvableOrRandom = HCIOwnAddressType(rawValue: 3)
}

/// A role in a connection (Core 5.4, Vol 4 Part E 7.7.65.1); open for any value.
public struct HCIRole: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// A role by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The side that connected.
    public static let central = HCIRole(rawValue: 0)
    /// The side that advertised.
    public static let peripheral = HCIRole(rawValue: 1)
}

/// A legacy advertising type (Core 5.4, Vol 4 Part E 7.8.5); open for any value.
package struct HCIAdvertisingType: RawRepresentable, Hashable, Sendable {
    /// The octet.
    package let rawValue: UInt8

    /// A type by number.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ADV_IND: scannable and connectable.
    package static let connectable = HCIAdvertisingType(rawValue: 0)
    /// High duty cycle ADV_DIRECT_IND, for 1.28 s: connectable by one peer.
    package static let directedHighDuty = HCIAdvertisingType(rawValue: 1)
    /// ADV_SCAN_IND: scannable.
    package static let scannable = HCIAdvertisingType(rawValue: 2)
    /// ADV_NONCONN_IND: neither scannable nor connectable.
    package static let nonConnectable = HCIAdvertisingType(rawValue: 3)
    /// Low duty cycle ADV_DIRECT_IND: connectable by one peer.
    package static let directedLowDuty = HCIAdvertisingType(rawValue: 4)
}

/// Requested connection parameters (Core 5.4, Vol 4 Part E 7.8.12).
package struct HCIConnectionParameters: Hashable, Sendable {
    /// The shortest interval, in 1.25 ms; 0x0006...0x0C80.
    package var minimumInterval: UInt16
    /// The longest interval, in 1.25 ms; 0x0006...0x0C80.
    package var maximumInterval: UInt16
    /// The number of connection events that the peripheral may skip; at most 0x01F3.
    package var latency: UInt16
    /// The supervision time-out, in 10 ms; 0x000A...0x0C80.
    package var supervisionTimeout: UInt16
    /// A hint: the shortest connection event, in 0.625 ms.
    package var minimumEventLength: UInt16
    /// A hint: the longest connection event, in 0.625 ms.
    package var maximumEventLength: UInt16

    /// Parameters in the specification's units.
    package init(
        minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16, supervisionTimeout: UInt16,
        minimumEventLength: UInt16 = 0, maximumEventLength: UInt16 = 0
    ) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.minimumEventLength = minimumEventLength
        self.maximumEventLength = maximumEventLength
    }

    init(from reader: inout ByteReader) throws(CodecError) {
        minimumInterval = try reader.uint16()
        maximumInterval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
        minimumEventLength = try reader.uint16()
        maximumEventLength = try reader.uint16()
    }

    func write(to writer: inout ByteWriter) {
        writer.uint16(minimumInterval)
        writer.uint16(maximumInterval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
        writer.uint16(minimumEventLength)
        writer.uint16(maximumEventLength)
    }
}

extension DeviceAddress {
    /// Reads one octet of type, then the address.
    init(fromTypeAndAddress reader: inout ByteReader) throws(CodecError) {
        let type = try reader.uint8()
        guard let kind = Kind(rawValue: type) else {
            throw reader.invalid("address type", UInt64(type), allowed: "0 (public) or 1 (random)")
        }
        try self.init(from: &reader, kind)
    }

    func writeTypeAndAddress(to writer: inout ByteWriter) {
        writer.uint8(kind.rawValue)
        write(to: &writer)
    }
}

extension ByteReader {
    /// One octet of type, then the address; types 2 and 3 are public and random identities
    /// (Core 5.4, Vol 4 Part E 7.7.65.10).
    mutating func hciResolvedAddress() throws(CodecError) -> (address: DeviceAddress, isResolved: Bool) {
        let type = try uint8()
        guard type <= 3 else { throw invalid("address type", UInt64(type), allowed: "0...3") }
        return (try DeviceAddress(from: &self, type & 1 == 0 ? .public : .random), type >= 2)
    }

    /// One octet, 0 or 1.
    mutating func hciBool(_ field: String) throws(CodecError) -> Bool {
        let value = try uint8()
        guard value <= 1 else { throw invalid(field, UInt64(value), allowed: "0 or 1") }
        return value == 1
    }

    /// One octet of length, then 31 bytes, of which the first ones are significant.
    mutating func hciAdvertisingData() throws(CodecError) -> ArraySlice<UInt8> {
        let length = try uint8()
        guard length <= 31 else { throw invalid("data length", UInt64(length), allowed: "0...31") }
        return try slice(31).prefix(Int(length))
    }
}

extension ByteWriter {
    mutating func hciAddress(_ address: DeviceAddress, isResolved: Bool) {
        uint8(address.kind.rawValue | (isResolved ? 2 : 0))
        address.write(to: &self)
    }

    /// `count` bytes: `bytes`, truncated or zero-padded.
    mutating func hciFixed(_ bytes: ArraySlice<UInt8>, _ count: Int) {
        append(bytes.prefix(count))
        append(repeatElement(0, count: max(0, count - bytes.count)))
    }

    /// The length, then 31 bytes: `data` and zeros.
    mutating func hciAdvertisingData(_ data: ArraySlice<UInt8>) {
        let significant = data.prefix(31)
        uint8(UInt8(truncatingIfNeeded: significant.count))
        append(significant)
        append(repeatElement(0, count: 31 - significant.count))
    }
}
