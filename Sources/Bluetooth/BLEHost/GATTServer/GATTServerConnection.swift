import BLECore
import MonotonicTime

/// What the security manager has reached on a connection; decides over protected attributes.
public struct GATTSecurity: Hashable, Sendable {
    /// Whether the link is encrypted.
    public var isEncrypted: Bool
    /// Whether its key is authenticated (protected against a man in the middle).
    public var isAuthenticated: Bool
    /// Whether a long-term key of the peer is stored: it decides which error an unencrypted access gets.
    public var hasStoredKey: Bool
    /// How many bytes of the key count; 7...16.
    public var keySize: Int

    /// A state; the default is that of a new connection with an unknown peer.
    public init(isEncrypted: Bool = false, isAuthenticated: Bool = false, hasStoredKey: Bool = false, keySize: Int = 16)
    {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.hasStoredKey = hasStoredKey
        self.keySize = keySize
    }
}

/// The server's state of one connection.
final class GATTServerConnection {
    /// A client configuration with NimBLE's internal flag beside the two bits of the client.
    struct Configuration {
        var flags: UInt16 = 0

        /// The characteristic changed since it was last sent (`BLE_GATTS_CLT_CFG_F_MODIFIED`). NimBLE keeps it in the
        /// same word, so that a write of the client clears it.
        static let modified: UInt16 = 0x80

        var isModified: Bool { flags & Self.modified != 0 }
        var clientBits: UInt16 { flags & 3 }
    }

    struct PreparedWrite {
        var handle: UInt16
        var offset: Int
        var part: [UInt8]
    }

    static let defaultMTU = 23

    let handle: UInt16
    var isOpen = true
    var security: GATTSecurity
    /// The identity address of a peer whose subscriptions are kept.
    var bondedPeer: DeviceAddress?
    /// The longest PDU in use, in bytes.
    var mtu = defaultMTU
    /// Our side's offer; fixed by the first exchange.
    var ownMTU: Int
    var hasExchangedMTU = false
    var configurations: [Configuration]
    var supportedFeatures: UInt8 = 0

    /// Sorted by handle and offset, as NimBLE keeps it.
    var preparedWrites: [PreparedWrite] = []
    var preparedWritesDeadline: MonotonicInstant?

    /// The value handle of the indication that a confirmation is awaited for; 0: none.
    var indicatedHandle: UInt16 = 0
    /// Whether an indication is on its way: no second one goes out before some response came.
    var isAwaitingResponse = false
    /// Indications that wait for that.
    var delayedPDUs: [[UInt8]] = []

    init(handle: UInt16, ownMTU: Int, configurationCount: Int, security: GATTSecurity) {
        self.handle = handle
        self.ownMTU = ownMTU
        self.security = security
        configurations = Array(repeating: Configuration(), count: configurationCount)
    }
}
