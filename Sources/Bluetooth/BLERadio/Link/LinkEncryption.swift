import BLEPackets

/// Encryption as one end of a link sees it: on or off each way, and how far its procedure is
/// (Core 5.4, Vol 6 Part B 5.1.3).
struct LinkEncryption {
    /// Which of the procedures' PDUs has passed last. Both ends know the order; so nothing else is expected.
    enum Step {
        case idle
        /// LL_PAUSE_ENC_REQ; at the peripheral, which has answered, until the central has too.
        case pausing
        /// Paused; the peripheral waits for LL_ENC_REQ.
        case paused
        /// LL_ENC_REQ.
        case requested
        /// LL_ENC_RSP: the peripheral's host is asked for the key.
        case awaitingKey
        /// LL_START_ENC_REQ; at the central, which has answered, until the peripheral has too.
        case starting
    }

    /// Encrypts what this end sends.
    var sending: LinkCipher?
    /// Decrypts what this end receives.
    var receiving: LinkCipher?
    var step = Step.idle
    /// The PDUs of a procedure once it holds everything else back.
    var urgent = FIFO<LinkControlPDU>()
    /// Whether data and other procedures wait.
    var holdsBack = false
    /// Whether the link was encrypted when the procedure began.
    var isRefresh = false
    /// What names the key, from the central's host.
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
