import BLEPackets
import MonotonicTime

/// One connection, as the host keeps it.
final class Link {
    /// A change of connection parameters that has been asked for.
    struct Update {
        /// The identifier of the L2CAP request, or `nil` when the controller was asked.
        var identifier: UInt8?
        var deadline: MonotonicInstant
    }

    var info: ConnectionInfo
    var reassembler = L2CAPReassembler()
    /// Whether ``HostEvent/connected(_:)`` has come.
    var isConnected = false
    var isDisconnecting = false
    /// Why the link ended, while the owner still has to finish with it.
    var endReason: HCIErrorCode?
    /// Whether the owner has found no room and waits.
    var ownerWaits = false
    /// The LE features both sides support.
    var features: UInt64 = 0
    var update: Update?
    let manager: SecurityManager

    init(_ info: ConnectionInfo, _ manager: SecurityManager) {
        self.info = info
        self.manager = manager
    }
}
