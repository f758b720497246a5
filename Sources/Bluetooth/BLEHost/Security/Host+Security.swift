public import BLECore
internal import BLEPackets
internal import ByteCodec
public import MonotonicTime

extension Host {
    /// Encrypts a connection with the key of its bond, or pairs without a bond; as a peripheral, sends a Security
    /// Request. ``HostEvent/encryptionChanged(_:_:_:)`` follows (NimBLE: `ble_gap_security_initiate`).
    ///
    /// - Throws: `notConnected`; `alreadyActive` while a pairing or encryption runs, `tooManyPairings` while the
    ///   maximum number runs on other links.
    public func startSecurity(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "security")
        if !link.info.isCentral {
            return try begin("security", on: link, now) { $0.requestSecurity(now: now) }
        }
        guard let key = bond(of: link)?.peerKey else { return try pair(on: handle, now: now) }
        try begin("security", on: link, now) { $0.encrypt(with: key, now: now) }
    }

    /// As central, encrypts a connection with the key of its bond; ``HostEvent/encryptionChanged(_:_:_:)`` follows.
    ///
    /// - Throws: `notConnected`, `notBonded`; `alreadyActive` while a pairing or encryption runs, `tooManyPairings`
    ///   while the maximum number runs on other links.
    public func encrypt(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "encryption")
        guard let key = bond(of: link)?.peerKey else {
            throw HostError(.notBonded, "encryption: there is no key of \(link.info.identity)")
        }
        try begin("encryption", on: link, now) { $0.encrypt(with: key, now: now) }
    }

    /// As central, pairs again, even with a bond; ``HostEvent/pairingEnded(_:_:)`` follows.
    ///
    /// - Throws: `notConnected`; `alreadyActive` while a pairing or encryption runs, `tooManyPairings` while the
    ///   maximum number runs on other links.
    public func pair(on handle: ConnectionHandle, now: MonotonicInstant) throws(HostError) {
        let link = try link(handle, for: "pairing")
        try begin("pairing", on: link, now) { $0.pair(now: now) }
    }

    /// Answers ``HostEvent/pairingInput(_:_:)`` (NimBLE: `ble_sm_inject_io`).
    ///
    /// - Throws: `notConnected`; `notAwaited` when no pairing waits for such an answer.
    public func answerPairing(
        _ answer: PairingAnswer, on handle: ConnectionHandle, now: MonotonicInstant
    ) throws(HostError) {
        let link = try link(handle, for: "pairing answer")
        let isTaken = link.manager.answer(answer, now: now)
        performActions(of: link, now)
        flush(now)
        guard isTaken else {
            throw HostError(.notAwaited, "pairing answer: nothing on handle \(handle) waits for this one")
        }
    }

    /// Generates out-of-band data for the next pairing; ``nextOutOfBandValue()`` returns it when the controller has
    /// supplied the random numbers.
    ///
    /// - Throws: `notReady`.
    public func makeOutOfBandValue(now: MonotonicInstant) throws(HostError) {
        _ = try controller("out-of-band data")
        draw(SecurityContext.outOfBandRandomByteCount, for: .outOfBandValue)
        flush(now)
    }

    /// Draws new random bytes if these are not a valid key.
    private func outOfBandDrawn(_ bytes: [UInt8], _ now: MonotonicInstant) {
        guard let value = securityContext.makeOutOfBandValue(random: bytes) else {
            return draw(SecurityContext.outOfBandRandomByteCount, for: .outOfBandValue)
        }
        outOfBandValues.append(value)
    }

    /// The next generated out-of-band data, until `nil`.
    public func nextOutOfBandValue() -> OutOfBandValue? { outOfBandValues.popFirst() }

    /// Fetches random bytes from the controller.
    func draw(_ count: Int, for purpose: RandomSupply.Purpose) {
        random.request(count, for: purpose)
        for _ in 0..<RandomSupply.draws(count) { commands.append(HCILERand().packet) }
    }

    private func begin(
        _ operation: StaticString, on link: Link, _ now: MonotonicInstant, _ start: (SecurityManager) -> Bool
    ) throws(HostError) {
        let isBusy = link.manager.isBusy
        guard start(link.manager) else {
            guard isBusy || !securityContext.isFull else {
                throw HostError(
                    .tooManyPairings,
                    "\(operation): expected fewer than \(securityContext.maximumProcedures) on all links together")
            }
            throw HostError(
                .alreadyActive, "\(operation): expected no other on handle \(link.info.handle), but one runs")
        }
        performActions(of: link, now)
        flush(now)
    }

    /// The security of a connection for a GATT server; read it again after ``HostEvent/securityChanged(_:)``.
    public func gattSecurity(of handle: ConnectionHandle) -> GATTSecurity {
        guard let link = link(handle) else { return GATTSecurity() }
        let security = link.info.security
        return GATTSecurity(
            isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
            hasStoredKey: bond(of: link)?.peerKey != nil, keySize: security.keySize)
    }

    // MARK: Actions of the Security Manager

    func receiveSecurity(_ pdu: ArraySlice<UInt8>, on link: Link, _ now: MonotonicInstant) {
        link.manager.receive(pdu, now: now)
        performActions(of: link, now)
    }

    /// Performs the actions of a link's Security Manager, and reports its events.
    func performActions(of link: Link, _ now: MonotonicInstant) {
        while let action = link.manager.nextAction() { perform(action, of: link, now) }
        updateSecurity(of: link)
    }

    private func perform(_ action: SecurityAction, of link: Link, _ now: MonotonicInstant) {
        let handle = link.info.handle
        switch action {
        case .send(let pdu):
            flow.send(.securityManager, on: handle, capacity: pdu.count) { $0.append(pdu) }
        case .needsRandom(let count):
            draw(count, for: .securityManager(handle))
        case .startEncryption(let key):
            commands.append(
                HCILEEnableEncryption(
                    handle: handle, randomNumber: key.rand, encryptedDiversifier: key.ediv,
                    longTermKey: key.value[...]
                ).packet)
        case .replyLongTermKey(let key):
            commands.append(HCILELongTermKeyRequestReply(handle: handle, longTermKey: key[...]).packet)
        case .refuseLongTermKey:
            commands.append(HCILELongTermKeyRequestNegativeReply(handle: handle).packet)
        case .needsInput(let input): emit(.pairingInput(handle, input))
        case .forgetBond: forgetBond(of: link.info.identity)
        case .bonded(let bond): store(bond, of: link)
        case .securityRequested(let requirements): emit(.securityRequested(handle, requirements))
        case .ended(let kind, let status): ended(kind, status, on: link)
        }
    }

    private func ended(_ kind: SecurityProcedureKind, _ status: SecurityStatus, on link: Link) {
        updateSecurity(of: link)
        let handle = link.info.handle
        emit(.encryptionChanged(handle, status, link.info.security))
        let isBonded = status == .success && link.info.security.isBonded
        switch kind {
        case .pairing:
            if isBonded { emit(.bondEstablished(handle, link.info.identity)) }
            emit(.pairingEnded(handle, status))
        case .encryption:
            if isBonded { emit(.bondRestored(handle, link.info.identity)) }
        }
    }

    private func updateSecurity(of link: Link) {
        guard link.info.security != link.manager.security else { return }
        link.info.security = link.manager.security
        emit(.securityChanged(link.info.handle))
    }

    // MARK: Events of the controller

    func encryptionChanged(_ handle: ConnectionHandle, _ status: HCIErrorCode, isOn: Bool, _ now: MonotonicInstant) {
        guard let link = link(handle) else { return }
        link.manager.encryptionChanged(status, isEncrypted: isOn, now: now)
        performActions(of: link, now)
    }

    /// The controller refused LE Enable Encryption: no event follows.
    func encryptionRefused(_ command: HCIPacket, _ status: HCIErrorCode, _ now: MonotonicInstant) {
        guard let link = link(handle(in: command)) else { return }
        encryptionChanged(link.info.handle, status, isOn: link.info.security.isEncrypted, now)
    }

    func longTermKeyRequested(_ event: HCILELongTermKeyRequest, _ now: MonotonicInstant) {
        guard let link = link(event.handle) else { return }
        link.manager.longTermKeyRequested(
            ediv: event.encryptedDiversifier, rand: event.randomNumber, bonded: bond(of: link)?.localKey, now: now)
        performActions(of: link, now)
    }

    /// Eight random bytes from the controller.
    func randomDrawn(_ number: UInt64, _ now: MonotonicInstant) {
        guard let (bytes, purpose) = random.supply(number) else { return }
        switch purpose {
        case .securityManager(let handle):
            guard let link = link(handle) else { return }
            link.manager.supply(random: bytes, now: now)
            performActions(of: link, now)
        case .outOfBandValue: outOfBandDrawn(bytes, now)
        case .privateAddress: privacy.seed = number
        }
    }
}
