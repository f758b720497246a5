import ByteCodec

/// The reason why a command failed or a connection ended (Core 5.4, Vol 1 Part F); open for any value.
public struct HCIErrorCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public let rawValue: UInt8

    /// An error code by number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Success.
    public static let success = HCIErrorCode(rawValue: 0x00)
    /// Unknown HCI command.
    public static let unknownCommand = HCIErrorCode(rawValue: 0x01)
    /// Unknown connection identifier.
    public static let unknownConnectionIdentifier = HCIErrorCode(rawValue: 0x02)
    /// Hardware failure.
    public static let hardwareFailure = HCIErrorCode(rawValue: 0x03)
    /// Page timeout.
    public static let pageTimeout = HCIErrorCode(rawValue: 0x04)
    /// Authentication failure.
    public static let authenticationFailure = HCIErrorCode(rawValue: 0x05)
    /// PIN or key missing.
    public static let pinOrKeyMissing = HCIErrorCode(rawValue: 0x06)
    /// Memory capacity exceeded.
    public static let memoryCapacityExceeded = HCIErrorCode(rawValue: 0x07)
    /// Connection timeout.
    public static let connectionTimeout = HCIErrorCode(rawValue: 0x08)
    /// Connection limit exceeded.
    public static let connectionLimitExceeded = HCIErrorCode(rawValue: 0x09)
    /// Connection already exists.
    public static let connectionAlreadyExists = HCIErrorCode(rawValue: 0x0B)
    /// Command disallowed.
    public static let commandDisallowed = HCIErrorCode(rawValue: 0x0C)
    /// Connection rejected due to limited resources.
    public static let connectionRejectedLimitedResources = HCIErrorCode(rawValue: 0x0D)
    /// Connection rejected due to security reasons.
    public static let connectionRejectedSecurity = HCIErrorCode(rawValue: 0x0E)
    /// Unsupported feature or parameter value.
    public static let unsupportedFeatureOrParameterValue = HCIErrorCode(rawValue: 0x11)
    /// Invalid HCI command parameters.
    public static let invalidHCICommandParameters = HCIErrorCode(rawValue: 0x12)
    /// Remote user terminated connection.
    public static let remoteUserTerminatedConnection = HCIErrorCode(rawValue: 0x13)
    /// Remote device terminated connection due to low resources.
    public static let remoteDeviceTerminatedLowResources = HCIErrorCode(rawValue: 0x14)
    /// Remote device terminated connection due to power off.
    public static let remoteDeviceTerminatedPowerOff = HCIErrorCode(rawValue: 0x15)
    /// Connection terminated by local host.
    public static let connectionTerminatedByLocalHost = HCIErrorCode(rawValue: 0x16)
    /// Pairing not allowed.
    public static let pairingNotAllowed = HCIErrorCode(rawValue: 0x18)
    /// Unsupported remote feature.
    public static let unsupportedRemoteFeature = HCIErrorCode(rawValue: 0x1A)
    /// Invalid link layer parameters.
    public static let invalidLLParameters = HCIErrorCode(rawValue: 0x1E)
    /// Unspecified error.
    public static let unspecifiedError = HCIErrorCode(rawValue: 0x1F)
    /// Unsupported link layer parameter value.
    public static let unsupportedLLParameterValue = HCIErrorCode(rawValue: 0x20)
    /// Link layer response timeout.
    public static let llResponseTimeout = HCIErrorCode(rawValue: 0x22)
    /// Link layer procedure collision.
    public static let llProcedureCollision = HCIErrorCode(rawValue: 0x23)
    /// Instant passed.
    public static let instantPassed = HCIErrorCode(rawValue: 0x28)
    /// Pairing with unit key not supported.
    public static let pairingWithUnitKeyNotSupported = HCIErrorCode(rawValue: 0x29)
    /// Different transaction collision.
    public static let differentTransactionCollision = HCIErrorCode(rawValue: 0x2A)
    /// Parameter out of mandatory range.
    public static let parameterOutOfMandatoryRange = HCIErrorCode(rawValue: 0x30)
    /// Controller busy.
    public static let controllerBusy = HCIErrorCode(rawValue: 0x3A)
    /// Unacceptable connection parameters.
    public static let unacceptableConnectionParameters = HCIErrorCode(rawValue: 0x3B)
    /// Advertising timeout.
    public static let advertisingTimeout = HCIErrorCode(rawValue: 0x3C)
    /// Connection terminated due to MIC failure.
    public static let terminatedDueToMICFailure = HCIErrorCode(rawValue: 0x3D)
    /// Connection failed to be established.
    public static let connectionFailedToBeEstablished = HCIErrorCode(rawValue: 0x3E)
    /// Unknown advertising identifier.
    public static let unknownAdvertisingIdentifier = HCIErrorCode(rawValue: 0x42)
    /// Limit reached.
    public static let limitReached = HCIErrorCode(rawValue: 0x43)
    /// Packet too long.
    public static let packetTooLong = HCIErrorCode(rawValue: 0x45)

    private static let names: [HCIErrorCode: StaticString] = [
        .success: "success",
        .unknownCommand: "unknown HCI command",
        .unknownConnectionIdentifier: "unknown connection identifier",
        .hardwareFailure: "hardware failure",
        .pageTimeout: "page timeout",
        .authenticationFailure: "authentication failure",
        .pinOrKeyMissing: "PIN or key missing",
        .memoryCapacityExceeded: "memory capacity exceeded",
        .connectionTimeout: "connection timeout",
        .connectionLimitExceeded: "connection limit exceeded",
        .connectionAlreadyExists: "connection already exists",
        .commandDisallowed: "command disallowed",
        .connectionRejectedLimitedResources: "connection rejected due to limited resources",
        .connectionRejectedSecurity: "connection rejected due to security reasons",
        .unsupportedFeatureOrParameterValue: "unsupported feature or parameter value",
        .invalidHCICommandParameters: "invalid HCI command parameters",
        .remoteUserTerminatedConnection: "remote user terminated connection",
        .remoteDeviceTerminatedLowResources: "remote device terminated connection due to low resources",
        .remoteDeviceTerminatedPowerOff: "remote device terminated connection due to power off",
        .connectionTerminatedByLocalHost: "connection terminated by local host",
        .pairingNotAllowed: "pairing not allowed",
        .unsupportedRemoteFeature: "unsupported remote feature",
        .invalidLLParameters: "invalid link layer parameters",
        .unspecifiedError: "unspecified error",
        .unsupportedLLParameterValue: "unsupported link layer parameter value",
        .llResponseTimeout: "link layer response timeout",
        .llProcedureCollision: "link layer procedure collision",
        .instantPassed: "instant passed",
        .pairingWithUnitKeyNotSupported: "pairing with unit key not supported",
        .differentTransactionCollision: "different transaction collision",
        .parameterOutOfMandatoryRange: "parameter out of mandatory range",
        .controllerBusy: "controller busy",
        .unacceptableConnectionParameters: "unacceptable connection parameters",
        .advertisingTimeout: "advertising timeout",
        .terminatedDueToMICFailure: "connection terminated due to MIC failure",
        .connectionFailedToBeEstablished: "connection failed to be established",
        .unknownAdvertisingIdentifier: "unknown advertising identifier",
        .limitReached: "limit reached",
        .packetTooLong: "packet too long",
    ]
}

extension HCIErrorCode: CustomStringConvertible {
    /// Number and meaning, e.g. `0x13 remote user terminated connection`.
    public var description: String {
        let name = Self.names[self].map { "\($0)" } ?? "reserved"
        return "\(Hexadecimal.number(rawValue, digits: 2, uppercase: true)) \(name)"
    }
}
