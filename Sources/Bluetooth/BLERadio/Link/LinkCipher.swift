import Crypto

/// The encryption of one direction of a link: AES-CCM with a four-byte MIC (Core 5.4, Vol 6 Part E 1).
///
/// Every PDU increments the packet counter of sender and receiver. A retransmitted PDU has the same bytes, so it is
/// encrypted once.
package struct LinkCipher {
    /// One end's part of the session keys: LL_ENC_REQ or LL_ENC_RSP.
    package struct Share: Hashable, Sendable {
        /// Session key diversifier.
        package var diversifier: UInt64
        /// Initialization vector.
        package var initializationVector: UInt32

        /// A share of these values.
        package init(diversifier: UInt64, initializationVector: UInt32) {
            self.diversifier = diversifier
            self.initializationVector = initializationVector
        }
    }

    /// The length of the MIC, in bytes.
    package static let micLength = 4

    private let key: SymmetricKey
    /// 39 bits.
    private var counter: UInt64 = 0
    /// A block of CCM: flags, nonce, and the length or the number of the block.
    private var block: [UInt8]
    /// A reused buffer.
    private var text: [UInt8] = []

    /// The cipher for one direction: packets of the central, or of the peripheral. `longTermKey` has 16 bytes in HCI's
    /// order.
    package init(longTermKey: ArraySlice<UInt8>, central: Share, peripheral: Share, isFromCentral: Bool) {
        var session: [UInt8] = []
        for share in [peripheral.diversifier, central.diversifier] {
            for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
                session.append(UInt8(truncatingIfNeeded: share >> shift))
            }
        }
        BlockCipher.encrypt(&session, key: longTermKey.reversed())
        key = SymmetricKey(data: session)
        block = Array(repeating: 0, count: 16)
        block[5] = isFromCentral ? 0x80 : 0
        for index in 0..<4 {
            block[6 + index] = UInt8(truncatingIfNeeded: central.initializationVector >> (8 * index))
            block[10 + index] = UInt8(truncatingIfNeeded: peripheral.initializationVector >> (8 * index))
        }
    }

    /// Encrypts `bytes[range]` in place and returns the MIC, its first byte lowest.
    ///
    /// - Parameter header: the first byte of the PDU's header; bits that a retransmission changes are masked.
    package mutating func seal(_ bytes: inout [UInt8], _ range: Range<Int>, header: UInt8) -> UInt32 {
        startPacket()
        let tag = authenticate(bytes, range, header)
        return crypt(&bytes, range, tag)
    }

    /// Decrypts `bytes[range]` in place and returns whether the MIC is valid.
    package mutating func open(_ bytes: inout [UInt8], _ range: Range<Int>, header: UInt8, mic: UInt32) -> Bool {
        startPacket()
        let tag = crypt(&bytes, range, mic)
        return authenticate(bytes, range, header) == tag
    }

    private mutating func startPacket() {
        for index in 0..<4 { block[1 + index] = UInt8(truncatingIfNeeded: counter >> (8 * UInt64(index))) }
        block[5] = block[5] & 0x80 | UInt8(truncatingIfNeeded: counter >> 32) & 0x7F
        counter = (counter + 1) & 0x7F_FFFF_FFFF
    }

    /// CBC-MAC over the block B0, the masked header and the payload (Core 5.4, Vol 6 Part E 2.1): its first four bytes.
    private mutating func authenticate(_ bytes: [UInt8], _ range: Range<Int>, _ header: UInt8) -> UInt32 {
        block[0] = 0x49
        block[14] = 0
        block[15] = UInt8(truncatingIfNeeded: range.count)
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: block)
        text.append(contentsOf: Self.headerBlock)
        text[18] = header & Self.authenticatedHeaderBits
        text.append(contentsOf: bytes[range])
        text.append(contentsOf: repeatElement(0, count: -range.count & 15))
        return BlockCipher.chain(text, key)
    }

    /// CTR over the tag, with block 0, and the payload (Core 5.4, Vol 6 Part E 2.2); returns the tag.
    private mutating func crypt(_ bytes: inout [UInt8], _ range: Range<Int>, _ tag: UInt32) -> UInt32 {
        block[0] = 0x01
        block[15] = 0
        text.removeAll(keepingCapacity: true)
        for index in 0..<4 { text.append(UInt8(truncatingIfNeeded: tag >> (8 * UInt32(index)))) }
        text.append(contentsOf: Self.restOfTag)
        text.append(contentsOf: bytes[range])
        BlockCipher.count(&text, key, from: block)
        for (index, byte) in zip(range, text[16...]) { bytes[index] = byte }
        return UInt32(text[0]) | UInt32(text[1]) << 8 | UInt32(text[2]) << 16 | UInt32(text[3]) << 24
    }

    /// NESN, SN and MD change with each transmission.
    private static let authenticatedHeaderBits: UInt8 = 0xE3
    /// The length of the additional data, 1, and its byte.
    private static let headerBlock: [UInt8] = [0, 1] + Array(repeating: 0, count: 14)
    private static let restOfTag = [UInt8](repeating: 0, count: 12)
}
