internal import BLEPackets
internal import MonotonicTime
import Crypto
import CryptoExtras

/// The encryption of one direction of a link: AES-CCM with a four-byte MIC (Core 5.4, Vol 6 Part E 1).
///
/// Every PDU increments the packet counter of sender and receiver. A retransmitted PDU has the same bytes, so each PDU
/// is encrypted only once.
package struct LinkCipher {
    /// One end's part of the session keys: LL_ENC_REQ or LL_ENC_RSP.
    package struct Share: Hashable, Sendable {
        /// Session key diversifier.
        package var diversifier: UInt64
        /// Initialization vector.
        package var initializationVector: UInt32

        /// A share with these values.
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

/// AES-128 for the link layer. Keys have 16 bytes and texts consist of whole blocks, so no operation can fail; other
/// texts stay unchanged.
enum BlockCipher {
    /// The encryption of one block, most significant byte first (Core 5.4, Vol 6 Part E 1).
    static func encrypt(_ block: inout [UInt8], key: [UInt8]) {
        try? AES.permute(&block, key: SymmetricKey(data: key))
    }

    /// The first four bytes of the CBC-MAC over `text`.
    static func chain(_ text: [UInt8], _ key: SymmetricKey) -> UInt32 {
        guard let zero, let chained = try? AES._CBC.encrypt(text, using: key, iv: zero, noPadding: true) else {
            return 0
        }
        return chained.suffix(16).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Counter mode over `text`, the first counter being `block`.
    static func count(_ text: inout [UInt8], _ key: SymmetricKey, from block: [UInt8]) {
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: block),
            let counted = try? AES._CTR.encrypt(text, using: key, nonce: nonce)
        else { return }
        text.removeAll(keepingCapacity: true)
        text.append(contentsOf: counted)
    }

    private static let zero = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
}

/// The encryption state of one end of a link: each direction, and the current step of the procedure (Core 5.4, Vol 6
/// Part B 5.1.3).
struct LinkEncryption {
    /// The last PDU of the running procedure. The order of PDUs is fixed, so only the next PDU is accepted.
    enum Step {
        case idle
        /// LL_PAUSE_ENC_REQ. At the peripheral: it has sent LL_PAUSE_ENC_RSP, and waits for the central's.
        case pausing
        /// Paused; the peripheral waits for LL_ENC_REQ.
        case paused
        /// LL_ENC_REQ.
        case requested
        /// LL_ENC_RSP: waiting for the key of the peripheral's host.
        case awaitingKey
        /// LL_START_ENC_REQ. At the central: it has sent LL_START_ENC_RSP, and waits for the peripheral's.
        case starting
    }

    /// The cipher for sent packets; `nil`: not encrypted.
    var sending: LinkCipher?
    /// The cipher for received packets; `nil`: not encrypted.
    var receiving: LinkCipher?
    var step = Step.idle
    /// Queued PDUs of the encryption procedure, sent while other PDUs wait.
    var urgent = FIFO<LinkControlPDU>()
    /// True if data and other procedures wait.
    var holdsBack = false
    /// True if the link was encrypted when the procedure began.
    var isRefresh = false
    /// Rand from the central's host, which identifies the key.
    var randomNumber: UInt64 = 0
    var encryptedDiversifier: UInt16 = 0
    /// The key from this end's host; 16 bytes in HCI's order.
    var longTermKey: ArraySlice<UInt8> = []
    var centralShare = LinkCipher.Share(diversifier: 0, initializationVector: 0)
    var peripheralShare = LinkCipher.Share(diversifier: 0, initializationVector: 0)

    var isOn: Bool { sending != nil }
    var expectsCiphertext: Bool { receiving != nil }

    func cipher(isFromCentral: Bool) -> LinkCipher {
        LinkCipher(
            longTermKey: longTermKey, central: centralShare, peripheral: peripheralShare, isFromCentral: isFromCentral)
    }
}
