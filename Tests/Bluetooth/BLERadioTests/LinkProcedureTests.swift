import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

@Suite struct LinkProcedureTests {
    let bench = AirBench()
    let central: ControllerID
    let board: ControllerID

    init() throws {
        central = bench.add()
        board = bench.add()
        try bench.connect(central, board, latency: 0, timeout: 400)
    }

    static let wanted = HCIConnectionParameters(
        minimumInterval: 80, maximumInterval: 96, latency: 1, supervisionTimeout: 600)

    @Test func theVersionIsRequestedOnceAndCached() throws {
        #expect(try bench.status(HCIReadRemoteVersionInformation(handle: 0), from: board) == .success)
        bench.run(for: .milliseconds(61))
        let expected = HCIReadRemoteVersionInformationComplete(
            status: .success, handle: 0, version: 8, companyIdentifier: 0x60, subversion: 0x030E)
        #expect(try bench.take(HCIReadRemoteVersionInformationComplete.self, board) == [expected])
        #expect(bench.take(central).isEmpty)
        bench.send(HCIReadRemoteVersionInformation(handle: 0), from: central)
        #expect(try bench.take(HCIReadRemoteVersionInformationComplete.self, central) == [expected])
        #expect(
            try bench.status(HCIReadRemoteVersionInformation(handle: 5), from: board) == .unknownConnectionIdentifier)
    }

    /// Core 5.4, Vol 6 Part B 5.2: 40 s from the request; the peer detects a supervision time-out.
    @Test(arguments: Unanswered.allCases) func aProcedureWithoutAnAnswerEndsTheLink(procedure: Unanswered) throws {
        let bench = AirBench()
        let (central, board) = (bench.addModern(), bench.addModern())
        try bench.advertise(board)
        bench.send(AirBench.connection(to: AirBench.address(1)), from: central)
        bench.run(for: .milliseconds(200))
        _ = bench.air.add(PDUFault(.drop, .linkControl(procedure.answer), from: .central, count: nil))
        procedure.begin(bench, board)
        let start = bench.now
        bench.run(for: .milliseconds(39_990))
        #expect(try bench.take(HCIDisconnectionComplete.self, board).isEmpty)
        bench.run(for: .milliseconds(10))
        let packets = bench.take(board)
        #expect(
            packets == [HCIDisconnectionComplete(status: .success, handle: 0, reason: .llResponseTimeout).packet])
        #expect(bench.now == start.advanced(by: .seconds(40)))
        bench.run(for: .milliseconds(460))
        #expect(try bench.take(HCIDisconnectionComplete.self, central).map(\.reason) == [.connectionTimeout])
        #expect(bench.air.nextDeadline == nil)
        #expect(bench.take(board).isEmpty)
    }

    /// Requests of a peripheral that the central does not answer.
    enum Unanswered: CaseIterable {
        case version, features, length, parameters, phys

        var answer: LinkControlOpcode {
            switch self {
            case .version: .versionIndication
            case .features: .featureResponse
            case .length: .lengthResponse
            case .parameters: .connectionUpdateIndication
            case .phys: .phyUpdateIndication
            }
        }

        func begin(_ bench: AirBench, _ board: ControllerID) {
            switch self {
            case .version: bench.send(HCIReadRemoteVersionInformation(handle: 0), from: board)
            case .features: bench.send(HCILEReadRemoteFeatures(handle: 0), from: board)
            case .length: bench.send(HCILESetDataLength(handle: 0, txOctets: 251, txTime: 2120), from: board)
            // The central's host does not reply.
            case .parameters:
                bench.send(HCILEConnectionUpdate(handle: 0, parameters: LinkProcedureTests.wanted), from: board)
            case .phys:
                bench.send(
                    HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le2M, options: 0), from: board)
            }
            _ = bench.take(board)
        }
    }

    @Test func answeredProceduresDoNotEndTheLink() throws {
        for procedure in Unanswered.allCases where procedure != .phys { procedure.begin(bench, board) }
        bench.run(for: .milliseconds(100))
        bench.send(
            HCILERemoteConnectionParameterRequestNegativeReply(handle: 0, reason: .unacceptableConnectionParameters),
            from: central)
        bench.run(for: .milliseconds(100))
        #expect(bench.air.nextDeadline == nil)
    }

    /// The real NimBLE host does not survive it.
    @Test func noVersionIsReportedAfterTheDisconnection() throws {
        for delay in 0..<12 {
            bench.send(HCIReadRemoteVersionInformation(handle: 0), from: board)
            if delay > 0 { bench.run(for: .milliseconds(10 * delay)) }
            let ending = delay % 2 == 0 ? central : board
            bench.send(HCIDisconnect(handle: 0, reason: .remoteUserTerminatedConnection), from: ending)
            bench.send(HCIReadRemoteVersionInformation(handle: 0), from: board)
            bench.run(for: .seconds(60))
            let events = try bench.take(board).map { try HCIAnyEvent(decoding: $0.bytes[...]).code }
            #expect(events.last == .disconnectionComplete)
            #expect(events.count { $0 == .disconnectionComplete } == 1)
            try bench.connect(central, board)
        }
    }

    @Test func theFeaturesOfThePeerAreReported() throws {
        var old = ControllerPersonality.esp32
        old.leFeatures = 0x01
        let peer = bench.add(old)
        try bench.advertise(peer)
        bench.send(AirBench.connection(to: AirBench.address(2)), from: central)
        bench.run(for: .milliseconds(200))
        #expect(try bench.status(HCILEReadRemoteFeatures(handle: 1), from: central) == .success)
        bench.run(for: .milliseconds(100))
        #expect(try bench.take(HCILEReadRemoteFeaturesComplete.self, central).map(\.features) == [0x01])
        bench.send(HCILEReadRemoteFeatures(handle: 0), from: board)
        bench.run(for: .milliseconds(100))
        #expect(try bench.take(HCILEReadRemoteFeaturesComplete.self, board).map(\.features) == [0xFF])
    }

    @Test func aCentralSetsTheParameters() throws {
        #expect(
            try bench.status(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: central) == .success)
        bench.run(for: .milliseconds(150))
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, central).isEmpty)
        bench.run(for: .milliseconds(100))
        let expected = HCILEConnectionUpdateComplete(
            status: .success, handle: 0, interval: 96, latency: 1, supervisionTimeout: 600)
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, central) == [expected])
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, board) == [expected])
        bench.sendACL([1], from: board)
        let first = try #require(bench.air.nextDeadline)
        bench.run(for: bench.now.duration(to: first))
        bench.sendACL([2], from: board)
        #expect(bench.air.nextDeadline == first.advanced(by: .milliseconds(120)))
        bench.run(for: .milliseconds(120))
        #expect(try bench.drainACL(central).count == 2)
    }

    @Test func newParametersApplyEvenOutOfRange() throws {
        bench.send(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: central)
        bench.run(for: .milliseconds(40))
        bench.air.setPath(RadioPath(pathLoss: 200), between: central, and: board, now: bench.now)
        bench.run(for: .milliseconds(500))
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, central).count == 1)
        bench.air.setPath(RadioPath(), between: central, and: board, now: bench.now)
        bench.send(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: central)
        bench.run(for: .seconds(2))
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, central).map(\.status) == [.success])
    }

    @Test func theCentralsHostDecidesOnAPeripheralsParameterRequest() throws {
        bench.send(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: board)
        bench.run(for: .milliseconds(31))
        #expect(
            try bench.take(HCILERemoteConnectionParameterRequest.self, central)
                == [
                    HCILERemoteConnectionParameterRequest(
                        handle: 0, minimumInterval: 80, maximumInterval: 96, latency: 1, supervisionTimeout: 600)
                ])
        #expect(
            try bench.answer(
                HCILERemoteConnectionParameterRequestReply(handle: 0, parameters: Self.wanted), from: central
            ).status == .success)
        bench.run(for: .milliseconds(300))
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, board).map(\.interval) == [96])
        #expect(try bench.take(HCILEConnectionUpdateComplete.self, central).map(\.interval) == [96])
        bench.send(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: board)
        bench.run(for: .milliseconds(300))
        #expect(
            try bench.answer(
                HCILERemoteConnectionParameterRequestNegativeReply(
                    handle: 0, reason: .unacceptableConnectionParameters),
                from: central
            ).status == .success)
        bench.run(for: .milliseconds(300))
        #expect(
            try bench.take(HCILEConnectionUpdateComplete.self, board).map(\.status)
                == [.unacceptableConnectionParameters])
        #expect(
            try bench.answer(
                HCILERemoteConnectionParameterRequestReply(handle: 0, parameters: Self.wanted), from: central
            ).status == .commandDisallowed)
    }

    @Test func aHostThatMasksTheRequestRejectsIt() throws {
        bench.send(HCILESetEventMask(mask: 0x1F), from: central)
        bench.send(HCILEConnectionUpdate(handle: 0, parameters: Self.wanted), from: board)
        bench.run(for: .milliseconds(100))
        #expect(
            try bench.take(HCILEConnectionUpdateComplete.self, board).map(\.status) == [.unsupportedRemoteFeature])
    }

    /// A peripheral of latency 4 listens to every fifth event; its own data are sent without delay.
    @Test func latencyDelaysTheCentralsDataOnly() throws {
        let sleeper = bench.add()
        try bench.advertise(sleeper)
        bench.send(
            AirBench.connection(to: AirBench.address(2), interval: 24, latency: 4, timeout: 400), from: central)
        bench.run(for: .milliseconds(200))
        bench.sendACL([1], handle: 1, from: central)
        bench.run(for: .milliseconds(151))
        #expect(try bench.drainACL(sleeper).count == 1)
        bench.sendACL([2], handle: 1, from: central)
        let wait = bench.now.duration(to: try #require(bench.air.nextDeadline))
        #expect(wait > .milliseconds(30))
        #expect(wait <= .milliseconds(150))
        bench.sendACL([3], from: sleeper)
        #expect(bench.now.duration(to: try #require(bench.air.nextDeadline)) <= .milliseconds(30))
        bench.run(for: .milliseconds(31))
        #expect(try bench.drainACL(sleeper).map(\.payload) == [[2]])
        #expect(try bench.drainACL(central).map(\.payload) == [[3]])
    }
}
