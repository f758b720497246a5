import BLECentral
import BLECentralHCI
import BLECore
import BLEPackets
import BLERadio
import BenchExecutor
import MonotonicTime
import Testing

/// Our central with a Bluetooth 5 controller, and advertisers without a host.
@Suite struct ExtendedAdvertisingTests {
    private static let advertiser = DeviceAddress(0x240A_C400_0110, .public)

    /// Complete local name "Far", and `count` bytes of manufacturer specific data.
    private static func data(_ count: Int) -> [UInt8] {
        let pieces = stride(from: 0, to: count, by: 200).map { min(200, count - $0) }
        return [4, 9] + Array("Far".utf8) + pieces.flatMap { [UInt8($0 + 1), 0xFF] + (0..<$0).map(UInt8.init) }
    }

    /// Scans by default, or connects, while `commands` have made the advertiser advertise.
    private func run(
        _ commands: [any HCICommand], central personality: ControllerPersonality = .extended,
        _ body: @escaping @Sendable (HCICentral, EventLog, RadioPort) async throws -> Void
    ) throws {
        let executor = BenchExecutor()
        let radio = Radio(executor, seed: 1)
        try executor.run {
            let port = await radio.attach(address: Self.advertiser, personality: .extended)
            port.setReceiver { _ in }
            for command in commands { port.send(command.packet) }
            let central = HCICentral(
                executor: executor,
                transport: await radio.attach(
                    address: DeviceAddress(0x0200_0000_0001, .public), personality: personality),
                address: DeviceAddress(0xC000_0000_0001, .random))
            let log = EventLog()
            central.events.setHandler(on: central.executor) { log.append($0) }
            try await central.powerOn()
            try await body(central, log, port)
        }
    }

    private func scan(_ central: HCICentral, for duration: Duration) async throws {
        try await central.startScanning(ScanFilter())
        try await BenchClock(central.executor).sleep(for: duration)
        try await central.stopScanning()
    }

    private static func advertising(
        _ properties: HCIAdvertisingEventProperties, _ data: [UInt8], primary: HCIPHY = .le1M,
        secondary: HCIPHY = .le2M
    ) -> [any HCICommand] {
        let pieces = stride(from: 0, to: data.count, by: 251).map { data[$0...].prefix(251) }
        let parameters = HCILESetExtendedAdvertisingParameters(
            advertisingHandle: 0, properties: properties, minimumInterval: 0x30, maximumInterval: 0x30, channelMap: 7,
            ownAddressType: .public, peerAddress: DeviceAddress(0, .public), filterPolicy: 0, txPower: 127,
            primaryPHY: primary, secondaryMaximumSkip: 0, secondaryPHY: secondary, sid: 5, notifiesScanRequests: false)
        return [parameters]
            + pieces.enumerated().map { index, piece in
                let isLast = index == pieces.count - 1
                return HCILESetExtendedAdvertisingData(
                    advertisingHandle: 0,
                    operation: pieces.count == 1 ? .complete : isLast ? .last : index == 0 ? .first : .intermediate,
                    fragmentPreference: 0, data: piece)
            } + [HCILESetExtendedAdvertisingEnable(isEnabled: true, sets: [.init(advertisingHandle: 0)])]
    }

    private func advertisements(_ log: EventLog) -> [Advertisement] {
        log.all.compactMap { if case .advertisement(let advertisement) = $0 { advertisement } else { nil } }
    }

    /// 1,000 bytes come in five reports.
    @Test(arguments: [20, 1000]) func longDataIsHeardWhole(count: Int) throws {
        try run(Self.advertising([], Self.data(count))) { central, log, _ in
            try await scan(central, for: .seconds(1))
            let heard = advertisements(log)
            #expect(heard.count == 1)
            #expect(heard.first?.address == Self.advertiser && heard.first?.isConnectable == false)
            #expect(heard.first?.data.localName == "Far")
            let bytes = heard.first?.data.structures.flatMap { [UInt8($0.data.count + 1), $0.type.rawValue] + $0.data }
            #expect(bytes == Self.data(count))
        }
    }

    @Test(arguments: [HCIPHY.le1M, .leCoded]) func aConnectableSetIsHeardAndConnectedTo(primary: HCIPHY) throws {
        let secondary: HCIPHY = primary == .leCoded ? .leCoded : .le2M
        let commands = Self.advertising(.connectable, Self.data(40), primary: primary, secondary: secondary)
        try run(commands) { central, log, _ in
            try await scan(central, for: .seconds(1))
            #expect(advertisements(log).map(\.isConnectable) == [true])
            let connection = try await central.connect(to: PeerID(Self.advertiser), within: .seconds(2))
            try await central.disconnect(connection)
            // Nobody advertises any more: the attempt is cancelled.
            let error = await failure {
                try await central.connect(to: PeerID(Self.advertiser), within: .milliseconds(100))
            }
            #expect(error?.code == .timedOut)
        }
    }

    /// A Bluetooth 4 controller cannot hear it.
    @Test func anOlderControllerHearsNothing() throws {
        try run(Self.advertising([], Self.data(20)), central: .esp32) { central, log, _ in
            try await scan(central, for: .seconds(1))
            #expect(advertisements(log).isEmpty)
        }
    }

    /// One address, first an iBeacon, then Eddystone, for 2 s each.
    @Test(arguments: [ControllerPersonality.esp32, .extended])
    func aBeaconThatChangesIsHeardAgain(personality: ControllerPersonality) throws {
        let beacons: [[UInt8]] = [
            [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Array(repeating: 1, count: 21),
            [0x03, 0x03, 0xAA, 0xFE, 0x05, 0x16, 0xAA, 0xFE, 0x00, 0x07],
        ]
        let parameters = HCILESetAdvertisingParameters(
            minimumInterval: 160, maximumInterval: 160, type: .nonConnectable, ownAddressType: .public,
            peerAddress: DeviceAddress(0, .public), channelMap: 7, filterPolicy: 0)
        let enable = HCILESetAdvertisingEnable(isEnabled: true)
        try run(
            [parameters, HCILESetAdvertisingData(data: beacons[0][...]), enable], central: personality
        ) { central, log, port in
            try await central.startScanning(ScanFilter())
            for turn in 1...4 {
                try await BenchClock(central.executor).sleep(for: .seconds(2))
                port.send(HCILESetAdvertisingData(data: beacons[turn % 2][...]).packet)
            }
            try await central.stopScanning()
            let heard = advertisements(log)
            // Each change once.
            #expect(heard.map(\.data.serviceUUIDs) == [[], [BLEUUID(0xFEAA)], [], [BLEUUID(0xFEAA)]])
            #expect(Set(heard.map(\.address)) == [Self.advertiser])
        }
    }
}
