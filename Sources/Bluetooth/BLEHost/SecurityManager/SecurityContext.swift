package import BLECore
internal import MonotonicTime

/// The state shared by the Security Managers of a host's links.
package final class SecurityContext {
    /// The identity distributed to bonded peers.
    package struct Identity: Sendable {
        /// The identity address.
        package var address: DeviceAddress
        /// The key that resolves this device's private addresses; 16 bytes, least significant first.
        package var irk: [UInt8]

        /// An identity.
        package init(address: DeviceAddress, irk: [UInt8]) {
            self.address = address
            self.irk = irk
        }
    }

    /// The number of random bytes for ``makeOutOfBandValue(random:)``.
    package static let outOfBandRandomByteCount = PairingKeyPair.randomByteCount + 16

    /// The identity distributed in pairings.
    package var identity: Identity
    /// The maximum number of simultaneous procedures on all links; NimBLE's default is one.
    var maximumProcedures: Int
    var runningProcedures = 0
    var isFull: Bool { runningProcedures >= maximumProcedures }
    /// NimBLE uses one key pair until the next reset; ``HostBehaviour/specification`` generates a key pair for each
    /// pairing, unless out-of-band data were created with the current pair.
    var keyPair: PairingKeyPair?
    var hasHandedOutOutOfBandValue = false
    var attempts = RepeatedAttempts()
    /// The bonds of the host, oldest first.
    package var bonds: [Bond] = []

    /// A context without keys.
    package init(identity: Identity, maximumProcedures: Int) {
        self.identity = identity
        self.maximumProcedures = maximumProcedures
    }

    /// Out-of-band data for peers, with the key pair of the next pairing; `nil` when the random number is not a valid
    /// key.
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
    /// The number in the PDU's bytes, least significant first; missing bytes are 0.
    init(wire: some Collection<UInt8>) {
        self = wire.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The sixteen bytes in a PDU.
    var wire: [UInt8] {
        withUnsafeBytes(of: littleEndian) { Array($0) }
    }
}
