internal import BLEPackets
internal import MonotonicTime

/// The host's state of one connection.
final class Link {
    /// A requested update of connection parameters.
    struct Update {
        /// The identifier of the L2CAP request; `nil` for the link layer procedure.
        var identifier: UInt8?
        var deadline: MonotonicInstant
    }

    var info: ConnectionInfo
    // `@exclusivity(unchecked)`: accessed several times per packet, where the run-time check costs more than the other
    // work; the compile-time checks remain.
    @exclusivity(unchecked) var reassembler = L2CAPReassembler()
    /// True if ``HostEvent/connected(_:)`` has been reported.
    var isConnected = false
    var isDisconnecting = false
    /// The reason for the end of the link; set until the owner has finished the disconnection.
    var endReason: HCIErrorCode?
    /// True if the owner waits for space in the queue.
    var isOwnerWaiting = false
    /// The LE features both sides support.
    var features: UInt64 = 0
    @exclusivity(unchecked) var update: Update?
    let manager: SecurityManager

    init(_ info: ConnectionInfo, _ manager: SecurityManager) {
        self.info = info
        self.manager = manager
    }
}
