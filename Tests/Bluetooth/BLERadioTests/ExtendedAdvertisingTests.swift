import BLECore
import BLEPackets
import BLERadio
import Testing

@Suite struct ExtendedAdvertisingTests {
    let bench = AirBench()

    static func parameters(
        _ properties: HCIAdvertisingEventProperties, handle: UInt8 = 0, interval: UInt32 = 0x30,
        ownAddressType: HCIOwnAddressType = .public, secondaryPHY: HCIPHY = .le2M, txPower: Int8 = 127,
        notifiesScanRequests: Bool = false
    ) -> HCILESetExtendedAdvertisingParameters {
        HCILESetExtendedAdvertisingParameters(
            advertisingHandle: handle, properties: properties, minimumInterval: interval, maximumInterval: interval,
            channelMap: 7, ownAddressType: ownAddressType, peerAddress: DeviceAddress(0, .public), filterPolicy: 0,
            txPower: txPower, primaryPHY: .le1M, secondaryMaximumSkip: 0, secondaryPHY: secondaryPHY, sid: handle + 5,
            notifiesScanRequests: notifiesScanRequests)
    }

    static func data(_ bytes: [UInt8], handle: UInt8 = 0) -> [HCILESetExtendedAdvertisingData] {
        guard bytes.count > 251 else {
            return [.init(advertisingHandle: handle, operation: .complete, fragmentPreference: 0, data: bytes[...])]
        }
        return stride(from: 0, to: bytes.count, by: 251).map { begin in
            let isLast = begin + 251 >= bytes.count
            return .init(
                advertisingHandle: handle, operation: isLast ? .last : begin == 0 ? .first : .intermediate,
                fragmentPreference: 0, data: bytes[begin...].prefix(251))
        }
    }

    static func enable(
        _ handles: UInt8..., isEnabled: Bool = true, duration: UInt16 = 0, maximumEvents: UInt8 = 0
    ) -> HCILESetExtendedAdvertisingEnable {
        HCILESetExtendedAdvertisingEnable(
            isEnabled: isEnabled,
            sets: handles.map { .init(advertisingHandle: $0, duration: duration, maximumEvents: maximumEvents) })
    }

    private func expectSuccess(_ commands: [any HCICommand], from id: ControllerID) throws {
        for command in commands {
            #expect(try bench.status(command, from: id) == .success, "\(type(of: command).name)")
        }
    }

    private func scan(
        _ id: ControllerID, active: Bool = false, phys: HCIPHYs = .le1M, filterDuplicates: UInt8 = 1,
        duration: UInt16 = 0, period: UInt16 = 0
    ) throws {
        try expectSuccess(
            [
                HCILESetExtendedScanParameters(
                    ownAddressType: .public, filterPolicy: 0, phys: phys,
                    scans: phys.each.map { _ in .init(isActive: active, interval: 0x10, window: 0x10) }),
                HCILESetExtendedScanEnable(
                    isEnabled: true, filterDuplicates: filterDuplicates, duration: duration, period: period),
            ], from: id)
    }

    private func reports(_ id: ControllerID) throws -> [HCILEExtendedAdvertisingReport.Report] {
        try bench.take(HCILEExtendedAdvertisingReport.self, id).flatMap(\.reports)
    }

