extension CentralAbility: CustomStringConvertible {
    /// As reports show it, after "with" or "lacks".
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
        case .directConnection: "connections to peers that were not heard"
        }
    }
}
