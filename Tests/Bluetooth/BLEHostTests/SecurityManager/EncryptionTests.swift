import BLECore
import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// Encryption with keys of earlier pairings, and Security Requests.
@Suite struct EncryptionTests {
    private func bonded(
        _ conduct: HostBehaviour = .nimble, secureConnections: Bool = true
    ) -> SecurityBench {
        let bench = SecurityBench(
            central: .full(.noInputNoOutput, secureConnections: secureConnections),
            peripheral: .full(.noInputNoOutput, conduct: conduct, secureConnections: secureConnections))
        #expect(bench.pair())
        bench.central.ends = []
        bench.peripheral.ends = []
        bench.peripheral.sent = []
        return bench
    }

    @Test(arguments: [true, false]) func aBondsKeyEncryptsTheLink(secureConnections: Bool) throws {
        let bench = bonded(secureConnections: secureConnections)
        let key = try #require(bench.central.bond?.peerKey)
        #expect(bench.central.manager.encrypt(with: key, now: bench.now))
        #expect(!bench.central.manager.encrypt(with: key, now: bench.now), "one at a time")
        bench.run()
        #expect(bench.central.ends == [.success])
        #expect(bench.peripheral.ends == [.success])
        #expect(bench.peripheral.manager.security.isBonded)
    }

    @Test func anUnknownEDIVOrRandHasNoKey() throws {
        let bench = bonded(.specification, secureConnections: false)
        var key = try #require(bench.central.bond?.peerKey)
        key.ediv ^= 1
        #expect(bench.central.manager.encrypt(with: key, now: bench.now))
        bench.run()
        #expect(bench.central.ends == [.controller(.pinOrKeyMissing)])
        #expect(bench.peripheral.ends.isEmpty)
        #expect(!bench.peripheral.manager.isBusy)
    }

    @Test func aDeletedBondIsAMissingKey() throws {
        let bench = bonded()
        bench.peripheral.bond = nil
        let key = try #require(bench.central.bond?.peerKey)
        #expect(bench.central.manager.encrypt(with: key, now: bench.now))
        bench.run()
        #expect(bench.central.ends == [.controller(.pinOrKeyMissing)])
        #expect(bench.central.bond != nil)
    }

    @Test func aWrongKeyFailsAtTheController() throws {
        let bench = bonded()
        var key = try #require(bench.central.bond?.peerKey)
        key.value[3] ^= 1
        #expect(bench.central.manager.encrypt(with: key, now: bench.now))
        bench.run()
        #expect(bench.central.ends == [.controller(.terminatedDueToMICFailure)])
        #expect(bench.peripheral.ends == [.controller(.terminatedDueToMICFailure)])
    }

    /// In NimBLE a link never loses its authentication; by the specification its security is that of its key.
    @Test(arguments: [HostBehaviour.nimble, .specification])
    func encryptingWithAWeakerKeyChangesTheSecurityExceptInNimBLE(conduct: HostBehaviour) {
        let bench = SecurityBench(
            central: .full(.keyboardOnly), peripheral: .full(.displayOnly, conduct: conduct))
        bench.central.answers = [.passkey(1)]
        bench.peripheral.answers = [.passkey(1)]
        #expect(bench.pair())
        #expect(bench.peripheral.manager.security.isAuthenticated)
        bench.central.manager.configuration.ioCapability = .noInputNoOutput
        #expect(bench.pair())
        #expect(bench.peripheral.ends == [.success, .success])
        #expect(bench.peripheral.manager.security.isAuthenticated == (conduct == .nimble))
        #expect(!bench.central.manager.security.isAuthenticated)
    }

    // MARK: Security Requests

    @Test func aSecurityRequestReachesTheCentralsOwner() throws {
        let bench = bonded()
        #expect(bench.peripheral.manager.requestSecurity(now: bench.now))
        #expect(!bench.peripheral.manager.requestSecurity(now: bench.now), "one at a time")
        bench.run()
        #expect(bench.peripheral.sent == [[0x0B, 0x0D]])
        #expect(bench.central.actions.last == .securityRequested([.bonding, .mitm, .secureConnections]))
        // The central may encrypt …
        #expect(bench.central.manager.encrypt(with: try #require(bench.central.bond?.peerKey), now: bench.now))
        bench.run()
        #expect(bench.peripheral.ends == [.success])
        // … or pair.
        #expect(bench.peripheral.manager.requestSecurity(now: bench.now))
        bench.run()
        #expect(bench.pair())
        #expect(bench.peripheral.ends == [.success, .success])
    }

    @Test func aSecurityRequestDuringAPairingIsIgnored() {
        let bench = SecurityBench(central: .full(.keyboardOnly), peripheral: .full(.displayOnly))
        #expect(bench.pair())
        bench.central.manager.receive([0x0B, 0x0D], now: bench.now)
        bench.run()
        #expect(!bench.central.actions.contains { if case .securityRequested = $0 { true } else { false } })
        #expect(bench.central.manager.isBusy)
    }

    @Test func encryptAndSecurityRequestDependOnTheRole() {
        let bench = SecurityBench(central: .full(.keyboardOnly), peripheral: .full(.displayOnly))
        #expect(!bench.central.manager.requestSecurity(now: bench.now))
        #expect(!bench.peripheral.manager.pair(now: bench.now))
        let key = LongTermKey(
            value: [UInt8](repeating: 1, count: 16), isAuthenticated: true, isSecureConnections: true)
        #expect(!bench.peripheral.manager.encrypt(with: key, now: bench.now))
    }

    /// The peer has lost the key: a NimBLE peripheral sends another Security Request.
    @Test func aNimBLEPeripheralRequestsSecurityAgainWhenTheKeyIsMissing() throws {
        let bench = bonded()
        let manager = bench.peripheral.manager
        let key = try #require(bench.peripheral.bond?.localKey)
        manager.longTermKeyRequested(ediv: 0, rand: 0, bonded: key, now: bench.now)
        #expect(manager.nextAction() == .replyLongTermKey(key.value))
        manager.encryptionChanged(.pinOrKeyMissing, isEncrypted: false, now: bench.now)
        #expect(manager.nextAction() == .send([0x0B, 0x0D]))
        #expect(manager.nextAction() == nil)
    }

    /// NimBLE supports one procedure on all its links; a second peer gets no answer.
    @Test func aBusyNimBLEDoesNotAnswerASecondPeer() {
        let bench = SecurityBench(central: .full(.keyboardOnly), peripheral: .full(.displayOnly, conduct: .nimble))
        #expect(bench.pair())
        let second = SecurityManager(
            isCentral: false, local: SecurityBench.peripheralAddress, peer: DeviceAddress(7, .public),
            configuration: .full(.displayOnly, conduct: .nimble), context: bench.peripheral.context)
        second.receive([0x01, 0x03, 0x00, 0x0D, 0x10, 0x03, 0x03], now: bench.now)
        #expect(sent(second).isEmpty)
        second.longTermKeyRequested(ediv: 0, rand: 0, bonded: nil, now: bench.now)
        #expect(second.nextAction() == nil)
        bench.peripheral.manager.disconnected()
        second.receive([0x01, 0x03, 0x00, 0x0D, 0x10, 0x03, 0x03], now: bench.now)
        #expect(sent(second) == [[0x02, 0x00, 0x00, 0x0D, 0x10, 0x03, 0x03]])
    }

    private func sent(_ manager: SecurityManager) -> [[UInt8]] {
        var sent: [[UInt8]] = []
        while let action = manager.nextAction() {
            if case .send(let pdu) = action { sent.append(pdu) }
        }
        return sent
    }
}
