public import BLECore
public import ByteCodec

/// A connection was created, or an attempt has ended (Core 5.4, Vol 4 Part E 7.7.65.1).
public struct HCILEConnectionComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .connectionComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Connection Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// This device's role.
    public var role: HCIRole
    /// The peer.
    public var peerAddress: DeviceAddress
    /// The connection interval, in 1.25 ms.
    public var interval: UInt16
    /// How many connection events the peripheral may skip.
    public var latency: UInt16
    /// The supervision time-out, in 10 ms.
    public var supervisionTimeout: UInt16
    /// The central's sleep clock accuracy: 0 is 500 ppm, 7 is 20 ppm.
    public var centralClockAccuracy: UInt8

    /// The event with these parameters.
    public init(
        status: HCIErrorCode, handle: UInt16, role: HCIRole, peerAddress: DeviceAddress, interval: UInt16,
        latency: UInt16, supervisionTimeout: UInt16, centralClockAccuracy: UInt8
    ) {
        self.status = status
        self.handle = handle
        self.role = role
        self.peerAddress = peerAddress
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.centralClockAccuracy = centralClockAccuracy
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        role = HCIRole(rawValue: try reader.uint8())
        peerAddress = try DeviceAddress(fromTypeAndAddress: &reader)
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
        centralClockAccuracy = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(role.rawValue)
        peerAddress.writeTypeAndAddress(to: &writer)
        writer.uint16(interval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
        writer.uint8(centralClockAccuracy)
    }
}

/// As LE Connection Complete, from controllers that resolve private addresses (Core 5.4, Vol 4 Part E 7.7.65.10).
public struct HCILEEnhancedConnectionComplete: HCIEvent {
    /// LE Meta.
    public static let code = HCIEventCode.leMeta
    /// The subevent code.
    public static let subevent: HCILESubeventCode? = .enhancedConnectionComplete
    /// The name in errors.
    public static let name: StaticString = "HCI LE Enhanced Connection Complete"

    /// Whether it succeeded.
    public var status: HCIErrorCode
    /// The connection.
    public var handle: UInt16
    /// This device's role.
    public var role: HCIRole
    /// The peer.
    public var peerAddress: DeviceAddress
    /// Whether ``peerAddress`` is an identity that the controller has resolved.
    public var isPeerResolved: Bool
    /// The private address this side used, or 0.
    public var localResolvablePrivateAddress: DeviceAddress
    /// The private address the peer used, or 0.
    public var peerResolvablePrivateAddress: DeviceAddress
    /// The connection interval, in 1.25 ms.
    public var interval: UInt16
    /// How many connection events the peripheral may skip.
    public var latency: UInt16
    /// The supervision time-out, in 10 ms.
    public var supervisionTimeout: UInt16
    /// The central's sleep clock accuracy: 0 is 500 ppm, 7 is 20 ppm.
    public var centralClockAccuracy: UInt8

    /// The event with these parameters.
    public init(
        status: HCIErrorCode, handle: UInt16, role: HCIRole, peerAddress: DeviceAddress, isPeerResolved: Bool = false,
        localResolvablePrivateAddress: DeviceAddress, peerResolvablePrivateAddress: DeviceAddress,
        interval:
            UInt16, latency: UInt16, supervisionTimeout: UInt16, centralClockAccuracy: UInt8
    ) {
        self.status = status
        self.handle = handle
        self.role = role
        self.peerAddress = peerAddress
        self.isPeerResolved = isPeerResolved
        self.localResolvablePrivateAddress = localResolvablePrivateAddress
        self.peerResolvablePrivateAddress = peerResolvablePrivateAddress
        self.interval = interval
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.centralClockAccuracy = centralClockAccuracy
    }

    /// Parses the parameters.
    public init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        role = HCIRole(rawValue: try reader.uint8())
        (peerAddress, isPeerResolved) = try reader.hciResolvedAddress()
        localResolvablePrivateAddress = try DeviceAddress(from: &reader, .random)
        peerResolvablePrivateAddress = try DeviceAddress(from: &reader, .random)
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
        centralClockAccuracy = try reader.uint8()
    }

    /// Writes the parameters.
    public func write(to writer: inout ByteWriter) {
        writer.uint8(status.rawValue)
        writer.uint16(handle)
        writer.uint8(role.rawValue)
        writer.hciAddress(peerAddress, isResolved: isPeerResolved)
        localResolvablePrivateAddress.write(to: &writer)
        peerResolvablePrivateAddress.write(to: &writer)
        writer.uint16(interval)
        writer.uint16(latency)
        writer.uint16(supervisionTimeout)
        writer.uint8(centralClockAccuracy)
    }
}
