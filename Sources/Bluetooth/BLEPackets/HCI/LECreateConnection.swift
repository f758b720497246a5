import BLECore
import ByteCodec

/// Connects to an advertiser (Core 5.4, Vol 4 Part E 7.8.12).
package struct HCILECreateConnection: HCICommand {
    package static let opcode = HCIOpcode.leCreateConnection
    package static let name: StaticString = "HCI LE Create Connection"

    /// The scan interval, in 0.625 ms; 0x0004...0x4000.
    package var scanInterval: UInt16
    /// The scan window, in 0.625 ms; at most the interval.
    package var scanWindow: UInt16
    /// True to connect to any device in the accept list instead of the peer.
    package var usesFilterAcceptList: Bool
    /// The peer to connect to.
    package var peerAddress: DeviceAddress
    /// True if ``peerAddress`` is an identity address.
    package var isPeerIdentity: Bool
    /// The own address type of the connection.
    package var ownAddressType: HCIOwnAddressType
    /// The connection parameters.
    package var parameters: HCIConnectionParameters

    package init(
        scanInterval: UInt16, scanWindow: UInt16, usesFilterAcceptList: Bool, peerAddress: DeviceAddress,
        isPeerIdentity: Bool = false, ownAddressType: HCIOwnAddressType, parameters: HCIConnectionParameters
    ) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.usesFilterAcceptList = usesFilterAcceptList
        self.peerAddress = peerAddress
        self.isPeerIdentity = isPeerIdentity
        self.ownAddressType = ownAddressType
        self.parameters = parameters
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        scanInterval = try reader.uint16()
        scanWindow = try reader.uint16()
        usesFilterAcceptList = try reader.hciBool("usesFilterAcceptList")
        (peerAddress, isPeerIdentity) = try reader.hciResolvedAddress()
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        parameters = try HCIConnectionParameters(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint16(scanInterval)
        writer.uint16(scanWindow)
        writer.uint8(usesFilterAcceptList ? 1 : 0)
        writer.hciAddress(peerAddress, isResolved: isPeerIdentity)
        writer.uint8(ownAddressType.rawValue)
        parameters.write(to: &writer)
    }
}

/// Cancels the creation of a connection (Core 5.4, Vol 4 Part E 7.8.13).
package struct HCILECreateConnectionCancel: HCIParameterlessCommand {
    package static let opcode = HCIOpcode.leCreateConnectionCancel
    package static let name: StaticString = "HCI LE Create Connection Cancel"

    package init() {}
}

