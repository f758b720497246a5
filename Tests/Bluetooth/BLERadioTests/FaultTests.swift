import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import MonotonicTime
import Testing

@Suite struct FaultTests {
    let bench = AirBench()
    let central: ControllerID
    let board: ControllerID

    init() throws {
        central = bench.add()
        board = bench.add()
        try bench.connect(central, board, timeout: 400)
    }

    private func frame(_ pdu: [UInt8], _ channel: L2CAPChannelID = .attribute) -> [UInt8] {
        [UInt8(pdu.count), 0, UInt8(channel.rawValue), 0] + pdu
    }

    /// Sends PDUs, and returns those received within a second.
    private func pass(
        _ pdus: [[UInt8]], _ channel: L2CAPChannelID = .attribute, from sender: ControllerID, to receiver: ControllerID
    ) throws -> [[UInt8]] {
        _ = bench.take(receiver)
        for pdu in pdus { bench.sendACL(frame(pdu, channel), from: sender) }
        bench.run(for: .seconds(1))
        return try bench.drainACL(receiver).map { Array($0.payload.dropFirst(4)) }
    }

    private func encrypt() throws {
        bench.send(
            HCILEEnableEncryption(
                handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: EncryptionTests.key[...]),
            from: central)
        bench.run(for: .milliseconds(61))
        bench.send(HCILELongTermKeyRequestReply(handle: 0, longTermKey: EncryptionTests.key[...]), from: board)
        bench.run(for: .milliseconds(61))
        #expect(try bench.take(HCIEncryptionChange.self, central).map(\.encryptionEnabled) == [1])
        _ = bench.take(board)
    }

    private func reasons(_ id: ControllerID) throws -> [HCIErrorCode] {
        try bench.take(HCIDisconnectionComplete.self, id).map(\.reason)
    }

    // MARK: Which PDU

    static let responses: [[UInt8]] = [
        [0x0B, 1], [0x1B, 1, 0, 2], [0x01, 0x0A, 1, 0, 5], [0x0B, 3], [0x13], [0x0B, 4],
    ]

