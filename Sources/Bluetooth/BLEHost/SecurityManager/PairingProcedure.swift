internal import BLECore
internal import BLEPackets
internal import MonotonicTime

/// One running pairing, encryption or Security Request.
final class PairingProcedure {
    /// The awaited input.
    enum State: Hashable {
        /// The initiator awaits the Pairing Response.
        case features
        /// The peer's Public Key is awaited.
        case publicKey
        /// A Pairing Confirm, or the user's input, is awaited.
        case confirm
        /// A Pairing Random is awaited.
        case random
        /// The peer's DHKey Check, or the user's input, is awaited.
        case dhKeyCheck
        /// The responder awaits the central's request for the key.
        case keyRequest
        /// Encryption with the new key is awaited.
        case encryption
        /// Encryption with a key of an earlier pairing is awaited.
        case restoredEncryption
        /// The peer's keys are awaited.
        case keyDistribution
        /// The central's answer to a Security Request is awaited.
        case securityRequest
    }

    /// The keys that one side distributes.
    struct Keys {
        var longTermKey: UInt128?
        var identification: (ediv: UInt16, rand: UInt64)?
        var identityResolvingKey: UInt128?
        var identityAddress: DeviceAddress?
        var signatureKey: UInt128?
    }

    /// The PDUs of key distribution not received yet, in the order of the specification (Core 5.4, Vol 3 Part H 3.6.1).
    typealias ExpectedKeys = [SMPOpcode]

    let isInitiator: Bool
    /// The configuration at the start of the procedure.
    let configuration: SecurityConfiguration
    var state: State
    /// The time-out of the peer's answer.
    var deadline: MonotonicInstant

    // State of the feature exchange.
    var request: SMPPairingFeatures?
    var response: SMPPairingFeatures?
    var association: Association?
    var isSecureConnections = false
    var isBonding = false
    var isAuthenticated = false
    var keySize = 16

    // State of the authentication.
    var keyPair: PairingKeyPair?
    var peerX: [UInt8] = []
    var dhKey: [UInt8] = []
    var localRandom: UInt128 = 0
    var peerRandom: UInt128 = 0
    var localConfirm: UInt128?
    var peerConfirm: UInt128 = 0
    /// The passkey or the out-of-band value (TK, r).
    var temporaryKey: UInt128 = 0
    var outOfBand: (local: OutOfBandValue?, remote: OutOfBandValue?) = (nil, nil)
    /// The number of passkey bits already committed to, and the value z of the last bit.
    var passkeyBits = 0
    var commitment: UInt8 = 0
    var macKey: UInt128 = 0
    var hasSentCheck = false

    // State of the user's input.
    var isInputGiven = false
    /// True if the peer waits for the input of this device's user.
    var advancesOnInput = false

    // State of the key distribution.
    var key: UInt128 = 0
    var expectedKeys: ExpectedKeys = []
    var localKeys = Keys()
    var peerKeys = Keys()

    init(isInitiator: Bool, configuration: SecurityConfiguration, state: State, deadline: MonotonicInstant) {
        self.isInitiator = isInitiator
        self.configuration = configuration
        self.state = state
        self.deadline = deadline
    }

    var kind: SecurityProcedureKind {
        state == .restoredEncryption || state == .securityRequest ? .encryption : .pairing
    }

    var initiatorRandom: UInt128 { isInitiator ? localRandom : peerRandom }
    var responderRandom: UInt128 { isInitiator ? peerRandom : localRandom }

    /// The state in which the user's input is needed.
    var inputState: State? {
        switch association?.part {
        case .display, .enter: .confirm
        case .compare: .dhKeyCheck
        case .outOfBand: isSecureConnections ? .random : .confirm
        case .nothing, nil: nil
        }
    }

    /// True if the next step depends only on the peer.
    var canAdvance: Bool { inputState != state || isInputGiven && advancesOnInput }

    /// Applies both sides' features.
    func apply(request: SMPPairingFeatures, response: SMPPairingFeatures) {
        self.request = request
        self.response = response
        let agreed = request.requirements.intersection(response.requirements)
        isSecureConnections = agreed.contains(.secureConnections)
        isBonding = agreed.contains(.bonding)
        keySize = Int(min(request.maximumKeySize, response.maximumKeySize))
        let association = Association(
            request: request, response: response, isInitiator: isInitiator, isSecureConnections: isSecureConnections)
        self.association = association
        isAuthenticated = association.model != .justWorks
        let distributed = distributedKeys
        // Without a distributed key no bond is made.
        if !isSecureConnections, distributed.initiator.isEmpty, distributed.responder.isEmpty { isBonding = false }
        expectedKeys = Self.pdus(isInitiator ? distributed.responder : distributed.initiator)
    }

    /// The keys that both sides distribute; the LTK of LE Secure Connections is not distributed.
    private var distributedKeys: (initiator: SMPKeyDistribution, responder: SMPKeyDistribution) {
        guard let response else { return ([], []) }
        let left: SMPKeyDistribution = isSecureConnections ? .encryptionKey : []
        return (response.initiatorKeys.subtracting(left), response.responderKeys.subtracting(left))
    }

    /// The keys that this device distributes.
    var localDistribution: SMPKeyDistribution {
        isInitiator ? distributedKeys.initiator : distributedKeys.responder
    }

    private static func pdus(_ keys: SMPKeyDistribution) -> ExpectedKeys {
        var pdus: ExpectedKeys = []
        if keys.contains(.encryptionKey) { pdus += [.encryptionInformation, .centralIdentification] }
        if keys.contains(.identityKey) { pdus += [.identityInformation, .identityAddressInformation] }
        if keys.contains(.signingKey) { pdus.append(.signingInformation) }
        return pdus
    }

    /// The key truncated to the negotiated size (Core 5.4, Vol 3 Part H 2.3.4).
    func cut(_ key: UInt128) -> UInt128 {
        key & ((1 << (8 * UInt128(keySize))) &- 1)
    }
}
