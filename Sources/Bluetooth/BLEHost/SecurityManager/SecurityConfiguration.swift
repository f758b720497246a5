public import BLECore
public import BLEPackets

/// What a host's Security Manager asks for, offers and puts up with.
///
/// A change counts for procedures that begin later.
public struct SecurityConfiguration: Hashable, Sendable {
    /// What this device can show and take in.
    public var ioCapability: IOCapability
    /// Whether this device has the peer's out-of-band data.
    public var hasOutOfBandData: Bool
    /// Whether keys are to be kept.
    public var bonding: Bool
    /// Whether to ask for protection against a machine in the middle.
    public var mitm: Bool
    /// Whether to offer LE Secure Connections.
    public var secureConnections: Bool
    /// Whether to refuse LE legacy pairing and keys shorter than 16 bytes.
    public var secureConnectionsOnly: Bool
    /// Whether to refuse association models without protection against a machine in the middle, in
    /// ``HostBehaviour/specification`` only.
    public var requiresAuthentication: Bool
    /// Whether pairing requests are accepted at all, in ``HostBehaviour/specification`` only.
    public var acceptsPairing: Bool
    /// Whether to ask for Keypress Notifications.
    public var keypress: Bool
    /// The keys this side hands out.
    public var localKeys: SMPKeyDistribution
    /// The keys the peer may hand out.
    public var remoteKeys: SMPKeyDistribution
    /// The acceptable sizes of encryption keys, in bytes; within 7...16. ``HostBehaviour/nimble`` looks at 7...16 only.
    public var keySizes: ClosedRange<Int>
    /// How to take what the specification leaves open or forbids. ``HostBehaviour/nimble``: PDUs out of place are
    /// ignored, just works is accepted whatever was asked for, nothing slows repeated attempts down, and a time-out does
    /// not close the channel.
    public var conduct: HostBehaviour

    /// A configuration; the defaults are those of NimBLE-Arduino 2.5.1, which ask for nothing.
    public init(
        ioCapability: IOCapability = .noInputNoOutput, hasOutOfBandData: Bool = false, bonding: Bool = false,
        mitm: Bool = false, secureConnections: Bool = false, secureConnectionsOnly: Bool = false,
        requiresAuthentication: Bool = false, acceptsPairing: Bool = true, keypress: Bool = false,
        localKeys: SMPKeyDistribution = [.encryptionKey, .identityKey],
        remoteKeys: SMPKeyDistribution = [.encryptionKey, .identityKey],
        keySizes: ClosedRange<Int> = 7...16, conduct: HostBehaviour = .nimble
    ) {
        self.ioCapability = ioCapability
        self.hasOutOfBandData = hasOutOfBandData
        self.bonding = bonding
        self.mitm = mitm
        self.secureConnections = secureConnections
        self.secureConnectionsOnly = secureConnectionsOnly
        self.requiresAuthentication = requiresAuthentication
        self.acceptsPairing = acceptsPairing
        self.keypress = keypress
        self.localKeys = localKeys
        self.remoteKeys = remoteKeys
        self.keySizes = keySizes
        self.conduct = conduct
    }

    /// The AuthReq octet that says so.
    public var authenticationRequirements: SMPAuthenticationRequirements {
        var requirements: SMPAuthenticationRequirements = []
        if bonding { requirements.insert(.bonding) }
        if mitm { requirements.insert(.mitm) }
        if secureConnections { requirements.insert(.secureConnections) }
        if keypress { requirements.insert(.keypress) }
        return requirements
    }
}
