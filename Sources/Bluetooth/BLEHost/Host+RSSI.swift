internal import BLEPackets
internal import ByteCodec
public import MonotonicTime

extension Host {
    /// Asks the controller for the strength of a link; ``HostEvent/rssiAnswered(_:)`` follows, in the order of the calls.
    ///
    /// - Throws: `notConnected`.
    public func readRSSI(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "read RSSI")
        commands.append(HCIReadRSSI(handle: link.info.handle).packet)
        flush(now)
    }

    /// Handles the answer to Read RSSI, which contains only the status if the controller could not execute the command.
    func rssiAnswered(_ parameters: ArraySlice<UInt8>) {
        var reader = ByteReader(parameters, subject: HCIReadRSSI.name)
        if let answer = try? HCIReadRSSI.ReturnParameters(from: &reader), answer.status == .success {
            // 127 means unknown (Core 5.4, Vol 4 Part E 7.5.4).
            return emit(.rssiAnswered(.success(answer.rssi == 127 ? nil : Int(answer.rssi))))
        }
        let status = HCIErrorCode(rawValue: parameters.first ?? HCIErrorCode.unspecifiedError.rawValue)
        let found = status == .success ? "\(parameters.count) bytes of parameters" : "\(status)"
        emit(
            .rssiAnswered(
                .failure(
                    HostError(
                        .commandRefused(.readRSSI, status == .success ? .unspecifiedError : status),
                        "HCI Read RSSI: expected the strength of the link, got \(found)"))))
    }
}
