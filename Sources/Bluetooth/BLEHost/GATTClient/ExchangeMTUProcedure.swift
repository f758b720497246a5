internal import BLEPackets

/// Exchange MTU (Core 5.4, Vol 3 Part G 4.3.1).
struct ExchangeMTUProcedure: GATTProcedure {
    let offered: UInt16

    mutating func start(mtu: Int) -> GATTProcedureStep {
        .request(ATTExchangeMTURequest(clientReceiveMTU: offered).bytes)
    }

    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep {
        let serverMTU = try ATTExchangeMTUResponse(decoding: response).serverReceiveMTU
        guard serverMTU >= GATTClient.defaultMTU else {
            throw GATTClientError.violation(
                "\(ATTExchangeMTUResponse.name): expected an MTU of at least 23, got \(serverMTU)")
        }
        return .finished(.mtu(max(GATTClient.defaultMTU, Int(min(offered, serverMTU)))))
    }
}
