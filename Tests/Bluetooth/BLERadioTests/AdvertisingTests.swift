import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Synchronization
import Testing

@Suite struct AdvertisingTests {
    let bench = AirBench()

    private func reports(_ id: ControllerID) throws -> [HCILEAdvertisingReport.Report] {
        try bench.take(HCILEAdvertisingReport.self, id).flatMap(\.reports)
    }

    @Test func anActiveScannerReceivesAdvertisementAndScanResponse() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        try bench.scan(scanner)
        bench.run(for: .seconds(5))
        let address = AirBench.address(1)
        #expect(
            try reports(scanner) == [
                .init(kind: .connectable, address: address, data: [0x02, 0x01, 0x06], rssi: -52),
                .init(kind: .scanResponse, address: address, data: [0x03, 0x09, 0x41, 0x42], rssi: -52),
            ])
    }

    @Test func aPassiveScannerReceivesNoScanResponse() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(5))
        #expect(try reports(scanner).map(\.kind) == [.connectable])
    }

    @Test(arguments: [
        (HCIAdvertisingType.scannable, [HCILEAdvertisingReport.Kind.scannable, .scanResponse]),
        (.nonConnectable, [.nonConnectable]),
    ])
    func otherTypesAreReportedWithTheirType(type: HCIAdvertisingType, kinds: [HCILEAdvertisingReport.Kind]) throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board, AirBench.advertisingParameters(type, interval: 0xA0))
        try bench.scan(scanner)
        #expect(try bench.status(AirBench.connection(to: AirBench.address(1)), from: scanner) == .success)
        bench.run(for: .seconds(5))
        #expect(try reports(scanner).map(\.kind) == kinds)
    }

    /// An air that is a second late reports what fits, and still connects.
    @Test func aLateAirReportsLessAndConnects() throws {
        let board = bench.add()
        try bench.advertise(board, AirBench.advertisingParameters(interval: 0x20))
        let scanners = (0..<200).map { _ in bench.add() }
        for scanner in scanners { try bench.scan(scanner, active: false, filterDuplicates: false) }
        bench.run(for: .seconds(1), isLate: true)
        let count = try scanners.map { try reports($0).count }.reduce(0, +)
        #expect((1024...1600).contains(count))
        let host = bench.add()
        #expect(try bench.status(AirBench.connection(to: AirBench.address(0)), from: host) == .success)
        bench.run(for: .seconds(1), isLate: true)
        #expect(try bench.take(HCILEConnectionComplete.self, host).map(\.status) == [.success])
    }

    @Test func aHostThatDoesNotReadGetsNoReportsButAllElse() throws {
        let (scanner, board) = (bench.add(), bench.add())
        let isCongested = Mutex(true)
        bench.air.setCongestion({ isCongested.withLock { $0 } }, of: scanner)
        try bench.advertise(board)
        // What was dropped is no duplicate later.
        try bench.scan(scanner)
        bench.run(for: .seconds(1))
        #expect(bench.take(scanner).isEmpty)
        #expect(try bench.status(HCIReadBDADDR(), from: scanner) == .success)
        isCongested.withLock { $0 = false }
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).count == 2)
        isCongested.withLock { $0 = true }
        #expect(try bench.status(AirBench.connection(to: AirBench.address(1)), from: scanner) == .success)
        bench.run(for: .seconds(1))
        #expect(try bench.take(HCILEConnectionComplete.self, scanner).map(\.status) == [.success])
    }

    /// 30 ms plus 0 to 10 ms advDelay: 10 s have 250 to 333 events, and duplicates are reported unless filtered.
    @Test func eventsFollowTheIntervalPlusARandomDelay() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        try bench.scan(scanner, active: false, filterDuplicates: false)
        bench.run(for: .seconds(10))
        #expect(250...334 ~= (try reports(scanner).count))
        var gaps: Set<Int64> = []
        var last: Int64?
        while gaps.count < 50, let deadline = bench.air.nextDeadline {
            if let last { gaps.insert(deadline.nanoseconds - last) }
            last = deadline.nanoseconds
            bench.run(for: bench.now.duration(to: deadline))
        }
        #expect(gaps.allSatisfy { 30_000_000..<40_000_000 ~= $0 })
        #expect((gaps.max() ?? 0) - (gaps.min() ?? 0) > 5_000_000)
    }

    /// With a window of a quarter of the interval about a quarter of the events are received.
    @Test func aScannerReceivesOnlyWithinItsWindow() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        try bench.scan(scanner, active: false, filterDuplicates: false, interval: 0xA0, window: 0x28)
        bench.run(for: .seconds(100))
        #expect(500...1000 ~= (try reports(scanner).count))
    }

    @Test func advertisementsWithoutListenersAreNotScheduled() throws {
        let board = bench.add()
        try bench.advertise(board)
        #expect(bench.air.nextDeadline == nil)
        let scanner = bench.add()
        try bench.scan(scanner)
        #expect(bench.air.nextDeadline != nil)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).count == 2)
        #expect(
            try bench.status(HCILESetScanEnable(isEnabled: false, filterDuplicates: false), from: scanner) == .success)
        #expect(bench.air.nextDeadline == nil)
        bench.run(for: .seconds(1))
        try bench.scan(scanner)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).count == 2)
    }

    @Test func disabledAdvertisingIsNotReceived() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        #expect(try bench.status(HCILESetAdvertisingEnable(isEnabled: false), from: board) == .success)
        try bench.scan(scanner)
        bench.run(for: .seconds(1))
        #expect(bench.take(scanner).isEmpty)
    }

    @Test func theAcceptListFiltersScanning() throws {
        let scanner = bench.add()
        let boards = [bench.add(), bench.add()]
        for board in boards { try bench.advertise(board) }
        let accepted = AirBench.address(2)
        #expect(try bench.answer(HCILEReadFilterAcceptListSize(), from: scanner).size == 12)
        #expect(try bench.status(HCILEAddDeviceToFilterAcceptList(address: accepted), from: scanner) == .success)
        try bench.scan(scanner, policy: 1)
        #expect(
            try bench.status(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(1)), from: scanner)
                == .commandDisallowed)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).map(\.address) == [accepted, accepted])
        bench.send(HCILESetScanEnable(isEnabled: false, filterDuplicates: false), from: scanner)
        #expect(
            try bench.status(HCILERemoveDeviceFromFilterAcceptList(address: accepted), from: scanner) == .success)
        try bench.scan(scanner, policy: 1)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).isEmpty)
    }

    @Test func theAcceptListIsBounded() throws {
        let id = bench.add()
        for number in 1...12 {
            #expect(
                try bench.status(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(number)), from: id)
                    == .success)
        }
        #expect(
            try bench.status(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(1)), from: id) == .success)
        #expect(
            try bench.status(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(13)), from: id)
                == .memoryCapacityExceeded)
        #expect(try bench.status(HCILEClearFilterAcceptList(), from: id) == .success)
        #expect(
            try bench.status(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(13)), from: id) == .success)
    }

    @Test func anAdvertiserCanLimitScanRequestsToItsAcceptList() throws {
        let scanners = [bench.add(), bench.add()]
        let board = bench.add()
        bench.send(HCILEAddDeviceToFilterAcceptList(address: AirBench.address(1)), from: board)
        try bench.advertise(board, AirBench.advertisingParameters(filterPolicy: 1))
        for scanner in scanners { try bench.scan(scanner) }
        bench.run(for: .seconds(1))
        #expect(try reports(scanners[0]).map(\.kind) == [.connectable])
        #expect(try reports(scanners[1]).map(\.kind) == [.connectable, .scanResponse])
    }

    @Test func theRSSIIsThePowerMinusThePathLoss() throws {
        let scanner = bench.add()
        let near = bench.add(txPower: 9)
        let far = bench.add()
        let beyond = bench.add()
        for board in [near, far, beyond] { try bench.advertise(board) }
        bench.air.setPath(RadioPath(pathLoss: 40), between: near, and: scanner, now: bench.now)
        bench.air.setPath(RadioPath(pathLoss: 100), between: scanner, and: far, now: bench.now)
        bench.air.setPath(RadioPath(pathLoss: 101), between: scanner, and: beyond, now: bench.now)
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        let heard = try reports(scanner).sorted { $0.rssi > $1.rssi }
        #expect(heard.map(\.rssi) == [-31, -97])
        #expect(heard.map(\.address) == [AirBench.address(1), AirBench.address(2)])
    }

    @Test func lostPacketsAreNotReceived() throws {
        let scanner = bench.add()
        let board = bench.add()
        try bench.advertise(board)
        bench.air.setPath(RadioPath(lossRate: 0.5), between: board, and: scanner, now: bench.now)
        try bench.scan(scanner, active: false, filterDuplicates: false)
        bench.run(for: .seconds(100))
        #expect(1100...1750 ~= (try reports(scanner).count))
    }

    @Test func randomAddressesAreAdvertised() throws {
        let scanner = bench.add()
        let board = bench.add()
        let address = DeviceAddress(0xC000_0000_0001, .random)
        #expect(try bench.status(HCILESetRandomAddress(address: address), from: board) == .success)
        try bench.advertise(board, AirBench.advertisingParameters(ownAddressType: .random))
        try bench.scan(scanner, active: false)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).map(\.address) == [address])
    }

    @Test func directedAdvertisingReachesOnePeerAndEnds() throws {
        let wanted = bench.add()
        let other = bench.add()
        let board = bench.add()
        try bench.scan(wanted)
        try bench.scan(other)
        try bench.advertise(
            board, AirBench.advertisingParameters(.directedHighDuty, peer: AirBench.address(wanted.rawValue)))
        bench.run(for: .milliseconds(1200))
        #expect(try bench.take(HCILEConnectionComplete.self, board).isEmpty)
        bench.run(for: .milliseconds(100))
        #expect(
            try bench.take(HCILEConnectionComplete.self, board).map(\.status) == [.advertisingTimeout])
        #expect(try reports(wanted).map(\.kind) == [.directed])
        #expect(try reports(other).isEmpty)
    }

    @Test func manyScannersReceiveManyAdvertisers() throws {
        let scanners = (0..<3).map { _ in bench.add() }
        let boards = (0..<40).map { _ in bench.add() }
        for board in boards { try bench.advertise(board, data: [0x02, 0x01, UInt8(board.rawValue)]) }
        for scanner in scanners { try bench.scan(scanner) }
        bench.run(for: .seconds(3))
        for scanner in scanners {
            let heard = try reports(scanner)
            #expect(heard.count == 80)
            for report in heard where report.kind == .connectable {
                #expect(report.data.last == UInt8(truncatingIfNeeded: report.address.value))
            }
        }
    }
}
