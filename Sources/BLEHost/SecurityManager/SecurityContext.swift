import BLECore
import MonotonicTime

/// What the Security Managers of a host's links share.
final class SecurityContext {
    /// What this side tells its bonded peers of itself.
    struct Identity {
        var address: DeviceAddress
        /// 16 bytes, least significant first.
        var irk: [UInt8]
    }

    var identity: Identity
    /// How many procedures may run at a time; NimBLE has room for one.
    let maximumProcedures: Int
    var runningProcedures = 0

    init(identity: Identity, maximumProcedures: Int) {
        self.identity = identity
        self.maximumProcedures = maximumProcedures
    }
}
