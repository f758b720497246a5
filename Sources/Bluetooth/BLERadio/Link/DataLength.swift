import BLEPackets

/// The longest payload in one direction (Core 5.4, Vol 6 Part B 4.5.10).
package struct DataLength: Equatable {
    var octets: UInt16
    /// In microseconds.
    var time: UInt16

    package init(octets: UInt16, time: UInt16) {
        self.octets = octets
        self.time = time
    }

    static let minimum = DataLength(octets: 27, time: 328)

    /// The most that both can do.
    func common(_ other: DataLength) -> DataLength {
        DataLength(octets: min(octets, other.octets), time: min(time, other.time))
    }

    /// How many bytes fit within both limits; header, CRC, MIC and the like take 14 bytes more.
    var effectiveOctets: Int { min(Int(octets), Int(time) / 8 - 14) }
}

/// What one end offers in LL_LENGTH_REQ and LL_LENGTH_RSP.
package struct DataLengthOffer: Equatable {
    var tx: DataLength
    var rx: DataLength

    package init(tx: DataLength, rx: DataLength) {
        self.tx = tx
        self.rx = rx
    }
}

/// One end's limits, its own and the peer's.
struct DataLengths {
    /// What the host asked to send.
    var tx: DataLength
    /// What the controller can receive.
    let rx: DataLength
    var effectiveTx = DataLength.minimum
    var effectiveRx = DataLength.minimum

    init(_ controller: Controller) {
        let octets = controller.personality.maximumDataLength
        rx = DataLength(octets: octets, time: (octets + 14) * 8)
        tx = .minimum
    }

    var offer: DataLengthOffer { DataLengthOffer(tx: tx, rx: rx) }

    /// Whether the peer's offer changes anything.
    mutating func accept(_ peer: DataLengthOffer) -> Bool {
        let former = (effectiveTx, effectiveRx)
        effectiveTx = tx.common(peer.rx)
        effectiveRx = rx.common(peer.tx)
        return former != (effectiveTx, effectiveRx)
    }
}

extension Air {
    /// Starts the procedure with what the host suggested for new connections.
    func suggestDataLength(_ end: LinkEnd) {
        let suggested = end.controller.host.suggestedLength
        if suggested != .minimum { requestDataLength(end, suggested) }
    }

    func requestDataLength(_ end: LinkEnd, _ wanted: DataLength) {
        let maximum = end.controller.personality.maximumDataLength
        end.length.tx = wanted.common(DataLength(octets: maximum, time: (maximum + 14) * 8))
        guard end.controller.has(LEFeature.dataLengthExtension) else { return }
        send(.lengthRequest(end.length.offer), from: end)
        awaitResponse(to: .lengthRequest, at: end)
    }

    func acceptDataLength(_ offer: DataLengthOffer, at end: LinkEnd) {
        guard end.length.accept(offer) else { return }
        emit(
            HCILEDataLengthChange(
                handle: end.handle, maximumTxOctets: end.length.effectiveTx.octets,
                maximumTxTime: end.length.effectiveTx.time, maximumRxOctets: end.length.effectiveRx.octets,
                maximumRxTime: end.length.effectiveRx.time),
            to: end.controller)
    }
}
