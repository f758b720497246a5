/// An optional ability of a host BLE stack; ``CentralBackend/abilities`` lists those of a backend.
///
/// An operation that requires a missing ability throws ``CentralError/Code/unsupported(_:)``.
public enum CentralAbility: String, Sendable, Codable, CaseIterable {
    /// Peers are identified by address, even before a connection: ``Advertisement/address``.
    case address
    /// The reason of a disconnection is known: ``CentralEvent/disconnected(_:reason:)``. A stack may combine several
    /// reasons into one code (BlueZ: 0x05, 0x08, 0x13, 0x16), and report no code for the others.
    case disconnectReason
    /// The MTU is exchanged on request; other stacks exchange it when they connect.
    case mtuExchange
    /// ATT errors are returned unchanged; other stacks may pair, encrypt and retry on their own.
    case attErrors
    /// Attributes have handles: ``DiscoveredCharacteristic/handle``.
    case attributeHandles
    /// The caller chooses between notifications and indications; other stacks use what the characteristic supports.
    case subscriptionKind
    /// Notifications that a bonded peer sends before this connection has subscribed are delivered.
    case earlyNotifications
    /// Short values can be written with Prepare and Execute Write, too: ``WriteKind/reliable``.
    case reliableWrites
    /// Any bytes can be sent as an ATT PDU.
    case rawATT
    /// Pairing starts on request; other stacks pair when the server refuses an access.
    case pairing
    /// Pairing replaces an existing bond; with other stacks the bond must be deleted first, which ends the connection.
    case bondReplacement
    /// The caller configures pairing and answers its requests for user input.
    case pairingControl
    /// The caller chooses the parameters of pairing: legacy or LE Secure Connections, bonding, MITM protection; with
    /// other stacks it can choose the input and output capabilities at most.
    case pairingParameters
    /// The Security Manager's reason of a failed pairing is known.
    case pairingFailureReason
    /// Services are discovered on request only; other stacks discover when they connect, before the caller can use the
    /// connection.
    case discoveryOnRequest
    /// All services of the peer are available; other stacks hide the services that the system uses: GAP, battery,
    /// device information.
    case systemServices
    /// A link is encrypted with a bond's key, on request or automatically at connection.
    case encryption
    /// Links to bonded peers stay unencrypted until encryption is requested; other stacks encrypt at connection, and
    /// disconnect if that fails.
    case plainLinks
    /// The size of the encryption key is known; otherwise ``BLECore/LinkSecurity/keySize`` is 0.
    case keySize
    /// Private addresses can be switched on and off: ``CentralSecurity/privacy``.
    case privacy
    /// Bonds can be listed and deleted.
    case bondList
    /// The strength of a connection can be read: ``CentralBackend/readRSSI(on:)``. BlueZ has no call for this; it is
    /// read from the kernel, which only administrators may do (CAP_NET_ADMIN).
    case connectionRSSI
    /// The parameters of a connection can be read: ``CentralBackend/linkParameters(of:)``.
    case linkParameters
    /// The central can connect at once to a peer of an earlier run, by its address or the stack's identifier; other
    /// stacks must first receive its advertisement, and forget peers that are not bonded.
    case directConnection
    /// Advertisements have all their data; other stacks hide some of it: flags, appearance, service data.
    case advertisedData
    /// Every advertisement can be reported, and not only those that differ from the former one:
    /// ``ScanFilter/allowsDuplicates``.
    case everyAdvertisement
}

extension CentralAbility: CustomStringConvertible {
    /// The text in reports, after "with" or "lacks".
    public var description: String {
        switch self {
        case .address: "addresses of peers"
        case .disconnectReason: "reasons of disconnections"
        case .mtuExchange: "MTU exchange on request"
        case .attErrors: "unaltered ATT errors"
        case .attributeHandles: "attribute handles"
        case .subscriptionKind: "a choice of notifications or indications"
        case .earlyNotifications: "notifications before a connection subscribes"
        case .reliableWrites: "reliable writes"
        case .rawATT: "raw ATT"
        case .pairing: "pairing on request"
        case .bondReplacement: "pairing in place of a bond"
        case .pairingControl: "control over pairing"
        case .pairingParameters: "a choice of pairing parameters"
        case .pairingFailureReason: "reasons of failed pairings"
        case .discoveryOnRequest: "discovery on request"
        case .systemServices: "access to GAP, battery and device information"
        case .encryption: "encryption with the keys of bonds"
        case .plainLinks: "encryption on request only"
        case .keySize: "encryption key sizes"
        case .privacy: "control over privacy"
        case .bondList: "a list of bonds"
        case .connectionRSSI: "the strength of connections"
        case .linkParameters: "the parameters of connections"
        case .directConnection: "connections to peers that were not heard"
        case .advertisedData: "all data of advertisements"
        case .everyAdvertisement: "reports of every advertisement"
        }
    }
}

/// The missing part if a Bluetooth stack is ``CentralError/Code/unavailable``.
public enum CentralAbsence: String, Hashable, Sendable, CaseIterable {
    /// The message bus of the system, or the connection to it.
    case bus
    /// This user's permission to use the stack.
    case permission
    /// The stack's service, e.g. bluetoothd.
    case service
    /// The adapter.
    case adapter
    /// The adapter's power: it is switched off.
    case power
    /// Permission to switch the adapter on: the system blocks it, e.g. by rfkill.
    case unblocked
}
