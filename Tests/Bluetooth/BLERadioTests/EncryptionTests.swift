import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import Crypto
import MonotonicTime
import Testing

@Suite struct EncryptionTests {
    let bench = AirBench()
    let central: ControllerID
    let board: ControllerID

    init() throws {
        central = bench.add()
        board = bench.add()
        try bench.connect(central, board, timeout: 400)
    }

    static let key = LinkCipherTests.longTermKey

    private func request(_ key: [UInt8] = key, handle: UInt16 = 0) -> HCILEEnableEncryption {
        HCILEEnableEncryption(
            handle: handle, randomNumber: 0xABCD_EF12_3456_7890, encryptedDiversifier: 0x2474, longTermKey: key[...])
    }

    /// Begins encryption; the board's host receives the key request.
    private func askForKey(_ key: [UInt8] = key) throws {
        #expect(try bench.status(request(key), from: central) == .success)
        bench.run(for: .milliseconds(31))
        #expect(
            try bench.take(HCILELongTermKeyRequest.self, board)
                == [
                    HCILELongTermKeyRequest(
                        handle: 0, randomNumber: 0xABCD_EF12_3456_7890, encryptedDiversifier: 0x2474)
                ])
    }

    private func reply(_ key: [UInt8] = key) throws {
        let reply = HCILELongTermKeyRequestReply(handle: 0, longTermKey: key[...])
        #expect(try bench.answer(reply, from: board) == .init(status: .success, handle: 0))
        bench.run(for: .milliseconds(61))
    }

    private func encrypt() throws {
        try askForKey()
        try reply()
        #expect(try bench.take(HCIEncryptionChange.self, central).map(\.encryptionEnabled) == [1])
        #expect(try bench.take(HCIEncryptionChange.self, board).map(\.status) == [.success])
    }

    private func expectData(_ text: [UInt8], from sender: ControllerID, to receiver: ControllerID) throws {
        _ = bench.take(receiver)
        bench.sendACL(text, from: sender)
        bench.run(for: .milliseconds(200))
        #expect(try bench.drainACL(receiver).map(\.payload) == [text])
    }

    // MARK: Starting

    @Test func bothHostsReceiveEncryptionChange() throws {
        try askForKey()
        #expect(bench.take(central).isEmpty)
        try reply()
        let expected = [HCIEncryptionChange(status: .success, handle: 0, encryptionEnabled: 1)]
        #expect(try bench.take(HCIEncryptionChange.self, central) == expected)
        #expect(try bench.take(HCIEncryptionChange.self, board) == expected)
        // Short, one PDU, and several PDUs of 27 bytes; each counted at both ends.
        for text in [[1], Array(0...26), Array(0...250)] as [[UInt8]] {
            try expectData(text, from: central, to: board)
            try expectData(text, from: board, to: central)
        }
    }

    @Test func dataOfBothSidesWaitsForTheLongTermKeyReply() throws {
        bench.sendACL([1], from: central)
        bench.sendACL([2], from: board)
        try askForKey()
        // Data queued before were sent first, unencrypted.
        #expect(try bench.drainACL(central).map(\.payload) == [[2]])
        bench.sendACL([3], from: central)
        bench.sendACL([4], from: board)
        // Only the procedure's time-out occurs.
        #expect(try bench.now.duration(to: #require(bench.air.nextDeadline)) > .seconds(30))
        bench.run(for: .seconds(5))
        #expect(bench.take(central).isEmpty)
        #expect(bench.take(board).isEmpty)
        try reply()
        // The event is reported before the queued data.
        let atBoard = bench.take(board)
        #expect(atBoard.compactMap { $0.kind == .acl ? $0.bytes[4] : nil } == [3])
        #expect(atBoard.first?.bytes[0] == HCIEventCode.encryptionChange.rawValue)
        let atCentral = bench.take(central)
        #expect(atCentral.compactMap { $0.kind == .acl ? $0.bytes[4] : nil } == [4])
        #expect(atCentral.first?.bytes[0] == HCIEventCode.encryptionChange.rawValue)
    }

    /// The board cannot decrypt LL_START_ENC_RSP and disconnects; the central receives nothing more.
    @Test func aWrongKeyIsAMICFailureAtTheBoard() throws {
        try askForKey()
        var wrong = Self.key
        wrong[7] ^= 1
        try reply(wrong)
        #expect(try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.terminatedDueToMICFailure])
        #expect(bench.take(central).isEmpty)
        bench.run(for: .seconds(5))
        let packets = bench.take(central)
        #expect(packets.count == 1)
        #expect(
            packets.first
                == HCIDisconnectionComplete(status: .success, handle: 0, reason: .connectionTimeout).packet)
    }

    @Test func withoutAKeyTheLinkContinuesUnencrypted() throws {
        try askForKey()
        bench.sendACL([9], from: central)
        #expect(try bench.answer(HCILELongTermKeyRequestNegativeReply(handle: 0), from: board).status == .success)
        bench.run(for: .milliseconds(61))
        #expect(try bench.drainACL(board).map(\.payload) == [[9]])
        #expect(
            try bench.take(HCIEncryptionChange.self, central)
                == [HCIEncryptionChange(status: .pinOrKeyMissing, handle: 0, encryptionEnabled: 0)])
        try expectData([7], from: board, to: central)
        try encrypt()
        try expectData([8], from: central, to: board)
    }

    @Test func aHostThatMasksTheRequestHasNoKey() throws {
        bench.send(HCILESetEventMask(mask: 0x0F), from: board)
        bench.send(request(), from: central)
        bench.run(for: .milliseconds(61))
        #expect(try bench.take(HCIEncryptionChange.self, central).map(\.status) == [.pinOrKeyMissing])
        #expect(try bench.take(HCILELongTermKeyRequest.self, board).isEmpty)
    }

    @Test func encryptionEventsCanBeMasked() throws {
        bench.send(HCISetEventMask(mask: 0x3DBF_7807_FFFB_FFFF & ~0x80), from: central)
        try askForKey()
        try reply()
        #expect(bench.take(central).isEmpty)
        #expect(try bench.take(HCIEncryptionChange.self, board).count == 1)
        try askForKey()
        try reply()
        #expect(bench.take(central).isEmpty)
        #expect(try bench.take(HCIEncryptionKeyRefreshComplete.self, board).count == 1)
    }

    @Test func aPeerWithoutEncryptionRejectsTheRequest() throws {
        var old = ControllerPersonality.esp32
        old.leFeatures &= ~1
        let peer = bench.add(old)
        try bench.advertise(peer)
        bench.send(AirBench.connection(to: AirBench.address(2)), from: central)
        bench.run(for: .milliseconds(200))
        #expect(try bench.status(request(handle: 1), from: central) == .success)
        bench.run(for: .milliseconds(61))
        #expect(
            try bench.take(HCIEncryptionChange.self, central)
                == [HCIEncryptionChange(status: .unsupportedRemoteFeature, handle: 1, encryptionEnabled: 0)])
    }

    @Test func unexpectedCommandsAreRefused() throws {
        let unasked = HCILELongTermKeyRequestReply(handle: 0, longTermKey: Self.key[...])
        #expect(try bench.answer(unasked, from: board).status == .commandDisallowed)
        #expect(try bench.answer(unasked, from: central).status == .commandDisallowed)
        #expect(
            try bench.answer(HCILELongTermKeyRequestNegativeReply(handle: 0), from: board).status
                == .commandDisallowed)
        #expect(
            try bench.answer(HCILELongTermKeyRequestNegativeReply(handle: 3), from: board)
                == .init(status: .unknownConnectionIdentifier, handle: 3))
        #expect(try bench.status(request(), from: board) == .commandDisallowed)
        #expect(try bench.status(request(handle: 3), from: central) == .unknownConnectionIdentifier)
        try askForKey()
        #expect(try bench.status(request(), from: central) == .commandDisallowed)
        try reply()
        #expect(try bench.answer(unasked, from: board).status == .commandDisallowed)
    }

    /// 40 seconds (Core 5.4, Vol 6 Part B 5.2).
    @Test func aHostThatNeverAnswersEndsTheLink() throws {
        try askForKey()
        bench.run(for: .seconds(39))
        #expect(bench.take(central).isEmpty)
        bench.run(for: .seconds(2))
        #expect(try bench.take(HCIDisconnectionComplete.self, central).map(\.reason) == [.llResponseTimeout])
        bench.run(for: .seconds(4))
        #expect(try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.connectionTimeout])
        #expect(bench.air.nextDeadline == nil)
    }

    @Test(arguments: [true, false]) func aLinkCanEndWhileTheKeyIsAwaited(centralEnds: Bool) throws {
        try askForKey()
        bench.sendACL([1], from: central)
        let (one, other) = centralEnds ? (central, board) : (board, central)
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: one)
        bench.run(for: .milliseconds(31))
        #expect(
            try bench.take(HCIDisconnectionComplete.self, one).map(\.reason) == [.connectionTerminatedByLocalHost])
        #expect(
            try bench.take(HCIDisconnectionComplete.self, other).map(\.reason) == [.remoteUserTerminatedConnection])
        bench.run(for: .seconds(60))
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func anEncryptedLinkCanBeDisconnected() throws {
        try encrypt()
        bench.sendACL([5], from: board)
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: board)
        bench.run(for: .milliseconds(61))
        let packets = bench.take(central)
        #expect(packets.first?.bytes.last == 5)
        #expect(
            packets.last
                == HCIDisconnectionComplete(status: .success, handle: 0, reason: .remoteUserTerminatedConnection)
                .packet)
        // The next link starts unencrypted.
        try bench.connect(central, board)
        try expectData([6], from: central, to: board)
    }

    // MARK: Another key

    @Test func theKeyIsRefreshedAndDataWaitsMeanwhile() throws {
        try encrypt()
        let other = [UInt8](repeating: 0x5A, count: 16)
        bench.sendACL([1], from: board)
        try askForKey(other)
        #expect(try bench.drainACL(central).map(\.payload) == [[1]])
        bench.sendACL([2], from: board)
        bench.sendACL(Array(0...250), from: central)
        bench.run(for: .seconds(1))
        #expect(bench.take(central).isEmpty)
        #expect(bench.take(board).isEmpty)
        try reply(other)
        bench.run(for: .milliseconds(61))
        let atCentral = bench.take(central)
        #expect(atCentral.first == HCIEncryptionKeyRefreshComplete(status: .success, handle: 0).packet)
        #expect(atCentral.compactMap { $0.kind == .acl ? $0.bytes[4] : nil } == [2])
        let atBoard = bench.take(board)
        #expect(atBoard.first == HCIEncryptionKeyRefreshComplete(status: .success, handle: 0).packet)
        #expect(atBoard.compactMap { $0.kind == .acl ? Array($0.bytes[4...]) : nil } == [Array(0...250)])
        try expectData([3], from: central, to: board)
        try expectData([4], from: board, to: central)
    }

    /// An encrypted link never continues unencrypted.
    @Test func aRefreshWithoutKeyEndsTheLink() throws {
        try encrypt()
        try askForKey()
        bench.sendACL([1], from: central)
        bench.send(HCILELongTermKeyRequestNegativeReply(handle: 0), from: board)
        bench.run(for: .milliseconds(61))
        #expect(try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.pinOrKeyMissing])
        #expect(try bench.take(HCIDisconnectionComplete.self, central).map(\.reason) == [.pinOrKeyMissing])
    }

    @Test func aRefreshWithAWrongKeyIsAMICFailure() throws {
        try encrypt()
        try askForKey()
        try reply(Self.key.reversed())
        #expect(try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.terminatedDueToMICFailure])
    }

    // MARK: Loss

    /// A retransmission is the same packet: the counters stay synchronized.
    @Test func packetLossDoesNotAffectEncryption() throws {
        bench.air.setPath(RadioPath(lossRate: 0.4), between: central, and: board, now: bench.now)
        bench.send(request(), from: central)
        bench.run(for: .seconds(1))
        bench.send(HCILELongTermKeyRequestReply(handle: 0, longTermKey: Self.key[...]), from: board)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCIEncryptionChange.self, central).map(\.encryptionEnabled) == [1])
        _ = bench.take(board)
        for number in 0..<50 as Range<UInt8> {
            bench.sendACL(Array(repeating: number, count: 100), from: central)
            bench.sendACL(Array(repeating: number, count: 60), from: board)
            bench.run(for: .seconds(2))
            #expect(try bench.drainACL(board).map(\.payload) == [Array(repeating: number, count: 100)])
            #expect(try bench.drainACL(central).map(\.payload) == [Array(repeating: number, count: 60)])
        }
        bench.air.setPath(RadioPath(pathLoss: 200), between: central, and: board, now: bench.now)
        bench.run(for: .seconds(5))
        #expect(try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.connectionTimeout])
    }

    // MARK: Keys

    /// Core 5.4, Vol 6 Part C 1.1.
    @Test func leEncryptEncryptsABlock() throws {
        let command = HCILEEncrypt(
            key: Self.key[...], plaintext: Hexadecimal.bytes("1302f1e0dfcebdac7968574635241302")?[...] ?? [])
        #expect(
            try bench.answer(command, from: central).encryptedData
                == Hexadecimal.bytes("66c6c2278e3b8e053e7ea326521bad99")?[...])
    }

    @Test func twoControllersComputeTheSameDHKey() throws {
        let nothing = HCILEGenerateDHKey(x: .init(repeating: 1, count: 32), y: .init(repeating: 2, count: 32))
        #expect(try bench.status(nothing, from: central) == .commandDisallowed)
        for id in [central, board] { bench.send(HCILESetEventMask(mask: 0x1FF), from: id) }
        func publicKey(_ id: ControllerID) throws -> HCILEReadLocalP256PublicKeyComplete {
            #expect(try bench.status(HCILEReadLocalP256PublicKey(), from: id) == .success)
            bench.send(HCILEReadLocalP256PublicKey(), from: id)
            return try #require(try bench.take(HCILEReadLocalP256PublicKeyComplete.self, id).last)
        }
        func key(_ id: ControllerID, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>) throws -> HCILEGenerateDHKeyComplete {
            bench.send(HCILEGenerateDHKey(x: x, y: y), from: id)
            return try #require(try bench.take(HCILEGenerateDHKeyComplete.self, id).last)
        }
        let (one, other) = (try publicKey(central), try publicKey(board))
        #expect(one.x != other.x)
        let agreed = try key(central, x: other.x, y: other.y)
        #expect(agreed.status == .success)
        #expect(try key(board, x: one.x, y: one.y) == agreed)
        #expect(try key(board, x: one.y, y: one.x).status == .invalidHCICommandParameters)
        #expect(try publicKey(central).x != one.x)
    }

    /// The debug key of Core 5.4, Vol 3 Part H 2.3.5.6.1, whose private half is known, most significant byte first;
    /// HCI has the least significant first.
    @Test func coordinatesAreInHCIsOrder() throws {
        bench.send(HCILESetEventMask(mask: 0x1FF), from: central)
        bench.send(HCILEReadLocalP256PublicKey(), from: central)
        let own = try #require(try bench.take(HCILEReadLocalP256PublicKeyComplete.self, central).last)
        let x = try #require(
            Hexadecimal.bytes("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6"))
        let y = try #require(
            Hexadecimal.bytes("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"))
        let secret = try #require(
            Hexadecimal.bytes("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd"))
        bench.send(HCILEGenerateDHKey(x: x.reversed()[...], y: y.reversed()[...]), from: central)
        let agreed = try #require(try bench.take(HCILEGenerateDHKeyComplete.self, central).last)
        let peer = try P256.KeyAgreement.PrivateKey(rawRepresentation: secret)
        let expected = try peer.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(rawRepresentation: Array(own.x.reversed() + own.y.reversed())))
        #expect(Array(agreed.key.reversed()) == expected.withUnsafeBytes { Array($0) })
    }
}
