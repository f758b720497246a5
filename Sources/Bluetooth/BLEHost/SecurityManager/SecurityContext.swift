package import BLECore
import MonotonicTime

/// What the Security Managers of a host's links share.
package final class SecurityContext {
    /// What this side tells its bonded peers of itself.
    package struct Identity: Sendable {
        /// The identity address.
        package var address: DeviceAddress
        /// The key that resolves this side's private addresses; 16 bytes, least significant first.
        package var irk: [UInt8]

        /// An identity.
        package init(address: DeviceAddress, irk: [UInt8]) {
            self.address = address
            self.irk = irk
        }
    }

    /// The random bytes that ``makeOutOfBandValue(random:)`` takes.
    package static let outOfBandRandomByteCount = PairingKeyPair.randomByteCount + 16

    /// The identity handed out in pairings.
    package var identity: Identity
    /// How many procedures may run at a time on all links; NimBLE has room for one.
    var maximumProcedures: Int
    var runningProcedures = 0
    var isFull: Bool { runningProcedures >= maximumProcedures }
    /// NimBLE keeps one pair until the next reset; ``HostBehaviour/specification`` makes one for each
    /// pairing, but for data out of band that has been handed out.
    var keyPair: PairingKeyPair?
    var hasHandedOutOutOfBandValue = false
    var attempts = RepeatedAttempts()

    /// A context without keys.
    package init(identity: Identity, maximumProcedures: Int) {
        self.identity = identity
        self.maximumProcedures = maximumProcedures
    }

    /// Out-of-band data for peers, of the key pair of the next pairing; `nil` when the random numbers make no key.
    ///
    /// - Parameter random: ``outOfBandRandomByteCount`` bytes.
    package func makeOutOfBandValue(random: [UInt8]) -> OutOfBandValue? {
        guard random.count == Self.outOfBandRandomByteCount else { return nil }
        let pair = keyPair ?? PairingKeyPair(random: Array(random[..<PairingKeyPair.randomByteCount]))
        guard let pair else { return nil }
        keyPair = pair
        hasHandedOutOutOfBandValue = true
        let value = Array(random[PairingKeyPair.randomByteCount...])
        let confirm = SecurityToolbox.f4(u: pair.x, v: pair.x, x: UInt128(wire: value), z: 0)
        return OutOfBandValue(confirm: confirm.wire, random: value)
    }
}

extension UInt128 {
    /// The number that bytes on the wire stand for, least significant first; missing ones count as 0.
    init(wire: some Collection<UInt8>) {
        self = wire.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The sixteen bytes on the wire.
    var wire: [UInt8] {
        withUnsafeBytes(of: littleEndian) { Array($0) }
    }
}
