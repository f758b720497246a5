import BLECore
import BLEHost
import BLEPackets
import MonotonicTime
import Testing

/// Every failure reason of this side (Core 5.4, Vol 3 Part H 3.5.5), with the specification's behaviour.
@Suite struct PairingFailureTests {
    /// The refusing side sends the reason, and the other one reports it.
    private func expect(
        _ reason: SMPFailureReason, by refusing: SecurityBench.Side, to other: SecurityBench.Side,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(refusing.ends == [.failed(reason)], sourceLocation: location)
        #expect(refusing.sent.last == [0x05, reason.rawValue], sourceLocation: location)
        #expect(other.ends == [.failedByPeer(reason)], sourceLocation: location)
        for side in [refusing, other] {
            #expect(!side.manager.isBusy, sourceLocation: location)
            #expect(!side.manager.security.isEncrypted, sourceLocation: location)
            #expect(side.bond == nil, sourceLocation: location)
        }
    }

    private func bench(
        _ central: IOCapability = .noInputNoOutput, _ peripheral: IOCapability = .noInputNoOutput,
        secureConnections: Bool = true
    ) -> SecurityBench {
        SecurityBench(
            central: .full(central, secureConnections: secureConnections),
            peripheral: .full(peripheral, secureConnections: secureConnections))
    }

    // MARK: 01, 02 and 0C: the user

    @Test(arguments: [true, false], [true, false])
    func aCancelledPasskeyEntryFailsThePairing(centralGivesUp: Bool, secureConnections: Bool) {
        let bench = bench(.keyboardOnly, .displayOnly, secureConnections: secureConnections)
        let (one, other) = centralGivesUp ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        one.answers = [.cancel]
        other.answers = [.passkey(1)]
        #expect(bench.pair())
        expect(.passkeyEntryFailed, by: one, to: other)
    }

    @Test func aMissingOutOfBandAnswerFailsThePairing() {
        let bench = bench()
        bench.central.manager.configuration.hasOutOfBandData = true
        bench.central.answers = [.cancel]
        #expect(bench.pair())
        expect(.outOfBandNotAvailable, by: bench.central, to: bench.peripheral)
    }

    @Test func announcedOutOfBandDataThatIsMissingFailsThePairing() {
        let bench = bench()
        bench.central.manager.configuration.hasOutOfBandData = true
        bench.central.answers = [.outOfBand(local: nil, remote: nil)]
        #expect(bench.pair())
        expect(.outOfBandNotAvailable, by: bench.central, to: bench.peripheral)
    }

    @Test(arguments: [PairingAnswer.confirm(false), .cancel], [true, false])
    func aRejectedNumericComparisonFailsThePairing(answer: PairingAnswer, centralRefuses: Bool) {
        let bench = bench(.displayYesNo, .displayYesNo)
        let (one, other) = centralRefuses ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        one.answers = [answer]
        #expect(bench.pair())
        expect(.numericComparisonFailed, by: one, to: other)
    }

