internal import BLECore
internal import BLEPackets
internal import MonotonicTime

/// Key distribution over the encrypted link (Core 5.4, Vol 3 Part H 3.6).
extension SecurityManager {
    // MARK: Sending

    /// Distributes this device's keys, one after the other.
    func distributeKeys(_ procedure: PairingProcedure, _ now: MonotonicInstant) {
        guard procedure.localDistribution.contains(.encryptionKey) else {
            return distributeIdentity(procedure, now)
        }
        draw(procedure.keySize) { manager, random, _ in
            let key = UInt128(wire: random)
            procedure.localKeys.longTermKey = key
            manager.send(SMPEncryptionInformation(longTermKey: key))
            manager.draw(2) { manager, ediv, _ in
                manager.draw(8) { manager, rand, now in
                    let identification = SMPCentralIdentification(
                        ediv: UInt16(truncatingIfNeeded: UInt128(wire: ediv)),
                        rand: UInt64(truncatingIfNeeded: UInt128(wire: rand)))
                    procedure.localKeys.identification = (identification.ediv, identification.rand)
                    manager.send(identification)
                    manager.distributeIdentity(procedure, now)
                }
            }
        }
    }

    private func distributeIdentity(_ procedure: PairingProcedure, _ now: MonotonicInstant) {
        if procedure.localDistribution.contains(.identityKey) {
            send(SMPIdentityInformation(identityResolvingKey: UInt128(wire: context.identity.irk)))
            send(SMPIdentityAddressInformation(address: context.identity.address))
        }
        guard procedure.localDistribution.contains(.signingKey) else { return finishSending(procedure, now) }
        draw(16) { manager, random, now in
            let key = UInt128(wire: random)
            procedure.localKeys.signatureKey = key
            manager.send(SMPSigningInformation(signatureKey: key))
            manager.finishSending(procedure, now)
        }
    }

    private func finishSending(_ procedure: PairingProcedure, _ now: MonotonicInstant) {
        if procedure.isInitiator || procedure.expectedKeys.isEmpty { succeed(procedure) }
    }

    // MARK: Receiving

    func receive(_ pdu: SMPEncryptionInformation, _ now: MonotonicInstant) {
        storeKey(.encryptionInformation, now) { $0.longTermKey = pdu.longTermKey }
    }

    func receive(_ pdu: SMPCentralIdentification, _ now: MonotonicInstant) {
        storeKey(.centralIdentification, now) { $0.identification = (pdu.ediv, pdu.rand) }
    }

    func receive(_ pdu: SMPIdentityInformation, _ now: MonotonicInstant) {
        storeKey(.identityInformation, now) { $0.identityResolvingKey = pdu.identityResolvingKey }
    }

    func receive(_ pdu: SMPIdentityAddressInformation, _ now: MonotonicInstant) {
        if isStrict, let procedure, procedure.state == .keyDistribution {
            guard let address = pdu.address, address.isIdentity else { return refuse(.keyRejected, now) }
            guard !wouldWeakenBond(of: address, procedure) else { return refuseWeakening(of: address, now) }
        }
        let kind: DeviceAddress.Kind = pdu.addressType & 1 == 0 ? .public : .random
        storeKey(.identityAddressInformation, now) {
            $0.identityAddress = DeviceAddress(pdu.addressValue, kind)
        }
    }

    func receive(_ pdu: SMPSigningInformation, _ now: MonotonicInstant) {
        storeKey(.signingInformation, now) { $0.signatureKey = pdu.signatureKey }
    }

    /// Stores a key of the peer. NimBLE accepts keys in any order, even unrequested keys.
    private func storeKey(_ opcode: SMPOpcode, _ now: MonotonicInstant, _ store: (inout PairingProcedure.Keys) -> Void)
    {
        guard let procedure, procedure.state == .keyDistribution else { return ignore(now) }
        if isStrict, procedure.expectedKeys.first != opcode { return ignore(now) }
        restartTimer(now)
        store(&procedure.peerKeys)
        procedure.expectedKeys.removeAll { $0 == opcode }
        guard procedure.expectedKeys.isEmpty else { return }
        if procedure.isInitiator {
            distributeKeys(procedure, now)
        } else {
            succeed(procedure)
        }
    }

    // MARK: Storing

    private func succeed(_ procedure: PairingProcedure) {
        if procedure.isBonding {
            let bond = bond(procedure)
            // A stronger bond may have been made on another connection meanwhile.
            guard !wouldWeakenBond(of: bond.peer, procedure) else { return end(.weakerThanBond(bond.peer)) }
            security.isBonded = true
            emit(.bonded(bond))
        } else if isStrict {
            security.isBonded = false
        }
        context.attempts.recordSuccess(of: peer)
        end(.success)
    }

    private func bond(_ procedure: PairingProcedure) -> Bond {
        var identity = (
            address: procedure.peerKeys.identityAddress ?? peerIdentity, irk: procedure.peerKeys.identityResolvingKey
        )
        // If the peer's identity is already known, a different claimed identity is ignored with its IRK, as in Linux
        // (`smp_cmd_ident_addr_info`).
        if isStrict, peerIdentity.isIdentity, identity.address != peerIdentity { identity = (peerIdentity, nil) }
        return Bond(
            peer: identity.address, peerIRK: identity.irk?.wire, peerCSRK: procedure.peerKeys.signatureKey?.wire,
            localCSRK: procedure.localKeys.signatureKey?.wire, peerKey: key(procedure, procedure.peerKeys),
            localKey: key(procedure, procedure.localKeys))
    }

    // MARK: Protecting bonds

    /// True if the bond of this pairing would replace a stronger bond of `identity`, although the peer has not
    /// encrypted this connection with that bond's key. Otherwise an attacker that uses or claims an address could
    /// weaken the bond of its owner. The rule is the one for cross-transport keys (Core 5.4, Vol 3 Part C 14.1). NimBLE
    /// replaces any bond.
    func wouldWeakenBond(of identity: DeviceAddress, _ procedure: PairingProcedure) -> Bool {
        guard isStrict, procedure.isBonding, let bond = context.bonds.first(where: { $0.peer == identity }),
            let key = bond.peerKey ?? bond.localKey
        else { return false }
        // A different claimed identity is ignored.
        if peerIdentity.isIdentity, identity != peerIdentity { return false }
        if identity == peerIdentity, security.isEncrypted, security.isBonded { return false }
        return key.isAuthenticated && !procedure.isAuthenticated || key.size > procedure.keySize
    }

    func refuseWeakening(of identity: DeviceAddress, _ now: MonotonicInstant) {
        refuse(.authenticationRequirements, now, as: .weakerThanBond(identity))
    }

    private func key(_ procedure: PairingProcedure, _ keys: PairingProcedure.Keys) -> LongTermKey? {
        func key(_ value: UInt128, ediv: UInt16, rand: UInt64) -> LongTermKey {
            LongTermKey(
                value: value.wire, ediv: ediv, rand: rand, size: procedure.keySize,
                isAuthenticated: procedure.isAuthenticated, isSecureConnections: procedure.isSecureConnections)
        }
        if procedure.isSecureConnections { return key(procedure.key, ediv: 0, rand: 0) }
        guard let value = keys.longTermKey, let identification = keys.identification else { return nil }
        return key(value, ediv: identification.ediv, rand: identification.rand)
    }
}
