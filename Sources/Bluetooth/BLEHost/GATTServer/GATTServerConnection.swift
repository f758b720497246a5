internal import BLECore
internal import MonotonicTime

/// The security of a connection, for access to protected attributes.
public struct GATTSecurity: Hashable, Sendable {
    /// True if the link is encrypted.
    public var isEncrypted: Bool
    /// True if the link's key is authenticated (MITM protection).
    public var isAuthenticated: Bool
    /// True if a long-term key of the peer is stored, which determines the error of an unencrypted access.
    public var hasStoredKey: Bool
    /// The encryption key size, in bytes; 7...16.
    public var keySize: Int

    /// The security of a connection; the default is that of a new connection with an unknown peer.
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
    /// A client configuration: the client's two bits and NimBLE's internal flag.
    struct Configuration {
        var flags: UInt16 = 0

        /// The characteristic changed since it was last sent (`BLE_GATTS_CLT_CFG_F_MODIFIED`). NimBLE stores this flag
        /// in the same word, so a write of the client clears it.
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
    /// The identity address of a peer whose subscriptions are stored.
    var bondedPeer: DeviceAddress?
    /// The ATT MTU in use, in bytes.
    var mtu = defaultMTU
    /// The server's receive MTU; fixed by the first exchange.
    var ownMTU: Int
    var hasExchangedMTU = false
    var configurations: [Configuration]
    var supportedFeatures: UInt8 = 0

    /// Sorted by handle and offset, as in NimBLE.
    var preparedWrites: [PreparedWrite] = []
    var preparedWritesDeadline: MonotonicInstant?

    /// The value handle of the unconfirmed indication; 0: none.
    var indicatedHandle: UInt16 = 0
    /// True if an indication is outstanding: the next one is sent after any response.
    var isAwaitingResponse = false
    /// Indications waiting for that response.
    var delayedPDUs: [[UInt8]] = []

    init(handle: UInt16, ownMTU: Int, configurationCount: Int, security: GATTSecurity) {
        self.handle = handle
        self.ownMTU = ownMTU
        self.security = security
        configurations = Array(repeating: Configuration(), count: configurationCount)
    }
}
