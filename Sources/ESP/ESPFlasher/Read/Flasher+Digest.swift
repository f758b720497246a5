import Crypto
import ESPProtocol

extension Flasher {
    /// The MD5 digest, 16 bytes, of `range` of the flash, computed by the chip.
    ///
    /// - Throws: ``FlasherError`` with code `beyondEnd`, `secureDownload`, or one of the command.
    public func digest(_ range: Range<UInt64>, of board: ConnectedBoard) async throws(FlasherError) -> [UInt8] {
        let place = "digest of 0x\(String(range.lowerBound, radix: 16)) to 0x\(String(range.upperBound, radix: 16))"
        try checkBounds(range, place, of: board)
        try board.checkPermits(place)
        return try await confirmed(place) { () throws(FlasherError) in
            try await digest(UInt32(range.lowerBound), count: range.count, place)
        }
    }

    func digest(_ offset: UInt32, count: Int, _ context: String) async throws(FlasherError) -> [UInt8] {
        Array(try await connection.query(FlashMD5(address: offset, size: UInt32(count)), context).digest)
    }

    /// Whether the flash at `offset` holds `bytes`.
    ///
    /// A digest may be damaged on the line, never to the right one: another is asked for before it is believed.
    func holds(
        _ bytes: ArraySlice<UInt8>, at offset: UInt32, _ context: String
    ) async throws(FlasherError) -> Bool {
        let expected = md5(bytes)
        for _ in 0..<(lineFaults > 0 ? 3 : 1) {
            if try await digest(offset, count: bytes.count, context) == expected { return true }
        }
        return false
    }
}

/// The MD5 digest of `bytes`.
func md5(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var md5 = Insecure.MD5()
    bytes.withUnsafeBytes { md5.update(bufferPointer: $0) }
    return Array(md5.finalize())
}