/// Connects to an advertiser on any PHY (Core 5.4, Vol 4 Part E 7.8.66).
package struct HCILEExtendedCreateConnection: HCICommand {
    /// The scan and connection parameters of one PHY.
    package struct Initiation: Hashable, Sendable {
        /// The scan interval, in 0.625 ms; at least 4.
        package var scanInterval: UInt16
        /// The scan window, in 0.625 ms; at most the interval.
        package var scanWindow: UInt16
        /// The connection parameters.
        package var parameters: HCIConnectionParameters

        /// An attempt on one PHY.
        package init(scanInterval: UInt16, scanWindow: UInt16, parameters: HCIConnectionParameters) {
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.parameters = parameters
        }
    }

    package static let opcode = HCIOpcode.leExtendedCreateConnection
    package static let name: StaticString = "HCI LE Extended Create Connection"

    /// True to connect to any device in the accept list instead of the peer.
    package var usesFilterAcceptList: Bool
    /// The own address type of the connection.
    package var ownAddressType: HCIOwnAddressType
    /// The peer to connect to.
    package var peerAddress: DeviceAddress
    /// True if ``peerAddress`` is an identity address.
    package var isPeerIdentity: Bool
    /// The PHYs to initiate on.
    package var phys: HCIPHYs
    /// The parameters for each of ``phys``, in the order of their bits.
    package var initiations: [Initiation]

    /// The command with these parameters; one of `initiations` for each of `phys`.
    package init(
        usesFilterAcceptList: Bool, ownAddressType: HCIOwnAddressType, peerAddress: DeviceAddress,
        isPeerIdentity: Bool = false, phys: HCIPHYs, initiations: [Initiation]
    ) {
        self.usesFilterAcceptList = usesFilterAcceptList
        self.ownAddressType = ownAddressType
        self.peerAddress = peerAddress
        self.isPeerIdentity = isPeerIdentity
        self.phys = phys
        self.initiations = initiations
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        usesFilterAcceptList = try reader.hciBool("usesFilterAcceptList")
        ownAddressType = HCIOwnAddressType(rawValue: try reader.uint8())
        (peerAddress, isPeerIdentity) = try reader.hciResolvedAddress()
        phys = HCIPHYs(rawValue: try reader.uint8())
        initiations = []
        for _ in phys.each {
            let interval = try reader.uint16()
            let window = try reader.uint16()
            initiations.append(
                Initiation(
                    scanInterval: interval, scanWindow: window,
                    parameters: try HCIConnectionParameters(from: &reader)))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.uint8(usesFilterAcceptList ? 1 : 0)
        writer.uint8(ownAddressType.rawValue)
        writer.hciAddress(peerAddress, isResolved: isPeerIdentity)
        writer.uint8(phys.rawValue)
        for initiation in initiations {
            writer.uint16(initiation.scanInterval)
            writer.uint16(initiation.scanWindow)
            initiation.parameters.write(to: &writer)
        }
    }
}

/// A connection was created, or an attempt has ended (Core 5.4, Vol 4 Part E 7.7.65.1).
package struct HCILEConnectionComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .connectionComplete
    package static let name: StaticString = "HCI LE Connection Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// This device's role.
    package var role: HCIRole
    /// The peer.
    package var peerAddress: DeviceAddress
    /// The connection interval, in 1.25 ms.
    package var interval: UInt16
    /// The number of connection events that the peripheral may skip.
    package var latency: UInt16
    /// The supervision time-out, in 10 ms.
    package var supervisionTimeout: UInt16
    /// The central's sleep clock accuracy: 0 is 500 ppm, 7 is 20 ppm.
    package var centralClockAccuracy: UInt8

    package init(
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

    package init(from reader: inout ByteReader) throws(CodecError) {
        status = HCIErrorCode(rawValue: try reader.uint8())
        handle = try reader.uint16()
        role = HCIRole(rawValue: try reader.uint8())
        peerAddress = try DeviceAddress(fromTypeAndAddress: &reader)
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
        centralClockAccuracy = try reader.uint8()
    }

    package func write(to writer: inout ByteWriter) {
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

/// Like LE Connection Complete, from controllers that resolve private addresses (Core 5.4, Vol 4 Part E 7.7.65.10).
package struct HCILEEnhancedConnectionComplete: HCIEvent {
    package static let code = HCIEventCode.leMeta
    package static let subevent: HCILESubeventCode? = .enhancedConnectionComplete
    package static let name: StaticString = "HCI LE Enhanced Connection Complete"

    /// The result: success or an error code.
    package var status: HCIErrorCode
    /// The connection.
    package var handle: UInt16
    /// This device's role.
    package var role: HCIRole
    /// The peer.
    package var peerAddress: DeviceAddress
    /// True if ``peerAddress`` is an identity that the controller has resolved.
    package var isPeerResolved: Bool
    /// The private address that this device used, or 0.
    package var localResolvablePrivateAddress: DeviceAddress
    /// The private address that the peer used, or 0.
    package var peerResolvablePrivateAddress: DeviceAddress
    /// The connection interval, in 1.25 ms.
    package var interval: UInt16
    /// The number of connection events that the peripheral may skip.
    package var latency: UInt16
    /// The supervision time-out, in 10 ms.
    package var supervisionTimeout: UInt16
    /// The central's sleep clock accuracy: 0 is 500 ppm, 7 is 20 ppm.
    package var centralClockAccuracy: UInt8

    package init(
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

    package init(from reader: inout ByteReader) throws(CodecError) {
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

    package func write(to writer: inout ByteWriter) {
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
