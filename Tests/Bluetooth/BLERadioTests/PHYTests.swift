import BLEPackets
import BLERadio
import MonotonicTime
import Testing

/// The PHY update procedure (Core 5.4, Vol 6 Part B 5.1.10), and what it does to the air time.
@Suite struct PHYTests {
    let bench = AirBench()

    private func connect(_ central: ControllerID, _ peripheral: ControllerID) throws {
        try bench.advertise(peripheral)
        let command = AirBench.connection(to: AirBench.address(peripheral.rawValue), interval: 6)
        #expect(try bench.status(command, from: central) == .success)
        bench.run(for: .milliseconds(200))
        _ = bench.take(central)
        _ = bench.take(peripheral)
    }

    private func updates(_ id: ControllerID) throws -> [HCILEPHYUpdateComplete] {
        try bench.take(HCILEPHYUpdateComplete.self, id)
    }

    @Test(arguments: [true, false]) func bothSidesChangeThePHY(isAskedByCentral: Bool) throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.bluetooth5_0)
        try connect(central, peripheral)
        let asking = isAskedByCentral ? central : peripheral
        #expect(
            try bench.answer(HCILEReadPHY(handle: 0), from: asking)
                == .init(status: .success, handle: 0, txPHY: .le1M, rxPHY: .le1M))
        // Transmit on 2M; the peer's direction does not change.
        let wish = HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le1M, options: 0)
        #expect(try bench.status(wish, from: asking) == .success)
        bench.run(for: .milliseconds(100))
        let other = isAskedByCentral ? peripheral : central
        #expect(
            try updates(asking) == [.init(status: .success, handle: 0, txPHY: .le2M, rxPHY: .le1M)])
        #expect(
            try updates(other) == [.init(status: .success, handle: 0, txPHY: .le1M, rxPHY: .le2M)])
        // A second request changes nothing: only the requester gets an event.
        #expect(try bench.status(wish, from: asking) == .success)
        bench.run(for: .milliseconds(100))
        #expect(try updates(asking).map(\.status) == [.success])
        #expect(try updates(other).isEmpty)
    }

    @Test func theChangeAppliesFromItsInstant() throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.bluetooth5_0)
        try connect(central, peripheral)
        let wish = HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le2M, options: 0)
        #expect(try bench.status(wish, from: central) == .success)
        // Request and response in one event of 7.5 ms, the indication in it or the next, six events later.
        bench.run(for: .milliseconds(6 * 7))
        #expect(try updates(central).isEmpty)
        bench.run(for: .milliseconds(20))
        #expect(try updates(central).count == 1)
    }

    /// A peer of 4.2 does not support the request, and a controller that knows this does not send it.
    @Test(arguments: [true, false]) func a42PeerKeepsItsPHY(knowsFeatures: Bool) throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.esp32)
        try connect(central, peripheral)
        if knowsFeatures {
            #expect(try bench.status(HCILEReadRemoteFeatures(handle: 0), from: central) == .success)
            bench.run(for: .milliseconds(100))
        }
        let wish = HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le2M, options: 0)
        bench.send(wish, from: central)
        bench.run(for: .milliseconds(100))
        #expect(
            try updates(central)
                == [.init(status: .unsupportedRemoteFeature, handle: 0, txPHY: .le1M, rxPHY: .le1M)])
    }

    @Test func hostsCanOnlyPreferSupportedPHYs() throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.bluetooth5_0)
        try connect(central, peripheral)
        func status(_ all: UInt8, _ tx: HCIPHYs, _ rx: HCIPHYs, handle: UInt16 = 0) throws -> HCIErrorCode {
            try bench.status(
                HCILESetPHY(handle: handle, allPHYs: all, txPHYs: tx, rxPHYs: rx, options: 0), from: central)
        }
        #expect(try status(0, .leCoded, .le1M) == .unsupportedFeatureOrParameterValue)
        #expect(try status(0, [], .le1M) == .invalidHCICommandParameters)
        #expect(try status(4, .le1M, .le1M) == .invalidHCICommandParameters)
        #expect(try status(3, [], [], handle: 5) == .unknownConnectionIdentifier)
        // The default is what a peripheral answers with.
        #expect(
            try bench.status(HCILESetDefaultPHY(allPHYs: 0, txPHYs: .leCoded, rxPHYs: .le1M), from: central)
                == .unsupportedFeatureOrParameterValue)
        #expect(try status(3, [], []) == .success)
        #expect(try status(3, [], []) == .commandDisallowed)
        bench.run(for: .milliseconds(100))
        #expect(try updates(central).map(\.txPHY) == [.le2M])
    }

    @Test func aDefaultOf1MIsKept() throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.bluetooth5_0)
        let only = HCILESetDefaultPHY(allPHYs: 0, txPHYs: .le1M, rxPHYs: .le1M)
        #expect(try bench.status(only, from: peripheral) == .success)
        try connect(central, peripheral)
        let wish = HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: [.le1M, .le2M], rxPHYs: [.le1M, .le2M], options: 0)
        #expect(try bench.status(wish, from: central) == .success)
        bench.run(for: .milliseconds(100))
        #expect(try updates(central) == [.init(status: .success, handle: 0, txPHY: .le1M, rxPHY: .le1M)])
        #expect(try updates(peripheral).isEmpty)
    }

    /// 7.5 ms hold 11 PDUs of 27 bytes with their empty answers by 1M, and 15 by 2M: the spaces between stay.
    @Test func the2MPHYIncreasesTheThroughput() throws {
        let central = bench.addModern(.bluetooth5_0)
        let peripheral = bench.addModern(.bluetooth5_0)
        try connect(central, peripheral)
        func countInOneEvent() throws -> Int {
            bench.run(for: .milliseconds(100))
            _ = bench.take(peripheral)
            for _ in 0..<12 { bench.sendACL(Array(repeating: 7, count: 81), from: central) }
            bench.run(for: bench.now.duration(to: try #require(bench.air.nextDeadline)))
            bench.run(for: .microseconds(7499))
            return try bench.drainACL(peripheral).count
        }
        let slow = try countInOneEvent()
        let wish = HCILESetPHY(handle: 0, allPHYs: 0, txPHYs: .le2M, rxPHYs: .le2M, options: 0)
        #expect(try bench.status(wish, from: central) == .success)
        let fast = try countInOneEvent()
        #expect(slow == 3)
        #expect(fast == 5)
    }
}