    @Test func longDataAreReportedInFragments() throws {
        let scanner = bench.addModern()
        let old = bench.addModern(.esp32)
        let board = bench.addModern()
        let bytes = (0..<1650).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try bench.answer(HCILEReadMaximumAdvertisingDataLength(), from: board).length == 1650)
        try expectSuccess(
            [Self.parameters([.includesTxPower])] + Self.data(bytes) + [Self.enable(0)], from: board)
        try scan(scanner)
        try bench.scan(old)
        bench.run(for: .seconds(1))
        let heard = try reports(scanner)
        #expect(heard.map(\.data.count) == [229, 229, 229, 229, 229, 229, 229, 47])
        #expect(heard.flatMap(\.data) == bytes)
        #expect(heard.map(\.kind) == Array(repeating: .incomplete, count: 7) + [[]])
        for report in heard {
            #expect(report.address == AirBench.address(board.rawValue))
            #expect(report.primaryPHY == .le1M && report.secondaryPHY == .le2M && report.sid == 5)
            #expect(report.txPower == 3 && report.rssi == -52)
        }
        // A scanner of 4.2 does not understand the packets.
        #expect(bench.take(old).isEmpty)
    }

    /// Core 5.4, Vol 4 Part E 7.7.65.13, table 7.1; a legacy scanner reports the same.
    @Test(arguments: [
        (UInt16(0x13), HCILEAdvertisingReport.Kind.connectable, [UInt16(0x13), 0x1B]),
        (0x12, .scannable, [0x12, 0x1A]),
        (0x10, .nonConnectable, [0x10]),
    ])
    func legacyPacketsAreReceivedByAllScanners(properties: UInt16, kind: HCILEAdvertisingReport.Kind, kinds: [UInt16])
        throws
    {
        let scanner = bench.addModern()
        let old = bench.addModern(.esp32)
        let board = bench.addModern()
        let response = HCILESetExtendedScanResponseData(
            advertisingHandle: 0, operation: .complete, fragmentPreference: 0, data: [2, 9, 0x41])
        try expectSuccess(
            [Self.parameters(.init(rawValue: properties))] + Self.data([2, 1, 6])
                + (properties & 2 == 0 ? [] : [response]) + [Self.enable(0)], from: board)
        try scan(scanner, active: true)
        try bench.scan(old)
        bench.run(for: .seconds(1))
        let heard = try reports(scanner)
        #expect(heard.map(\.kind.rawValue) == kinds)
        #expect(heard.first?.data == [2, 1, 6])
        #expect(heard.dropFirst().allSatisfy { $0.data == [2, 9, 0x41] })
        #expect(heard.allSatisfy { $0.sid == 0xFF && $0.secondaryPHY == .none && $0.txPower == 127 })
        let legacy = try bench.take(HCILEAdvertisingReport.self, old).flatMap(\.reports)
        #expect(legacy.map(\.kind) == [kind] + kinds.dropFirst().map { _ in .scanResponse })
        #expect(legacy.map(\.data) == heard.map(\.data))
    }

    @Test func scannableSetsAnswerScanRequestsAndNotifyTheirHost() throws {
        let scanner = bench.addModern()
        let board = bench.addModern()
        let set = Self.parameters(.scannable, notifiesScanRequests: true)
        try expectSuccess([set], from: board)
        #expect(try bench.status(Self.data([1])[0], from: board) == .invalidHCICommandParameters)
        // Without anything to answer it cannot start.
        #expect(try bench.status(Self.enable(0), from: board) == .commandDisallowed)
        let response = HCILESetExtendedScanResponseData(
            advertisingHandle: 0, operation: .complete, fragmentPreference: 0, data: [2, 9, 0x41])
        try expectSuccess([response, Self.enable(0)], from: board)
        try scan(scanner, active: true)
        bench.run(for: .milliseconds(100))
        let heard = try reports(scanner)
        #expect(heard.map(\.kind) == [.scannable, [.scannable, .scanResponse]])
        #expect(heard.map(\.data) == [[], [2, 9, 0x41]])
        #expect(
            try bench.take(HCILEScanRequestReceived.self, board).first
                == HCILEScanRequestReceived(advertisingHandle: 0, scanner: AirBench.address(scanner.rawValue)))
    }

    @Test func connectingEndsTheSetAndUsesItsPHY() throws {
        let central = bench.addModern()
        let board = bench.addModern()
        try expectSuccess([Self.parameters(.connectable, handle: 3), Self.enable(3)], from: board)
        let parameters = { (interval: UInt16) in
            HCIConnectionParameters(
                minimumInterval: interval, maximumInterval: interval, latency: 0, supervisionTimeout: 100)
        }
        let connect = HCILEExtendedCreateConnection(
            usesFilterAcceptList: false, ownAddressType: .public, peerAddress: AirBench.address(board.rawValue),
            phys: [.le1M, .le2M],
            initiations: [
                .init(scanInterval: 0x60, scanWindow: 0x60, parameters: parameters(24)),
                .init(scanInterval: 0, scanWindow: 0, parameters: parameters(12)),
            ])
        try expectSuccess([connect], from: central)
        bench.run(for: .milliseconds(200))
        let packets = bench.take(board).map { Array($0.bytes.prefix(4)) }
        // Connection, channel selection, set: in this order (7.7.65.20).
        #expect(packets.map { $0[2] } == [0x0A, 0x14, 0x12])
        let atCentral = try #require(try bench.take(HCILEEnhancedConnectionComplete.self, central).first)
        #expect(atCentral.status == .success && atCentral.interval == 12)
        #expect(
            try bench.answer(HCILEReadPHY(handle: 0), from: central)
                == .init(status: .success, handle: 0, txPHY: .le2M, rxPHY: .le2M))
        bench.run(for: .seconds(2))
        #expect(bench.take(central).isEmpty)
    }

    @Test func eachSetHasItsOwnAddressAndDuration() throws {
        let scanner = bench.addModern()
        let board = bench.addModern()
        let addresses = (0..<3).map { DeviceAddress(0xC000_0000_0000 + UInt64($0), .random) }
        for (handle, address) in zip(UInt8(0)..., addresses) {
            try expectSuccess(
                [Self.parameters([], handle: handle, interval: 0xA0, ownAddressType: .random)]
                    + Self.data([handle], handle: handle), from: board)
            #expect(try bench.status(Self.enable(handle), from: board) == .invalidHCICommandParameters)
            try expectSuccess(
                [HCILESetAdvertisingSetRandomAddress(advertisingHandle: handle, address: address)], from: board)
        }
        try expectSuccess(
            [Self.enable(0), Self.enable(1, duration: 50), Self.enable(2, maximumEvents: 3)], from: board)
        try scan(scanner, filterDuplicates: 0)
        bench.run(for: .seconds(2))
        let heard = try reports(scanner)
        #expect(Set(heard.map(\.address)) == Set(addresses))
        #expect(heard.allSatisfy { report in addresses[Int(report.data.first ?? 9)] == report.address })
        #expect(heard.count { $0.sid == 7 } == 3)
        #expect(4...5 ~= heard.count { $0.sid == 6 })
        #expect(18...20 ~= heard.count { $0.sid == 5 })
        #expect(
            try bench.take(HCILEAdvertisingSetTerminated.self, board) == [
                .init(status: .limitReached, advertisingHandle: 2, handle: 0, completedEventCount: 3),
                .init(status: .advertisingTimeout, advertisingHandle: 1, handle: 0, completedEventCount: 0),
            ])
        #expect(try bench.status(HCILEClearAdvertisingSets(), from: board) == .commandDisallowed)
        #expect(try bench.status(HCILERemoveAdvertisingSet(advertisingHandle: 0), from: board) == .commandDisallowed)
        try expectSuccess(
            [
                HCILESetExtendedAdvertisingEnable(isEnabled: false, sets: []),
                HCILERemoveAdvertisingSet(advertisingHandle: 0), HCILEClearAdvertisingSets(),
            ], from: board)
        bench.run(for: .seconds(1))
        _ = bench.take(scanner)
        bench.run(for: .seconds(1))
        #expect(bench.take(scanner).isEmpty)
    }

    /// A set ends after its duration even without listeners.
    @Test func setsEndWithoutListeners() throws {
        let board = bench.addModern()
        try expectSuccess(
            [Self.parameters([]), Self.enable(0, duration: 100)], from: board)
        bench.run(for: .milliseconds(999))
        #expect(bench.take(board).isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(try bench.take(HCILEAdvertisingSetTerminated.self, board).map(\.status) == [.advertisingTimeout])
    }

    @Test func anonymousAdvertisersHaveNoAddress() throws {
        let scanner = bench.addModern()
        let board = bench.addModern()
        try expectSuccess([Self.parameters(.anonymous)] + Self.data([1, 2]) + [Self.enable(0)], from: board)
        try scan(scanner)
        bench.run(for: .seconds(1))
        let heard = try reports(scanner)
        #expect(heard.map(\.address) == [nil] && heard.map(\.data) == [[1, 2]])
    }

    @Test func changedDataAreNoDuplicate() throws {
        let scanner = bench.addModern()
        let board = bench.addModern()
        try expectSuccess([Self.parameters([])] + Self.data([1, 2]) + [Self.enable(0)], from: board)
        try scan(scanner)
        bench.run(for: .seconds(1))
        try expectSuccess(Self.data([3]), from: board)
        bench.run(for: .seconds(1))
        try expectSuccess(
            [
                HCILESetExtendedAdvertisingData(
                    advertisingHandle: 0, operation: .unchanged, fragmentPreference: 0, data: [])
            ], from: board)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).map(\.data) == [[1, 2], [3], [3]])
    }

    @Test func theCodedPHYIsReceivedByScannersOnThatPHY() throws {
        let scanner = bench.addModern()
        let other = bench.addModern()
        let board = bench.addModern()
        var set = Self.parameters([], secondaryPHY: .leCoded)
        set.primaryPHY = .leCoded
        try expectSuccess([set] + Self.data([1]) + [Self.enable(0)], from: board)
        try scan(scanner, phys: [.le1M, .leCoded])
        try scan(other)
        bench.run(for: .seconds(1))
        #expect(try reports(scanner).map(\.primaryPHY) == [.leCoded])
        #expect(bench.take(other).isEmpty)
    }

    @Test func scanningEndsAfterItsDuration() throws {
        let scanner = bench.addModern()
        let board = bench.addModern()
        try expectSuccess([Self.parameters([])] + Self.data([1]) + [Self.enable(0)], from: board)
        try scan(scanner, filterDuplicates: 0, duration: 50)
        bench.run(for: .milliseconds(499))
        #expect(try reports(scanner).count > 10)
        bench.run(for: .milliseconds(1))
        #expect(try bench.take(HCILEScanTimeout.self, scanner).count == 1)
        bench.run(for: .seconds(1))
        #expect(bench.take(scanner).isEmpty)
        // Half a second in each 1.28 s, and each advertiser once in each.
        try scan(scanner, filterDuplicates: 2, duration: 50, period: 1)
        bench.run(for: .milliseconds(5 * 1280))
        #expect(try reports(scanner).count == 5)
        bench.run(for: .milliseconds(510))
        _ = bench.take(scanner)
        bench.run(for: .milliseconds(700))
        #expect(bench.take(scanner).isEmpty)
    }

    /// Core 5.4, Vol 4 Part E 3.1.1: from one reset to the next a host uses one kind.
    @Test func legacyAndExtendedCommandsDoNotMix() throws {
        let id = bench.addModern()
        let legacy: [any HCICommand] = [
            AirBench.advertisingParameters(), HCILESetAdvertisingData(data: []),
            HCILESetScanEnable(isEnabled: false, filterDuplicates: false), AirBench.connection(to: AirBench.address(9)),
            HCILEReadAdvertisingPhysicalChannelTxPower(),
        ]
        let extended: [any HCICommand] = [
            Self.parameters([]), Self.enable(0),
            HCILESetExtendedScanEnable(isEnabled: false, filterDuplicates: 0), HCILEClearAdvertisingSets(),
        ]
        try expectSuccess([legacy[0]], from: id)
        for command in extended { #expect(try bench.status(command, from: id) == .commandDisallowed) }
        try expectSuccess([legacy[1], HCIReset(), extended[0]], from: id)
        for command in legacy { #expect(try bench.status(command, from: id) == .commandDisallowed) }
        try expectSuccess([extended[1]], from: id)
    }

    /// Core 5.4, Vol 4 Part E 7.8.53 to 7.8.56.
    @Test func invalidParametersAreRefused() throws {
        let id = bench.addModern()
        func expect(_ command: some HCICommand, _ status: HCIErrorCode) throws {
            #expect(try bench.status(command, from: id) == status, "\(command)")
        }
        try expect(Self.enable(0), .unknownAdvertisingIdentifier)
        try expect(Self.data([1])[0], .unknownAdvertisingIdentifier)
        try expect(Self.parameters([.connectable, .scannable]), .invalidHCICommandParameters)
        try expect(Self.parameters([.connectable, .anonymous]), .invalidHCICommandParameters)
        try expect(Self.parameters([.legacy, .connectable]), .invalidHCICommandParameters)
        try expect(Self.parameters([], interval: 0x1F), .invalidHCICommandParameters)
        try expect(Self.parameters([], secondaryPHY: .none), .invalidHCICommandParameters)
        let count = try bench.answer(HCILEReadNumberOfSupportedAdvertisingSets(), from: id).count
        for handle in 0..<count { try expectSuccess([Self.parameters([], handle: handle)], from: id) }
        try expect(Self.parameters([], handle: count), .memoryCapacityExceeded)
        try expect(HCILESetExtendedAdvertisingEnable(isEnabled: true, sets: []), .invalidHCICommandParameters)
        try expect(Self.enable(0, 0), .invalidHCICommandParameters)
        // All or none.
        try expect(Self.enable(0, 99), .unknownAdvertisingIdentifier)
        try expectSuccess([HCILERemoveAdvertisingSet(advertisingHandle: 0), Self.parameters([])], from: id)
        // A fragment is missing.
        try expectSuccess([Self.data(Array(repeating: 1, count: 300))[0]], from: id)
        try expect(Self.enable(0), .commandDisallowed)
        for piece in Self.data(Array(repeating: 1, count: 1651)).dropLast() { try expectSuccess([piece], from: id) }
        try expect(Self.data(Array(repeating: 1, count: 1651)).last ?? Self.data([])[0], .memoryCapacityExceeded)
        try expectSuccess(Self.data([1]) + [Self.enable(0)], from: id)
        try expect(Self.parameters([]), .commandDisallowed)
        try expect(Self.data(Array(repeating: 1, count: 300))[0], .commandDisallowed)
        try expectSuccess([Self.parameters([.legacy], handle: 1)], from: id)
        try expect(Self.data(Array(repeating: 1, count: 32), handle: 1)[0], .invalidHCICommandParameters)
        let answer = try bench.answer(Self.parameters([], handle: 2, txPower: -20), from: id)
        #expect(answer.selectedTxPower == -12)
    }
}
