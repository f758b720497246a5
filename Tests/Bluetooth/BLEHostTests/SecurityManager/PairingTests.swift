import BLECore
import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// Pairings of two Security Managers, in every way that leads to an encrypted link.
@Suite struct PairingTests {
    private static let capabilities: [IOCapability] = [
        .displayOnly, .displayYesNo, .keyboardOnly, .noInputNoOutput, .keyboardDisplay,
    ]

    /// Each side's answer to any request.
    private func pair(_ bench: SecurityBench, passkey: UInt32 = 73_911) -> Bool {
        guard bench.central.manager.pair(now: bench.now) else { return false }
        bench.run()
        for _ in 0..<4 {
            for side in [bench.central, bench.peripheral] {
                guard let input = side.inputs.popLast() else { continue }
                let answer: PairingAnswer =
                    if case .compareNumbers = input { .confirm(true) } else { .passkey(passkey) }
                #expect(side.manager.answer(answer, now: bench.now))
                #expect(!side.manager.answer(answer, now: bench.now), "answered twice")
                bench.run()
            }
        }
        return true
    }

    @Test(
        arguments: [HostBehaviour.nimble, .specification], [false, true])
    func everyPairOfCapabilitiesEndsInABond(conduct: HostBehaviour, isSecureConnections: Bool) {
        for initiator in Self.capabilities {
            for responder in Self.capabilities {
                let bench = SecurityBench(
                    central: .full(initiator, secureConnections: isSecureConnections),
                    peripheral: .full(responder, conduct: conduct, secureConnections: isSecureConnections))
                #expect(pair(bench))
                let isAuthenticated =
                    initiator != .noInputNoOutput && responder != .noInputNoOutput
                    && canExchange(initiator, responder, isSecureConnections)
                let expected = LinkSecurity(
                    isEncrypted: true, isAuthenticated: isAuthenticated, isBonded: true, keySize: 16)
                for side in [bench.central, bench.peripheral] {
                    #expect(side.ends == [.success], "\(initiator.rawValue) \(responder.rawValue)")
                    #expect(side.manager.security == expected, "\(initiator.rawValue) \(responder.rawValue)")
                    #expect(!side.manager.isBusy)
                    #expect(side.manager.nextDeadline == nil)
                }
                checkBonds(bench, isSecureConnections: isSecureConnections, isAuthenticated: isAuthenticated)
            }
        }
    }

    /// A passkey needs a keyboard, a numeric comparison two displays with yes and no.
    private func canExchange(_ one: IOCapability, _ other: IOCapability, _ isSecureConnections: Bool) -> Bool {
        let keyboards: Set<IOCapability> = [.keyboardOnly, .keyboardDisplay]
        if keyboards.contains(one) || keyboards.contains(other) { return true }
        return isSecureConnections && one == .displayYesNo && other == .displayYesNo
    }

    private func checkBonds(_ bench: SecurityBench, isSecureConnections: Bool, isAuthenticated: Bool) {
        let (ours, theirs) = (bench.central.bond, bench.peripheral.bond)
        #expect(ours?.peer == SecurityBench.peripheralAddress)
        #expect(theirs?.peer == SecurityBench.centralAddress)
        #expect(ours?.peerIRK == bench.peripheral.context.identity.irk)
        #expect(theirs?.peerIRK == bench.central.context.identity.irk)
        #expect(ours?.peerCSRK != nil)
        #expect(ours?.peerCSRK == theirs?.localCSRK)
        #expect(ours?.localCSRK == theirs?.peerCSRK)
        // The central's key is the peripheral's.
        #expect(ours?.peerKey != nil)
        #expect(ours?.peerKey == theirs?.localKey)
        #expect(ours?.localKey == theirs?.peerKey)
        #expect(ours?.peerKey?.isSecureConnections == isSecureConnections)
        #expect(ours?.peerKey?.isAuthenticated == isAuthenticated)
        #expect((ours?.peerKey == ours?.localKey) == isSecureConnections)
        #expect((ours?.peerKey?.rand == 0) == isSecureConnections)
    }

