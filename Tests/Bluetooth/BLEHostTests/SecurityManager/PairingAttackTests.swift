import BLECore
import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// Known attacks on pairing, delays, and NimBLE's behaviour.
@Suite struct PairingAttackTests {
    private func bench(
        _ central: IOCapability, _ peripheral: IOCapability,
        conduct: HostBehaviour = .specification, secureConnections: Bool = true
    ) -> SecurityBench {
        SecurityBench(
            central: .full(central, secureConnections: secureConnections),
            peripheral: .full(peripheral, conduct: conduct, secureConnections: secureConnections))
    }

    // MARK: Mirrors

    /// A responder that sends the initiator's public key back could learn the passkey bit by bit (CVE-2020-26558).
    @Test func ownPublicKeyIsRefused() throws {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.central.manager.pair(now: bench.now))
        bench.peripheral.tamper = { pdu in
            pdu[0] == 0x0C ? bench.central.sent.last { $0[0] == 0x0C } : pdu
        }
        bench.run()
        #expect(bench.central.ends == [.failed(.authenticationRequirements)])
    }

    /// The same X with the other Y is the same attack.
    @Test func ownPublicKeyWithAnotherYIsRefused() throws {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.central.manager.pair(now: bench.now))
        bench.peripheral.tamper = { pdu in
            guard pdu[0] == 0x0C, let own = bench.central.sent.last(where: { $0[0] == 0x0C }) else { return pdu }
            return Array(own[..<33] + pdu[33...])
        }
        bench.run()
        #expect(bench.central.ends == [.failed(.authenticationRequirements)])
    }

    /// A legacy responder that reflects confirm and random value would pair without the passkey.
    @Test func mirroredConfirmValuesAreRefused() {
        let bench = bench(.keyboardOnly, .displayOnly, secureConnections: false)
        bench.central.answers = [.passkey(271_828)]
        bench.peripheral.answers = [.passkey(0)]
        bench.peripheral.tamper = { pdu in
            pdu[0] == 3 || pdu[0] == 5 ? bench.central.sent.last { $0[0] == 3 } : pdu
        }
        #expect(bench.pair())
        #expect(bench.central.ends == [.failed(.confirmValueFailed)])
        #expect(!bench.central.sent.contains { $0[0] == 4 })
    }

    /// Whose private key is published (Core 5.4, Vol 3 Part H 2.3.5.6.1).
    @Test(arguments: [HostBehaviour.nimble, .specification])
    func theDebugKeyIsRefusedInStrictBehaviourOnly(conduct: HostBehaviour) throws {
        let bench = bench(.noInputNoOutput, .noInputNoOutput, conduct: conduct)
        let x = ToolboxTests.coordinate("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
        let y = ToolboxTests.coordinate("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b")
        bench.central.tamper = { $0[0] == 0x0C ? [0x0C] + x + y : $0 }
        #expect(bench.pair())
        #expect(bench.peripheral.sent.contains { $0[0] == 0x0C } == (conduct == .nimble))
        // The central used another key, so the pairing ends.
        let end: SecurityStatus =
            conduct == .nimble ? .failedByPeer(.confirmValueFailed) : .failed(.authenticationRequirements)
        #expect(bench.peripheral.ends == [end])
    }

    /// The initiator sends its values first: a responder that does not wait for them learns nothing.
    @Test func aPrematureRandomOfTheResponderIsRefused() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        bench.central.manager.receive(([0x03] + [UInt8](repeating: 7, count: 16))[...], now: bench.now)
        bench.run()
        #expect(bench.central.ends == [.failed(.unspecifiedReason)])
    }

    // MARK: Time

    @Test func afterThirtySecondsTheChannelIsClosed() throws {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        let deadline = try #require(bench.central.manager.nextDeadline)
        #expect(deadline == MonotonicInstant.zero.advanced(by: .seconds(30)))
        bench.central.manager.advance(to: MonotonicInstant(nanoseconds: deadline.nanoseconds - 1))
        #expect(bench.central.manager.isBusy)
        bench.central.manager.advance(to: deadline)
        bench.run()
        #expect(bench.central.ends == [.timedOut])
        #expect(!bench.central.manager.pair(now: deadline))
        bench.central.manager.receive([0x0B, 0x0D], now: deadline)
        bench.run()
        #expect(bench.central.actions.last == .ended(.pairing, .timedOut))
    }

    @Test func aNimBLEAcceptsAPairingAfterATimeOut() {
        let bench = bench(.keyboardOnly, .displayOnly, conduct: .nimble)
        #expect(bench.pair())
        bench.central.manager.receive([0x05, 0x08], now: bench.now)
        bench.now = bench.now.advanced(by: .seconds(30))
        bench.peripheral.manager.advance(to: bench.now)
        bench.central.answers = [.passkey(9)]
        bench.peripheral.answers = [.passkey(9)]
        #expect(bench.pair())
        #expect(bench.peripheral.ends == [.timedOut, .success])
    }

    @Test func everyPDUOfThePeerRestartsTheTimeOut() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        bench.now = bench.now.advanced(by: .seconds(20))
        #expect(bench.central.manager.answer(.passkey(1), now: bench.now))
        bench.run()
        #expect(bench.central.manager.nextDeadline == bench.now.advanced(by: .seconds(30)))
        #expect(bench.peripheral.manager.nextDeadline == bench.now.advanced(by: .seconds(30)))
    }

    @Test func aLostLinkEndsAPairing() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        bench.central.manager.disconnected()
        bench.run()
        #expect(bench.central.ends == [.disconnected])
        #expect(!bench.central.manager.pair(now: bench.now))
        bench.central.manager.disconnected()
        #expect(bench.central.manager.nextAction() == nil)
    }

    /// Each failure doubles the wait; a success ends it (Core 5.4, Vol 3 Part H 2.3.6).
    @Test func repeatedAttemptsWaitTwiceAsLongEachTime() {
        let bench = bench(.keyboardOnly, .displayOnly)
        func attempt(_ passkey: UInt32) -> SecurityStatus? {
            bench.central.answers = [.passkey(passkey)]
            bench.peripheral.answers = [.passkey(123_456)]
            #expect(bench.pair())
            return bench.peripheral.ends.last
        }
        for delay in [1, 2, 4, 8] {
            #expect(attempt(0) == .failed(.confirmValueFailed))
            bench.now = bench.now.advanced(by: .milliseconds(delay * 1000 - 1))
            #expect(attempt(123_456) == .failed(.repeatedAttempts))
            bench.now = bench.now.advanced(by: .milliseconds(1))
        }
        #expect(attempt(123_456) == .success)
        #expect(attempt(0) == .failed(.confirmValueFailed))
        bench.now = bench.now.advanced(by: .seconds(1))
        #expect(attempt(123_456) == .success)
    }

    // MARK: NimBLE's behaviour

    /// Accepted by NimBLE, so the sketch must handle it: Just Works although MITM protection was requested.
    @Test func aNimBLEAcceptsJustWorksDespiteItsMITMRequest() {
        var configuration = SecurityConfiguration.full(.displayOnly, conduct: .nimble)
        configuration.requiresAuthentication = true
        configuration.acceptsPairing = false
        configuration.keySizes = 16...16
        let bench = SecurityBench(central: .full(.noInputNoOutput), peripheral: configuration)
        #expect(bench.pair())
        #expect(bench.peripheral.ends == [.success])
        #expect(!bench.peripheral.manager.security.isAuthenticated)
    }

    /// `ble_sm_sc.c`: reported to the peer, reported to the application as a success, and the pairing keeps waiting.
    @Test func aNimBLEReportsSuccessForItsReflectedKeyAndKeepsWaiting() throws {
        let bench = bench(.keyboardOnly, .displayOnly, conduct: .nimble)
        let manager = bench.peripheral.manager
        manager.receive([0x01, 2, 0, 0x0D, 16, 3, 3], now: bench.now)
        bench.run()
        // The next random numbers become the key pair.
        var random = bench.peripheral.random
        let pair = try #require(PairingKeyPair(random: random.bytes(64)))
        manager.receive(([0x0C] + pair.x + pair.y)[...], now: bench.now)
        bench.run()
        #expect(bench.peripheral.sent.last == [0x05, 0x03])
        #expect(bench.peripheral.ends == [.success])
        #expect(!manager.security.isEncrypted)
        #expect(manager.isBusy)
    }

    @Test func aNimBLEWaitsForTheTimeOutAfterARejectedNumber() {
        let bench = bench(.displayYesNo, .displayYesNo, conduct: .nimble)
        bench.peripheral.answers = [.confirm(false)]
        #expect(bench.pair())
        #expect(bench.peripheral.sent.last == [0x05, 0x0C])
        #expect(bench.peripheral.ends.isEmpty)
        #expect(bench.peripheral.manager.isBusy)
        #expect(bench.central.ends == [.failedByPeer(.numericComparisonFailed)])
        bench.peripheral.manager.advance(to: bench.now.advanced(by: .seconds(30)))
        bench.run()
        #expect(bench.peripheral.ends == [.timedOut])
    }

    /// `ble_sm.c`: a truncated PDU is answered depending on its kind, and ends the procedure.
    @Test(
        arguments: [
            ([0x01, 3, 0], nil), ([0x0B], nil), ([0x0C, 1], nil), ([0x02], nil), ([0x05], nil), ([0x0E], nil),
            ([0x03, 1], 8), ([0x04], 8), ([0x0D, 0], 8), ([0x06], 8), ([0x07, 1], 8), ([0x08], 8), ([0x09], 8),
            ([0x0A], 8),
        ] as [([UInt8], UInt8?)])
    func aNimBLEAnswersATruncatedPDUByKindAndEndsTheProcedure(pdu: [UInt8], reason: UInt8?) {
        for isPairing in [false, true] {
            let bench = bench(.keyboardOnly, .displayOnly, conduct: .nimble)
            if isPairing { #expect(bench.pair()) }
            bench.peripheral.sent = []
            bench.peripheral.manager.receive(pdu[...], now: bench.now)
            bench.run()
            #expect(bench.peripheral.sent == (reason.map { [[0x05, $0]] } ?? []))
            let goesOn = isPairing && pdu[0] == 0x0E
            #expect(bench.peripheral.manager.isBusy == goesOn)
            let isSilent = !isPairing || goesOn || pdu[0] == 1 || pdu[0] == 0x0B
            #expect(bench.peripheral.ends == (isSilent ? [] : [.malformedPDU]))
        }
    }

    /// A legacy responder accepts keys in any order, unrequested ones as well.
    @Test func aNimBLEAcceptsKeysInAnyOrder() {
        let bench = bench(.noInputNoOutput, .noInputNoOutput, conduct: .nimble, secureConnections: false)
        var held: [[UInt8]] = []
        bench.central.tamper = { pdu in
            guard (6...10).contains(pdu[0]) else { return pdu }
            held.append(pdu)
            return nil
        }
        #expect(bench.pair())
        #expect(held.count == 5)
        #expect(bench.peripheral.ends.isEmpty)
        for pdu in held.reversed() { bench.peripheral.manager.receive(pdu[...], now: bench.now) }
        bench.run()
        #expect(bench.peripheral.ends == [.success])
        #expect(bench.peripheral.bond?.peerKey == bench.central.bond?.localKey)
    }

    /// PDUs received while the controller draws random numbers are queued, up to a limit.
    @Test func pdusWaitForRandomNumbers() {
        let manager = bench(.keyboardOnly, .noInputNoOutput, conduct: .nimble).peripheral.manager
        manager.receive([0x01, 3, 0, 0x0C, 16, 0, 0], now: .zero)
        #expect(manager.nextAction() == .forgetBond)
        #expect(manager.nextAction() == .send([0x02, 3, 0, 0x0D, 16, 0, 0]))
        #expect(manager.nextAction() == .needsRandom(16))
        for _ in 0..<100 { manager.receive([0x0B, 0], now: .zero) }
        #expect(manager.nextAction() == nil)
        // Bytes other than the requested ones are ignored.
        manager.supply(random: [1, 2, 3], now: .zero)
        #expect(manager.nextAction() == nil)
        manager.supply(random: [UInt8](repeating: 1, count: 16), now: .zero)
        for _ in 0..<16 { #expect(manager.nextAction() == .send([0x05, 0x07])) }
        #expect(manager.nextAction() == nil)
        #expect(!manager.isBusy)
    }

    /// Secure Connections Only: the requests that NimBLE refuses, and those that it reports to its application.
    @Test(
        arguments: [(0x05, 16, 3, true), (0x0D, 15, 6, true), (0x0D, 6, 6, false), (0x05, 17, 10, false)]
            as [(UInt8, UInt8, UInt8, Bool)])
    func aNimBLEWithSecureConnectionsOnlyRefusesWeakerRequests(
        requirements: UInt8, keySize: UInt8, reason: UInt8, isTold: Bool
    ) {
        let bench = bench(.keyboardOnly, .displayOnly, conduct: .nimble)
        bench.peripheral.manager.configuration.secureConnectionsOnly = true
        bench.peripheral.manager.receive([0x01, 2, 0, requirements, keySize, 3, 3], now: bench.now)
        bench.run()
        #expect(bench.peripheral.sent == [[0x05, reason]])
        #expect(bench.peripheral.ends == (isTold ? [.failed(SMPFailureReason(rawValue: reason))] : []))
        #expect(!bench.peripheral.manager.isBusy)
    }

    /// Unexpected encryption ends a pairing: NimBLE reports a success to its application.
    @Test(arguments: [HostBehaviour.nimble, .specification])
    func anUnexpectedEncryptionChangeEndsThePairing(conduct: HostBehaviour) {
        let bench = bench(.keyboardOnly, .displayOnly, conduct: conduct)
        #expect(bench.pair())
        bench.peripheral.manager.encryptionChanged(.success, isEncrypted: true, now: bench.now)
        bench.run()
        #expect(bench.peripheral.sent.last == [0x05, 0x08])
        #expect(bench.peripheral.ends == [conduct == .nimble ? .success : .failed(.unspecifiedReason)])
        #expect(bench.peripheral.bond == nil)
        #expect(!bench.peripheral.manager.isBusy)
    }
}
