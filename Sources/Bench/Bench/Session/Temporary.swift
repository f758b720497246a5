import BLECentral
extension CentralBackend {
    func exchangeATT(_ pdu: [UInt8], on connection: ConnectionID, within timeout: Duration) async throws(CentralError)
        -> [UInt8]?
    { throw CentralError(.invalidState, "later") }
}
extension DiscoveredCharacteristic { var handle: UInt16? { value.rawValue } }
enum Dummy {}