    @Test func theThirdResponseIsDropped() throws {
        let fault = bench.air.add(PDUFault(.drop, .attributeResponse, from: .peripheral, occurrence: 3))
        #expect(bench.air.hits(of: fault) == 0)
        // The notification does not count.
        #expect(
            try pass(Self.responses, from: board, to: central)
                == [[0x0B, 1], [0x1B, 1, 0, 2], [0x01, 0x0A, 1, 0, 5], [0x13], [0x0B, 4]])
        #expect(bench.air.hits(of: fault) == 1)
        #expect(try pass(Self.responses, from: board, to: central) == Self.responses)
    }

    @Test(
        arguments: [
            (.frame, 0..<6), (.attribute(nil), 0..<6), (.attribute(.readResponse), [0, 3, 5]),
            (.attributeResponse, [0, 2, 3, 4, 5]), (.attributeRequest, []), (.securityManager(nil), []),
            (.signalling(nil), []), (.linkControl(opcodes: []), []),
        ] as [(PDUKind, any Sequence<Int> & Sendable)])
    func aFaultMatchesItsKindOnly(kind: PDUKind, hit: any Sequence<Int> & Sendable) throws {
        let fault = bench.air.add(PDUFault(.drop, kind, count: nil))
        let hit = Set(Array(hit))
        let rest = Self.responses.indices.filter { !hit.contains($0) }.map { Self.responses[$0] }
        #expect(try pass(Self.responses, from: board, to: central) == rest)
        #expect(bench.air.hits(of: fault) == hit.count)
    }

    @Test func aFaultCountsPDUsOfItsSenderOnly() throws {
        _ = bench.air.add(PDUFault(.drop, .securityManager(.pairingRandom), from: .central))
        let random = [0x04] + [UInt8](repeating: 7, count: 16)
        #expect(try pass([random], .securityManager, from: board, to: central) == [random])
        #expect(try pass([random], .attribute, from: central, to: board) == [random])
        #expect(try pass([random, [0x05, 8]], .securityManager, from: central, to: board) == [[0x05, 8]])
        #expect(try pass([random], .securityManager, from: central, to: board) == [random])
    }

    @Test func aFaultAffectsConsecutivePDUs() throws {
        let fault = bench.air.add(PDUFault(.drop, .attribute(nil), occurrence: 2, count: 2))
        #expect(
            try pass([[0x52, 1], [0x52, 2], [0x52, 3], [0x52, 4]], from: central, to: board) == [
                [0x52, 1], [0x52, 4],
            ])
        bench.air.remove(fault)
        #expect(bench.air.hits(of: fault) == 0)
    }

    /// A frame is dropped with all its packets; what follows is not.
    @Test func aFrameIsDroppedCompletely() throws {
        _ = bench.air.add(PDUFault(.drop, .attribute(.handleValueNotification)))
        bench.sendACL([100, 0, 4, 0, 0x1B] + Array(repeating: 1, count: 49), from: board)
        bench.sendACL(Array(repeating: 2, count: 50), boundary: .continuing, from: board)
        bench.sendACL(frame([0x1B, 3]), from: board)
        bench.run(for: .seconds(1))
        let packets = bench.take(central)
        #expect(packets.filter { $0.kind == .acl }.map { Array($0.bytes[8...]) } == [[0x1B, 3]])
        #expect(
            try bench.take(HCINumberOfCompletedPackets.self, board).flatMap(\.connections).map(\.count).reduce(0, +)
                == 3)
    }

    // MARK: Actions

    @Test(arguments: [false, true]) func aCRCErrorDelaysByOneEventOnly(isEncrypted: Bool) throws {
        if isEncrypted { try encrypt() }
        let fault = bench.air.add(PDUFault(.corrupt, .attribute(.readRequest), occurrence: 2))
        for pdu in [[0x0A, 1, 0], [0x0A, 2, 0], [0x0A, 3, 0]] as [[UInt8]] { bench.sendACL(frame(pdu), from: central) }
        let first = try #require(bench.air.nextDeadline)
        bench.run(for: bench.now.duration(to: first))
        #expect(try bench.drainACL(board).map(\.payload[5]) == [1])
        // The second is lost in the same event, and ends it.
        bench.run(for: .milliseconds(29))
        #expect(try bench.drainACL(board).isEmpty)
        #expect(bench.air.nextDeadline == first.advanced(by: .milliseconds(30)))
        bench.run(for: .milliseconds(2))
        #expect(try bench.drainACL(board).map(\.payload[5]) == [2, 3])
        #expect(bench.air.hits(of: fault) == 1)
        #expect(try pass([[0x0B, 9]], from: board, to: central) == [[0x0B, 9]])
    }

    @Test func anAlteredByteIsDeliveredOnAnUnencryptedLink() throws {
        _ = bench.air.add(PDUFault(.alter(byte: 1, mask: 0x81), .attribute(nil)))
        #expect(try pass([[0x52, 0x10, 0x20]], from: central, to: board) == [[0x52, 0x91, 0x20]])
        _ = bench.air.add(PDUFault(.alter(byte: .max, mask: 0x01), .attribute(nil)))
        #expect(try pass([[0x52, 0x10, 0x20]], from: central, to: board) == [[0x52, 0x10, 0x21]])
    }

    @Test func anAlteredByteOfAnEncryptedPDUIsAMICFailure() throws {
        try encrypt()
        _ = bench.air.add(PDUFault(.alter(byte: 60, mask: 0x01), .attribute(.writeCommand), occurrence: 2))
        #expect(try pass([[0x52, 1]], from: central, to: board) == [[0x52, 1]])
        // In the third of its packets.
        bench.sendACL(frame([0x52] + Array(repeating: 0, count: 80)), from: central)
        bench.run(for: .milliseconds(31))
        #expect(try reasons(board) == [.terminatedDueToMICFailure])
        bench.run(for: .seconds(5))
        #expect(try reasons(central) == [.connectionTimeout])
    }

    @Test func aReplayIsAMICFailureOrASecondDelivery() throws {
        _ = bench.air.add(PDUFault(.replay, .attribute(.writeCommand), count: 2))
        #expect(try pass([[0x52, 0x31]], from: central, to: board) == [[0x52, 0x31], [0x52, 0x31]])
        try encrypt()
        bench.sendACL(frame([0x52, 0x31]), from: central)
        bench.run(for: .milliseconds(31))
        let packets = bench.take(board)
        #expect(packets.filter { $0.kind == .acl }.count == 1)
        #expect(
            packets.last
                == HCIDisconnectionComplete(status: .success, handle: 0, reason: .terminatedDueToMICFailure).packet)
    }

    @Test func aDelayedPDUDelaysFollowingPDUsOfItsDirection() throws {
        _ = bench.air.add(PDUFault(.delay(.milliseconds(500)), .attribute(.readResponse)))
        let start = bench.now
        bench.sendACL(frame([0x0B, 1]), from: board)
        bench.sendACL(frame([0x1B, 2]), from: board)
        bench.sendACL(frame([0x0A, 3]), from: central)
        bench.run(for: .milliseconds(499))
        #expect(try bench.drainACL(central).isEmpty)
        #expect(try bench.drainACL(board).count == 1)
        bench.run(for: .milliseconds(62))
        #expect(try bench.drainACL(central).map(\.payload[5]) == [1, 2])
        #expect(start.duration(to: bench.now) < .milliseconds(600))
        // A link that ends meanwhile cancels its delay.
        _ = bench.air.add(PDUFault(.delay(.seconds(1000)), .attribute(nil)))
        bench.sendACL(frame([0x0B, 1]), from: board)
        bench.run(for: .milliseconds(31))
        bench.send(HCIReset(), from: board)
        bench.run(for: .seconds(10))
        #expect(bench.air.nextDeadline == nil)
    }

    @Test func aCutIsDetectedByTheSupervisionTimeOut() throws {
        _ = bench.air.add(PDUFault(.cut, .securityManager(.pairingConfirm)))
        #expect(try pass([[0x01, 2]], .securityManager, from: central, to: board) == [[0x01, 2]])
        bench.sendACL(frame([0x03, 9], .securityManager), from: central)
        let cut = bench.now
        bench.run(for: .milliseconds(3900))
        // Setting the path again does not restore the link.
        bench.air.setPath(RadioPath(), between: central, and: board, now: bench.now)
        #expect(bench.take(board).isEmpty)
        bench.run(for: .milliseconds(200))
        #expect(try reasons(central) == [.connectionTimeout])
        #expect(try reasons(board) == [.connectionTimeout])
        #expect(cut.duration(to: bench.now) < .milliseconds(4200))
        try bench.connect(central, board)
        #expect(try pass([[0x03, 9]], .securityManager, from: central, to: board) == [[0x03, 9]])
    }

    @Test func aLinkEndsAtOnceWithTheGivenReason() throws {
        _ = bench.air.add(PDUFault(.disconnect(.remoteDeviceTerminatedPowerOff), .attributeRequest, from: .central))
        bench.sendACL(frame([0x0A, 1, 0]), from: central)
        bench.run(for: .milliseconds(31))
        #expect(
            bench.take(board)
                == [
                    HCIDisconnectionComplete(
                        status: .success, handle: 0, reason: .remoteDeviceTerminatedPowerOff
                    ).packet
                ])
        #expect(try reasons(central) == [.remoteDeviceTerminatedPowerOff])
        #expect(bench.air.nextDeadline == nil)
    }

    // MARK: The link layers' own PDUs

    @Test func aCutDuringTheStartOfEncryptionEndsTheLink() throws {
        let fault = bench.air.add(PDUFault(.cut, .linkControl(.startEncryptionResponse), from: .central))
        bench.send(
            HCILEEnableEncryption(
                handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: EncryptionTests.key[...]),
            from: central)
        bench.run(for: .milliseconds(61))
        bench.send(HCILELongTermKeyRequestReply(handle: 0, longTermKey: EncryptionTests.key[...]), from: board)
        bench.run(for: .seconds(5))
        #expect(bench.air.hits(of: fault) == 1)
        #expect(try reasons(central) == [.connectionTimeout])
        #expect(try reasons(board) == [.connectionTimeout])
    }

    /// Its sender received the acknowledgement, and has closed; the other waits.
    @Test func aLostTerminateIndicationEndsTheSendersSideOnly() throws {
        _ = bench.air.add(PDUFault(.drop, .linkControl(.terminateIndication), count: nil))
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: central)
        bench.run(for: .milliseconds(31))
        #expect(try reasons(central) == [.connectionTerminatedByLocalHost])
        bench.run(for: .seconds(5))
        #expect(try reasons(board) == [.connectionTimeout])
    }

    /// The central waits for an answer that never comes (Core 5.4, Vol 6 Part B 5.2).
    @Test func aLostLinkLayerResponseIsATimeOut() throws {
        _ = bench.air.add(PDUFault(.drop, .linkControl(.encryptionResponse)))
        bench.send(
            HCILEEnableEncryption(
                handle: 0, randomNumber: 0, encryptedDiversifier: 0, longTermKey: EncryptionTests.key[...]),
            from: central)
        bench.run(for: .seconds(41))
        #expect(try reasons(central) == [.llResponseTimeout])
    }

    @Test func aLinkControlPDUIsAlteredAndReplayed() throws {
        try encrypt()
        _ = bench.air.add(PDUFault(.alter(byte: 0, mask: 1), .linkControl(.terminateIndication)))
        bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: central)
        bench.run(for: .milliseconds(31))
        #expect(try reasons(board) == [.terminatedDueToMICFailure])
        bench.run(for: .seconds(5))
        #expect(try reasons(central) == [.connectionTerminatedByLocalHost])
        try bench.connect(central, board)
        try encrypt()
        _ = bench.air.add(PDUFault(.replay, .linkControl(.versionIndication), from: .central))
        bench.send(HCIReadRemoteVersionInformation(handle: 0), from: central)
        bench.run(for: .milliseconds(61))
        #expect(try reasons(board) == [.terminatedDueToMICFailure])
    }
}