    @Test func bothUsersCompareTheSameNumber() throws {
        let bench = SecurityBench(central: .full(.displayYesNo), peripheral: .full(.keyboardDisplay))
        #expect(bench.pair())
        let number = try #require(bench.central.inputs.first)
        #expect(bench.peripheral.inputs == [number])
        guard case .compareNumbers(let value) = number else {
            Issue.record("\(number)")
            return
        }
        #expect(value < 1_000_000)
        // The side that answers first waits for the other.
        #expect(bench.peripheral.manager.answer(.confirm(true), now: bench.now))
        bench.run()
        #expect(bench.peripheral.ends.isEmpty)
        #expect(bench.central.manager.answer(.confirm(true), now: bench.now))
        bench.run()
        #expect(bench.central.ends == [.success])
        #expect(bench.peripheral.ends == [.success])
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func noBondIsStoredUnlessBothSidesBond(central: Bool, peripheral: Bool) {
        var configurations = [SecurityConfiguration.full(.noInputNoOutput), .full(.noInputNoOutput)]
        configurations[0].bonding = central
        configurations[1].bonding = peripheral
        let bench = SecurityBench(central: configurations[0], peripheral: configurations[1])
        #expect(bench.pair())
        #expect(bench.central.ends == [.success])
        #expect(bench.central.manager.security.isEncrypted)
        #expect(!bench.central.manager.security.isBonded)
        #expect(!bench.peripheral.manager.security.isBonded)
        #expect(bench.central.bond == nil)
        #expect(bench.peripheral.bond == nil)
    }

    @Test(arguments: [7, 11, 16]) func theSmallerKeySizeIsUsed(size: Int) {
        var short = SecurityConfiguration.full(.noInputNoOutput, secureConnections: false)
        short.keySizes = 7...size
        for isCentral in [true, false] {
            let long = SecurityConfiguration.full(.noInputNoOutput, secureConnections: false)
            let bench = SecurityBench(central: isCentral ? short : long, peripheral: isCentral ? long : short)
            #expect(bench.pair())
            #expect(bench.central.manager.security.keySize == size)
            let key = bench.central.bond?.peerKey
            #expect(key?.size == size)
            #expect(key?.value.count == 16)
            #expect(key?.value.dropFirst(size).allSatisfy { $0 == 0 } == true)
            #expect(key?.value.prefix(size).contains { $0 != 0 } == true)
        }
    }

    @Test func theBondHasTheIdentityAddress() {
        // NimBLE believes a peer on a static address, too.
        let bench = SecurityBench(
            central: .full(.noInputNoOutput), peripheral: .full(.noInputNoOutput, conduct: .nimble))
        let identity = DeviceAddress(0xDEAD_BEEF_0001, .random)
        bench.central.context.identity.address = identity
        #expect(bench.pair())
        #expect(bench.peripheral.bond?.peer == identity)
    }

    @Test func withoutIdentityKeysTheBondHasTheLinksAddress() {
        let keys: SMPKeyDistribution = [.encryptionKey]
        let bench = SecurityBench(
            central: .full(.noInputNoOutput, keys: keys), peripheral: .full(.noInputNoOutput, keys: keys))
        let known = DeviceAddress(0x0000_0000_0042, .public)
        bench.peripheral.manager.peerIdentity = known
        #expect(bench.pair())
        #expect(bench.peripheral.bond?.peer == known)
        #expect(bench.peripheral.bond?.peerIRK == nil)
    }

    // MARK: Out of band

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func outOfBandDataOfOneOrBothSidesAuthenticates(centralHas: Bool, peripheralHas: Bool) throws {
        var configurations = [SecurityConfiguration.full(.noInputNoOutput), .full(.noInputNoOutput)]
        configurations[0].hasOutOfBandData = centralHas
        configurations[1].hasOutOfBandData = peripheralHas
        let bench = SecurityBench(central: configurations[0], peripheral: configurations[1])
        let count = SecurityContext.outOfBandRandomByteCount
        let random = (bench.central.random.bytes(count), bench.peripheral.random.bytes(count))
        let centrals = try #require(bench.central.context.makeOutOfBandValue(random: random.0))
        let peripherals = try #require(bench.peripheral.context.makeOutOfBandValue(random: random.1))
        bench.central.answers = [
            .outOfBand(local: centrals, remote: centralHas ? peripherals : nil)
        ]
        bench.peripheral.answers = [
            .outOfBand(local: peripherals, remote: peripheralHas ? centrals : nil)
        ]
        #expect(bench.pair())
        #expect(bench.central.ends == [.success])
        #expect(bench.peripheral.ends == [.success])
        #expect(bench.central.manager.security.isAuthenticated)
    }

    @Test func aTemporaryKeyOutOfBandAuthenticatesLegacyPairing() {
        var configuration = SecurityConfiguration.full(.noInputNoOutput, secureConnections: false)
        configuration.hasOutOfBandData = true
        let bench = SecurityBench(central: configuration, peripheral: configuration)
        let key = (0..<16).map { UInt8($0) }
        bench.central.answers = [.temporaryKey(key)]
        bench.peripheral.answers = [.temporaryKey(key)]
        #expect(bench.pair())
        #expect(bench.central.ends == [.success])
        #expect(bench.peripheral.manager.security.isAuthenticated)
    }

    // MARK: Key pairs

    /// By the specification each pairing has a new key pair; NimBLE keeps one.
    @Test(arguments: [HostBehaviour.nimble, .specification])
    func keyPairsAreReusedInNimBLEOnly(conduct: HostBehaviour) {
        let bench = SecurityBench(
            central: .full(.noInputNoOutput), peripheral: .full(.noInputNoOutput, conduct: conduct))
        #expect(bench.pair())
        #expect(bench.pair())
        func keys(_ side: SecurityBench.Side) -> Set<[UInt8]> { Set(side.sent.filter { $0[0] == 0x0C }) }
        #expect(keys(bench.central).count == 2)
        #expect(keys(bench.peripheral).count == (conduct == .nimble ? 1 : 2))
    }

    @Test func theSameSeedGivesTheSamePDUs() {
        let runs = (0..<2).map { _ in
            let bench = SecurityBench(central: .full(.noInputNoOutput), peripheral: .full(.noInputNoOutput), seed: 9)
            #expect(bench.pair())
            return bench.central.sent + bench.peripheral.sent
        }
        #expect(runs[0] == runs[1])
    }
}