    @Test func answersToOtherRequestsAreNotAccepted() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(!bench.central.manager.answer(.passkey(1), now: bench.now))
        #expect(bench.pair())
        for answer in [
            PairingAnswer.confirm(true), .passkey(1_000_000), .temporaryKey([]),
            .outOfBand(local: nil, remote: nil),
        ] {
            #expect(!bench.central.manager.answer(answer, now: bench.now))
        }
        #expect(bench.central.manager.answer(.passkey(999_999), now: bench.now))
    }

    // MARK: 03, 05, 06 and 0A: the features

    @Test(arguments: [true, false]) func justWorksIsRefusedWhenMITMIsRequired(centralDemands: Bool) {
        let bench = bench()
        let (one, other) = centralDemands ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        one.manager.configuration.requiresAuthentication = true
        #expect(bench.pair())
        expect(.authenticationRequirements, by: one, to: other)
    }

    @Test(arguments: [true, false]) func legacyPairingIsRefusedInSecureConnectionsOnly(centralDemands: Bool) {
        let bench = bench()
        let (one, other) = centralDemands ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        one.manager.configuration.secureConnectionsOnly = true
        other.manager.configuration.secureConnections = false
        #expect(bench.pair())
        expect(.authenticationRequirements, by: one, to: other)
    }

    @Test func pairingRequestsAreRefusedIfNotAccepted() {
        let bench = bench()
        bench.peripheral.manager.configuration.acceptsPairing = false
        #expect(bench.pair())
        expect(.pairingNotSupported, by: bench.peripheral, to: bench.central)
    }

    @Test(arguments: [true, false]) func aTooShortMaximumKeySizeIsRefused(centralDemands: Bool) {
        let bench = bench()
        let (one, other) = centralDemands ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        one.manager.configuration.keySizes = 16...16
        other.manager.configuration.keySizes = 7...15
        #expect(bench.pair())
        expect(.encryptionKeySize, by: one, to: other)
    }

    /// Byte of Pairing Request or Response, its value, the reason.
    private static let impossibleFeatures: [(Int, UInt8, SMPFailureReason)] = [
        (1, 5, .invalidParameters), (2, 2, .invalidParameters), (4, 6, .encryptionKeySize),
        (4, 17, .invalidParameters),
    ]

    @Test(arguments: Self.impossibleFeatures) func invalidPairingRequestsAreRefused(
        byte: Int, value: UInt8, reason: SMPFailureReason
    ) {
        let bench = bench()
        bench.central.tamper = { $0[0] == 1 ? replacing(byte, in: $0, by: value) : $0 }
        #expect(bench.pair())
        expect(reason, by: bench.peripheral, to: bench.central)
    }

    @Test(arguments: Self.impossibleFeatures) func invalidPairingResponsesAreRefused(
        byte: Int, value: UInt8, reason: SMPFailureReason
    ) {
        let bench = bench()
        bench.peripheral.tamper = { $0[0] == 2 ? replacing(byte, in: $0, by: value) : $0 }
        #expect(bench.pair())
        expect(reason, by: bench.central, to: bench.peripheral)
    }

    @Test(arguments: [5, 6]) func aResponseWithUnrequestedKeysIsRefused(byte: Int) {
        let bench = bench()
        bench.peripheral.tamper = { $0[0] == 2 ? replacing(byte, in: $0, by: 0x0F) : $0 }
        #expect(bench.pair())
        expect(.invalidParameters, by: bench.central, to: bench.peripheral)
    }

    /// Every PDU of a pairing, without its last byte.
    @Test(arguments: [1, 2, 3, 4, 0x0C, 0x0D, 8, 9, 10] as [UInt8]) func everyTruncatedPDUFailsThePairing(opcode: UInt8)
    {
        let bench = bench()
        for side in [bench.central, bench.peripheral] {
            side.tamper = { $0[0] == opcode ? $0.dropLast() : $0 }
        }
        #expect(bench.pair())
        let refusing = [bench.central, bench.peripheral].filter { $0.sent.last == [0x05, 0x0A] }
        #expect(refusing.count == 1)
        // A truncated request is refused before a procedure begins.
        #expect(refusing.first?.ends == (opcode == 1 ? [] : [.failed(.invalidParameters)]))
        #expect(!bench.central.manager.isBusy)
        #expect(!bench.peripheral.manager.isBusy)
    }

    // MARK: 04 and 0B: the values

    @Test(arguments: [true, false]) func aWrongPasskeyFailsThePairing(secureConnections: Bool) {
        let bench = bench(.keyboardOnly, .displayOnly, secureConnections: secureConnections)
        bench.central.answers = [.passkey(123_456)]
        bench.peripheral.answers = [.passkey(123_457)]
        #expect(bench.pair())
        expect(.confirmValueFailed, by: bench.peripheral, to: bench.central)
    }

    /// The last bit is compared like the first.
    @Test func aPasskeyThatDiffersInTheLastBitFails() {
        let bench = bench(.keyboardOnly, .displayOnly)
        bench.central.answers = [.passkey(0)]
        bench.peripheral.answers = [.passkey(1 << 19)]
        #expect(bench.pair())
        expect(.confirmValueFailed, by: bench.peripheral, to: bench.central)
        #expect(bench.central.sent.count { $0[0] == 3 } == 20)
    }

    @Test(arguments: [true, false], [true, false])
    func anUncommittedRandomNumberFails(secureConnections: Bool, ofCentral: Bool) {
        let bench = bench(.keyboardOnly, .displayOnly, secureConnections: secureConnections)
        bench.central.answers = [.passkey(5)]
        bench.peripheral.answers = [.passkey(5)]
        let (one, other) = ofCentral ? (bench.peripheral, bench.central) : (bench.central, bench.peripheral)
        other.tamper = { $0[0] == 4 ? replacing(1, in: $0, by: $0[1] ^ 1) : $0 }
        #expect(bench.pair())
        expect(.confirmValueFailed, by: one, to: other)
    }

    @Test func outOfBandDataOfAnotherDeviceFails() throws {
        let bench = bench()
        bench.central.manager.configuration.hasOutOfBandData = true
        let random = bench.central.random.bytes(SecurityContext.outOfBandRandomByteCount)
        let foreign = try #require(bench.central.context.makeOutOfBandValue(random: random))
        bench.central.answers = [.outOfBand(local: nil, remote: foreign)]
        #expect(bench.pair())
        expect(.confirmValueFailed, by: bench.central, to: bench.peripheral)
    }

    @Test(arguments: [true, false]) func aWrongDHKeyCheckFails(ofCentral: Bool) {
        let bench = bench()
        let (one, other) = ofCentral ? (bench.peripheral, bench.central) : (bench.central, bench.peripheral)
        other.tamper = { $0[0] == 0x0D ? replacing(16, in: $0, by: $0[16] ^ 0x80) : $0 }
        #expect(bench.pair())
        expect(.dhKeyCheckFailed, by: one, to: other)
    }

    @Test(arguments: [true, false]) func aPublicKeyOffTheCurveFails(ofCentral: Bool) {
        let bench = bench()
        let (one, other) = ofCentral ? (bench.peripheral, bench.central) : (bench.central, bench.peripheral)
        other.tamper = { $0[0] == 0x0C ? replacing(64, in: $0, by: $0[64] ^ 1) : $0 }
        #expect(bench.pair())
        expect(.dhKeyCheckFailed, by: one, to: other)
    }

    // MARK: 07, 08 and 0F: PDUs

    @Test func aPeripheralRefusesASecurityRequest() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        bench.peripheral.manager.receive([0x0B, 0x00], now: bench.now)
        bench.run()
        expect(.commandNotSupported, by: bench.peripheral, to: bench.central)
    }

    @Test func aCentralRefusesAPairingRequest() {
        let bench = bench()
        bench.central.manager.receive([0x01, 3, 0, 0x0D, 16, 3, 3], now: bench.now)
        bench.run()
        #expect(bench.central.sent == [[0x05, 0x07]])
        #expect(!bench.central.manager.isBusy)
    }

    @Test(arguments: [1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13] as [UInt8], [true, false])
    func anUnexpectedPDUFailsThePairing(opcode: UInt8, toCentral: Bool) throws {
        // Both wait for their users: nothing but Keypress Notifications may come.
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        let (one, other) = toCentral ? (bench.central, bench.peripheral) : (bench.peripheral, bench.central)
        if opcode == 3, !toCentral { return }
        let pdu = try #require(Self.anyPDU(opcode))
        one.manager.receive(pdu[...], now: bench.now)
        bench.run()
        expect(.unspecifiedReason, by: one, to: other)
    }

    /// One of right length.
    static func anyPDU(_ opcode: UInt8) -> [UInt8]? {
        let length = [1: 7, 2: 7, 3: 17, 4: 17, 6: 17, 7: 11, 8: 17, 9: 8, 10: 17, 12: 65, 13: 17][opcode]
        return length.map { [opcode] + [UInt8](repeating: opcode == 1 || opcode == 2 ? 3 : 0, count: $0 - 1) }
    }

    @Test func keypressNotificationsAreAcceptedAndReservedOnesRefused() {
        let bench = bench(.keyboardOnly, .displayOnly)
        #expect(bench.pair())
        for kind: UInt8 in 0...4 {
            bench.peripheral.manager.receive([0x0E, kind], now: bench.now)
            bench.run()
            #expect(bench.peripheral.manager.isBusy)
        }
        bench.peripheral.manager.receive([0x0E, 5], now: bench.now)
        bench.run()
        expect(.invalidParameters, by: bench.peripheral, to: bench.central)
    }

    @Test(arguments: [0x4000_0000_0001, 0x8000_0000_0001, 0x0000_0000_0001] as [UInt64])
    func aReservedIdentityAddressTypeIsRefused(value: UInt64) {
        let bench = bench()
        bench.peripheral.context.identity.address = DeviceAddress(value, .random)
        #expect(bench.pair())
        #expect(bench.central.ends == [.failed(.keyRejected)])
        #expect(bench.peripheral.ends == [.failedByPeer(.keyRejected)])
        #expect(bench.central.bond == nil)
        #expect(bench.peripheral.bond == nil)
    }

    @Test func keysInAnotherOrderFailThePairing() {
        let bench = bench()
        var held: [[UInt8]] = []
        bench.peripheral.tamper = { pdu in
            guard pdu[0] == 8 else { return pdu }
            held.append(pdu)
            return nil
        }
        #expect(bench.pair())
        #expect(held.count == 1)
        #expect(bench.central.ends == [.failed(.unspecifiedReason)])
    }
}

private func replacing(_ index: Int, in bytes: [UInt8], by value: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[index] = value
    return bytes
}
