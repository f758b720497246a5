/// Bytes on a wire between two UARTs of different rates.
package enum UARTWaveform {
    /// The bytes that a UART at `receiverRate` samples when one at `senderRate` sends `bytes` as 8N1.
    ///
    /// The receiver samples each bit in its middle, counted from the edge of the start bit. With rates within about
    /// 5 % it reads what was sent; a stop bit that is low is a framing error, whose byte the chips pass on.
    package static func received(_ bytes: [UInt8], senderRate: Double, receiverRate: Double) -> [UInt8] {
        guard senderRate > 0, receiverRate > 0, !bytes.isEmpty else { return [] }
        let ratio = senderRate / receiverRate
        // Fast path: the last sample, of the stop bit at 9.5, stays within its bit.
        if abs(ratio - 1) * 9.5 < 0.5 { return bytes }
        let bitCount = Double(bytes.count * 10)
        func level(_ position: Double) -> Bool {
            guard position >= 0, position < bitCount else { return true }
            let bit = Int(position)
            switch bit % 10 {
            case 0: return false
            case 9: return true
            case let number: return bytes[bit / 10] >> (number - 1) & 1 == 1
            }
        }
        var result: [UInt8] = []
        var position = 0.0
        while position < bitCount {
            // The next falling edge.
            guard !level(position) else {
                position = position.rounded(.down) + 1
                continue
            }
            var byte: UInt8 = 0
            for number in 0..<8 where level(position + (Double(number) + 1.5) * ratio) { byte |= 1 << number }
            result.append(byte)
            let stop = position + 9.5 * ratio
            position = level(stop) ? stop : (position + 10 * ratio)
            // After a framing error the line must be idle before the next start bit.
            while position < bitCount, !level(position) { position = position.rounded(.down) + 1 }
        }
        return result
    }
}
