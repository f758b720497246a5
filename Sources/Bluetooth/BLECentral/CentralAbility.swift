/// What a host BLE stack can do that others cannot; ``CentralBackend/abilities`` says which a backend has.
///
/// An operation that needs an ability which the stack lacks throws ``CentralError/Code/unsupported(_:)``.
public enum CentralAbility: String, Sendable, Codable, CaseIterable {
    /// Peers have addresses, also before they are connected: ``Advertisement/address``.
    case address
    /// The reason of a disconnection is known: ``CentralEvent/disconnected(_:reason:)``.
    case disconnectReason
    /// The MTU can be exchanged when the user asks for it; others exchange it when they connect.
    case mtuExchange
    /// ATT errors come as they are, and nothing is paired, encrypted and tried again behind the user's back.
    case attErrors
    /// Attributes have handles: ``DiscoveredCharacteristic/handle``.
    case attributeHandles
    /// The user chooses between notifications and indications; others take what the characteristic has.
    case subscriptionKind
    /// Any bytes can be sent as an ATT PDU.
    case rawATT
    /// Pairing begins when the user asks for it; others pair when the server refuses an access.
    case pairing
    /// The user says how to pair, and answers the questions of a pairing.
    case pairingControl
    /// Encryption with a bond's key begins when the user asks for it.
    case encryption
    /// The size of an encryption key is known; else ``BLECore/LinkSecurity/keySize`` is 0.
    case keySize
    /// Private addresses can be switched on and off: ``CentralSecurity/privacy``.
    case privacy
    /// Bonds can be listed and deleted.
    case bondList
}
