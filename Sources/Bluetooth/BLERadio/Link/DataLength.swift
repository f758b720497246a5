internal import BLEPackets

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

    /// The maximum that both support.
    func common(_ other: DataLength) -> DataLength {
        DataLength(octets: min(octets, other.octets), time: min(time, other.time))
    }

    /// The number of bytes allowed by both limits, octets and time; preamble, access address, header, CRC and MIC add
    /// 14 bytes.
    var effectiveOctets: Int { min(Int(octets), Int(time) / 8 - 14) }
}

/// One end's values in LL_LENGTH_REQ and LL_LENGTH_RSP.
package struct DataLengthOffer: Equatable {
    var tx: DataLength
    var rx: DataLength

    package init(tx: DataLength, rx: DataLength) {
        self.tx = tx
        self.rx = rx
    }
}

/// One end's data lengths: its own limits and those in effect.
struct DataLengths {
    /// The transmit length that the host requested.
    var tx: DataLength
    /// The receive length that the controller supports.
    let rx: DataLength
    var effectiveTx = DataLength.minimum
    var effectiveRx = DataLength.minimum

    init(_ controller: Controller) {
        let octets = controller.personality.maximumDataLength
        rx = DataLength(octets: octets, time: (octets + 14) * 8)
        tx = .minimum
    }

    var offer: DataLengthOffer { DataLengthOffer(tx: tx, rx: rx) }

    /// True if the peer's offer changes anything.
    mutating func accept(_ peer: DataLengthOffer) -> Bool {
        let former = (effectiveTx, effectiveRx)
        effectiveTx = tx.common(peer.rx)
        effectiveRx = rx.common(peer.tx)
        return former != (effectiveTx, effectiveRx)
    }
}

extension Air {
    /// Starts the procedure with the host's suggested default data length.
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
