import BLEPackets

/// The encryption state of one end of a link: each direction, and the current step of the procedure (Core 5.4, Vol 6
/// Part B 5.1.3).
struct LinkEncryption {
    /// The last PDU of the procedures. The order is fixed, so only the next PDU is accepted.
    enum Step {
        case idle
        /// LL_PAUSE_ENC_REQ; at the peripheral, which has answered, until the central answers, too.
        case pausing
        /// Paused; the peripheral waits for LL_ENC_REQ.
        case paused
        /// LL_ENC_REQ.
        case requested
        /// LL_ENC_RSP: waiting for the key of the peripheral's host.
        case awaitingKey
        /// LL_START_ENC_REQ; at the central, which has answered, until the peripheral answers, too.
        case starting
    }

    /// Encrypts sent packets.
    var sending: LinkCipher?
    /// Decrypts received packets.
    var receiving: LinkCipher?
    var step = Step.idle
    /// The PDUs of a procedure while other PDUs wait.
    var urgent = FIFO<LinkControlPDU>()
    /// Whether data and other procedures wait.
    var holdsBack = false
    /// Whether the link was encrypted when the procedure began.
    var isRefresh = false
    /// Identifies the key, from the central's host.
    var randomNumber: UInt64 = 0
    var encryptedDiversifier: UInt16 = 0
    /// From this end's host; 16 bytes in HCI's order.
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
