public import BLECore
package import BLEPackets

/// The configuration of a host's Security Manager.
///
/// A change applies to procedures that begin later.
public struct SecurityConfiguration: Hashable, Sendable {
    /// The device's input and output capabilities.
    public var ioCapability: IOCapability
    /// True if this device has the peer's out-of-band data.
    public var hasOutOfBandData: Bool
    /// True to bond.
    public var bonding: Bool
    /// True to request MITM protection.
    public var mitm: Bool
    /// True to offer LE Secure Connections.
    public var secureConnections: Bool
    /// True to refuse LE legacy pairing and keys shorter than 16 bytes.
    public var secureConnectionsOnly: Bool
    /// True to refuse association models without protection against a machine in the middle, in
    /// ``HostBehaviour/specification`` only.
    public var requiresAuthentication: Bool
    /// True if pairing requests are accepted at all, in ``HostBehaviour/specification`` only.
    public var acceptsPairing: Bool
    /// True to request Keypress Notifications.
    public var keypress: Bool
    /// The keys that this device distributes.
    package var localKeys: SMPKeyDistribution
    /// The keys that the peer may distribute.
    package var remoteKeys: SMPKeyDistribution
    /// The acceptable sizes of encryption keys, in bytes; within 7...16. ``HostBehaviour/nimble`` only checks 7...16.
    public var keySizes: ClosedRange<Int>
    /// The behaviour where the specification leaves a choice, or where NimBLE deviates from it.
    /// ``HostBehaviour/nimble``: unexpected PDUs are ignored, Just Works is accepted even if MITM protection was
    /// requested, repeated attempts are not delayed, and a time-out does not close the channel.
    public var conduct: HostBehaviour

    /// A configuration; the defaults are those of NimBLE-Arduino 2.5.1, which request no security.
    package init(
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

    /// The AuthReq octet for this configuration.
    package var authenticationRequirements: SMPAuthenticationRequirements {
        var requirements: SMPAuthenticationRequirements = []
        if bonding { requirements.insert(.bonding) }
        if mitm { requirements.insert(.mitm) }
        if secureConnections { requirements.insert(.secureConnections) }
        if keypress { requirements.insert(.keypress) }
        return requirements
    }
}
