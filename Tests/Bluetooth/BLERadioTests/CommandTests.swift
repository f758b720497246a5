import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import MonotonicTime
import Testing

@Suite struct CommandTests {
    let bench = AirBench()

    @Test func unknownCommandsGetUnknownHCICommand() throws {
        let id = bench.add()
        bench.send(HCIPacket(.command, [0x34, 0xFC, 0x01, 0xAA]), from: id)
        #expect(
            try bench.take(HCICommandStatus.self, id)
                == [
                    HCICommandStatus(
                        status: .unknownCommand, commandPacketCount: 1, command: HCIOpcode(rawValue: 0xFC34))
                ])
    }

    /// Parameters of the wrong length are answered, commands with a wrong header are ignored.
    @Test(arguments: HCIOpcode.commands.map { $0.opcode.rawValue }) func wrongLengthsAreInvalidParameters(
        opcode: UInt16
    ) throws {
        let id = bench.add()
        let low = UInt8(truncatingIfNeeded: opcode)
        let high = UInt8(truncatingIfNeeded: opcode >> 8)
        bench.send(HCIPacket(.command, [low, high, 200] + Array(repeating: 0xFF, count: 200)), from: id)
        let event = try HCIAnyEvent(decoding: #require(bench.take(id).first).bytes[...])
        if event.code == .commandStatus {
            let status = try HCICommandStatus(event).status
            #expect(status == .invalidHCICommandParameters || status == .unknownCommand)
        } else {
            #expect(try HCICommandComplete(event).status == .invalidHCICommandParameters)
        }
        bench.send(HCIPacket(.command, [low, high, 3, 0]), from: id)
        #expect(bench.take(id).isEmpty)
    }

    @Test func valuesOutOfRangeAreInvalidParameters() throws {
        let id = bench.add()
        func isInvalid(_ command: some HCICommand) throws {
            #expect(try bench.status(command, from: id) == .invalidHCICommandParameters)
        }
        try isInvalid(AirBench.advertisingParameters(interval: 0x1F))
        try isInvalid(AirBench.advertisingParameters(interval: 0x4001))
        try isInvalid(AirBench.advertisingParameters(HCIAdvertisingType(rawValue: 5)))
        var parameters = AirBench.advertisingParameters()
        parameters.channelMap = 0
        try isInvalid(parameters)
        var scan = HCILESetScanParameters(
            isActive: true, interval: 0x10, window: 0x11, ownAddressType: .public, filterPolicy: 0)
        try isInvalid(scan)
        scan.window = 3
        try isInvalid(scan)
        let peer = AirBench.address(9)
        try isInvalid(AirBench.connection(to: peer, interval: 5))
        try isInvalid(AirBench.connection(to: peer, latency: 500))
        try isInvalid(AirBench.connection(to: peer, interval: 80, timeout: 20))
        try isInvalid(HCILEWriteSuggestedDefaultDataLength(txOctets: 26, txTime: 328))
        var connection = AirBench.connection(to: peer)
        connection.parameters.minimumEventLength = 2
        connection.parameters.maximumEventLength = 1
        try isInvalid(connection)
        connection.parameters.maximumEventLength = 2
        #expect(try bench.status(connection, from: id) == .success)
        bench.send(HCILECreateConnectionCancel(), from: id)
        for (length, count) in [(0, 1), (1, 0)] as [(UInt16, UInt16)] {
            try isInvalid(
                HCIHostBufferSize(
                    aclDataLength: length, synchronousDataLength: 0, aclPacketCount: count, synchronousPacketCount: 0))
        }
        for seconds in [0, 0xA1B9] as [UInt16] {
            try isInvalid(HCILESetResolvablePrivateAddressTimeout(timeout: seconds))
        }
        // Random addresses that were never set.
        #expect(
            try bench.status(AirBench.advertisingParameters(ownAddressType: .random), from: id) == .success)
        try isInvalid(HCILESetAdvertisingEnable(isEnabled: true))
    }

    /// What 5.0 has changed.
    @Test func rangesDependOnTheVersion() throws {
        var newer = ControllerPersonality.bluetooth5_0
        newer.hciVersion = 11
        let (old, new, newest) = (bench.add(), bench.add(.bluetooth5_0), bench.add(newer))
        for (id, isFast, longest, lastTimeout) in [
            (old, false, 2120, 0xA1B8), (new, true, 17_040, 0xA1B8), (newest, true, 17_040, 0x0E10),
        ] as [(ControllerID, Bool, UInt16, UInt16)] {
            for type in [HCIAdvertisingType.scannable, .nonConnectable] {
                #expect(try bench.status(AirBench.advertisingParameters(type, interval: 0xA0), from: id) == .success)
                #expect(
                    try bench.status(AirBench.advertisingParameters(type, interval: 0x9F), from: id)
                        == (isFast ? .success : .invalidHCICommandParameters))
            }
            for (time, isValid) in [(longest, true), (longest + 1, false)] {
                #expect(
                    try bench.status(HCILEWriteSuggestedDefaultDataLength(txOctets: 251, txTime: time), from: id)
                        == (isValid ? .success : .invalidHCICommandParameters))
            }
            for (timeout, isValid) in [(1, true), (lastTimeout, true), (lastTimeout + 1, false)] {
                #expect(
                    try bench.status(HCILESetResolvablePrivateAddressTimeout(timeout: timeout), from: id)
                        == (isValid ? .success : .invalidHCICommandParameters))
            }
        }
    }

    /// Core 5.4, Vol 4 Part E 7.3.94: not below the time that a peripheral may be silent.
    @Test func thePayloadTimeOutIsNotShorterThanThePeripheralLatency() throws {
        let (central, board) = (bench.add(), bench.add())
        // 30 ms, and two of three events left out: 90 ms.
        try bench.connect(central, board, latency: 2, timeout: 100)
        for (timeout, status) in [(8, .invalidHCICommandParameters), (9, .success)] as [(UInt16, HCIErrorCode)] {
            let command = HCIWriteAuthenticatedPayloadTimeout(handle: 0, timeout: timeout)
            #expect(try bench.answer(command, from: board) == .init(status: status, handle: 0))
        }
        #expect(try bench.answer(HCIReadAuthenticatedPayloadTimeout(handle: 0), from: board).timeout == 9)
    }

    @Test func commandsInTheWrongStateAreDisallowed() throws {
        let id = bench.add()
        func isDisallowed(_ command: some HCICommand) throws {
            #expect(try bench.status(command, from: id) == .commandDisallowed)
        }
        try bench.advertise(id)
        try isDisallowed(AirBench.advertisingParameters())
        try isDisallowed(HCILESetRandomAddress(address: DeviceAddress(1, .random)))
        try bench.scan(id)
        try isDisallowed(
            HCILESetScanParameters(
                isActive: true, interval: 0x10, window: 0x10, ownAddressType: .public, filterPolicy: 0))
        try isDisallowed(HCILECreateConnectionCancel())
        #expect(try bench.status(AirBench.connection(to: AirBench.address(9)), from: id) == .success)
        try isDisallowed(AirBench.connection(to: AirBench.address(9)))
        #expect(
            try bench.status(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: id)
                == .unknownConnectionIdentifier)
        #expect(try bench.answer(HCIReadRSSI(handle: 77), from: id).status == .unknownConnectionIdentifier)
        #expect(
            try bench.answer(HCILESetDataLength(handle: 3, txOctets: 27, txTime: 328), from: id).status
                == .unknownConnectionIdentifier)
    }

    @Test func cancellingAConnectionAttemptCompletesIt() throws {
        let id = bench.add()
        #expect(try bench.status(AirBench.connection(to: AirBench.address(9)), from: id) == .success)
        bench.send(HCILECreateConnectionCancel(), from: id)
        let packets = bench.take(id)
        #expect(packets.count == 2)
        #expect(try HCICommandComplete(HCIAnyEvent(decoding: packets[0].bytes[...])).status == .success)
        #expect(
            try HCILEConnectionComplete(HCIAnyEvent(decoding: packets[1].bytes[...])).status
                == .unknownConnectionIdentifier)
    }

    @Test func eventMasksApplyToEventsAndNotToCommandAnswers() throws {
        let scanner = bench.add()
        let advertiser = bench.add()
        try bench.advertise(advertiser)
        try bench.scan(scanner, filterDuplicates: false)
        // LE Meta is bit 61 of one mask, LE Advertising Report bit 1 of the other.
        for (mask, leMask, isHeard) in [
            (0x3FFF_FFFF_FFFF_FFFF, 0, false), (0x1FFF_FFFF_FFFF_FFFF, 2, false), (0x2000_0000_0000_0000, 2, true),
        ] as [(UInt64, UInt64, Bool)] {
            #expect(try bench.status(HCISetEventMask(mask: mask), from: scanner) == .success)
            #expect(try bench.status(HCILESetEventMask(mask: leMask), from: scanner) == .success)
            bench.run(for: .seconds(1))
            #expect(bench.take(scanner).isEmpty != isHeard)
        }
        #expect(try bench.status(HCIReset(), from: scanner) == .success)
    }

    @Test func resetEndsAllActivity() throws {
        let central = bench.add()
        let board = bench.add()
        try bench.connect(central, board)
        try bench.scan(central)
        #expect(try bench.status(HCIReset(), from: central) == .success)
        bench.run(for: .seconds(1))
        #expect(bench.take(central).isEmpty)
        #expect(
            try bench.take(HCIDisconnectionComplete.self, board).map(\.reason) == [.connectionTimeout])
        #expect(try bench.answer(HCIReadRSSI(handle: 0), from: central).status == .unknownConnectionIdentifier)
    }

    @Test func randomNumbersDeriveFromTheSeed() throws {
        let first = try bench.answer(HCILERand(), from: bench.add()).random
        let again = AirBench()
        #expect(try again.answer(HCILERand(), from: again.add()).random == first)
        #expect(try again.answer(HCILERand(), from: again.add()).random != first)
        let other = AirBench(seed: 2)
        #expect(try other.answer(HCILERand(), from: other.add()).random != first)
    }
}
