public import BLECore

/// The default implementations of operations that require an ability.
extension CentralBackend {
    /// Throws `unsupported`.
    public func exchangeMTU(_ mtu: Int, on connection: ConnectionID) async throws(CentralError) -> Int {
        throw CentralError(unsupported: .mtuExchange, "exchange MTU")
    }

    /// Throws `unsupported`.
    public func readRSSI(on connection: ConnectionID) async throws(CentralError) -> Int? {
        throw CentralError(unsupported: .connectionRSSI, "read the RSSI")
    }

    /// Returns `peer`.
    public func identity(of peer: PeerID) async -> PeerID { peer }

    /// Throws `unsupported`.
    public func exchangeATT(
        _ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration
    ) async throws(CentralError) -> [UInt8]? {
        throw CentralError(unsupported: .rawATT, "exchange an ATT PDU")
    }

    /// Throws `unsupported`.
    public func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        throw CentralError(unsupported: .pairingControl, "set how to pair")
    }

    /// Throws `unsupported`.
    public func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        throw CentralError(unsupported: .pairing, "pair")
    }

    /// Throws `unsupported`.
    public func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        throw CentralError(unsupported: .encryption, "encrypt")
    }

    /// Throws `unsupported`.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        throw CentralError(unsupported: .pairingControl, "answer a pairing")
    }

    /// Throws `unsupported`.
    public func bonds() async throws(CentralError) -> [BondedPeer] {
        throw CentralError(unsupported: .bondList, "list bonds")
    }

    /// Throws `unsupported`.
    public func forget(_ identity: DeviceAddress) async throws(CentralError) {
        throw CentralError(unsupported: .bondList, "delete a bond")
    }
}
