import BLECentral
import BLECentralBlueZ
import BLECore
import BenchExecutor
import BusSupport
import DBus
import Foundation
import Synchronization
import Testing

/// What is no bluetoothd, or an unusual one, is a clear error.
@Suite struct StrangeBlueZTests {
    /// Powers on a central at a bus, and scans; returns the error of either.
    private func failure(_ bus: DBusAddress, adapter: String? = nil, powersOn: Bool = true) throws -> CentralError? {
        let executor = BenchExecutor(pace: .real)
        return try executor.run {
            let central = BlueZCentral(executor: executor, adapter: adapter, bus: bus, powersOn: powersOn)
            do throws(CentralError) {
                try await central.powerOn()
                try await central.startScanning(ScanFilter())
                await central.close()
                return nil
            } catch {
                await central.close()
                return error
            }
        }
    }

    @Test func noBusIsUnavailable() throws {
        let error = try failure(DBusAddress(path: "/nowhere/bus"))
        #expect(
            error
                == CentralError(
                    .unavailable,
                    "power on: bus unix:path=/nowhere/bus: connecting failed: No such file or directory",
                    absence: .bus))
    }

    @Test func aBusWithoutBluetoothdIsUnavailable() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        #expect(
            try failure(bus.address)
                == CentralError(
                    .unavailable,
                    "power on: bluetoothd is not running: expected org.bluez on the bus \(bus.address)",
                    absence: .service))
    }

    @Test(arguments: [
        (
            "nothing",
            CentralError(
                .unavailable, "power on: expected a Bluetooth adapter, bluetoothd has none", absence: .adapter)
        ),
        (
            "nonsense",
            CentralError(
                .unavailable, "power on: expected a Bluetooth adapter, bluetoothd has none", absence: .adapter)
        ),
        (
            "blocked",
            CentralError(
                .unavailable,
                "power on: bluetoothd could not power on hci0: org.bluez.Error.Blocked: Blocked through rfkill",
                absence: .unblocked)
        ),
        (
            "agentless",
            CentralError(
                .invalidState, "register the pairing agent: org.bluez.Error.AlreadyExists: Already Exists")
        ),
        ("busy", CentralError(.invalidState, "scan: org.bluez.Error.InProgress: Operation already in progress")),
        (
            "dying",
            CentralError(
                .unavailable, "scan: bluetoothd has ended: org.bluez has left the bus", absence: .service)
        ),
    ])
    func isRefused(mode: String, error: CentralError) throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", mode)
        defer { service.stop() }
        #expect(try failure(bus.address) == error)
    }

    @Test func propertiesOfOtherTypesAreIgnored() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "types")
        #expect(try failure(bus.address) == nil)
        service.stop()
    }

    @Test func anAdapterThatIsNotThereIsNamed() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "other")
        #expect(
            try failure(bus.address, adapter: "hci0")
                == CentralError(
                    .unavailable, "power on: expected the adapter hci0, bluetoothd has hci3", absence: .adapter))
        service.stop()
    }

    /// bluetoothd refuses a start of the discovery while it has not answered a stop.
    @Test func scansFollowEachOtherAsFastAsTheyLike() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "slow-stop")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            for _ in 0..<3 {
                try await central.startScanning(ScanFilter())
                async let stop: Void = central.stopScanning()
                await Task.yield()
                try await central.startScanning(ScanFilter(name: "x"))
                try await stop
                try await central.stopScanning()
            }
            await central.close()
        }
    }

    /// bluetoothd that ends while a scan starts is one that has no discovery, when it is there again.
    @Test func aScanAfterOneThatEndedWithBluetoothdDiscovers() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let dying = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "dying")
        defer { dying.stop() }
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            let error = await #expect(throws: CentralError.self) { try await central.startScanning(ScanFilter()) }
            #expect(error?.absence == .service)
            // It refuses a discovery that is started, which it is not asked for unless the scan is a real one.
            let busy = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "busy")
            defer { busy.stop() }
            try await central.powerOn()
            let refusal = await #expect(throws: CentralError.self) { try await central.startScanning(ScanFilter()) }
            #expect(refusal?.detail == "scan: org.bluez.Error.InProgress: Operation already in progress")
            await central.close()
        }
    }

    @Test func aCancelledTaskEndsTheAttemptToConnect() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "deaf")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        let peers = [0x240A_C400_0110, 0x240A_C400_0111].map { PeerID(DeviceAddress($0, .public)) }
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            // Known to bluetoothd, which does not answer; not known; known, and the task is cancelled already.
            for (peer, isEarly) in [(peers[0], false), (peers[1], false), (peers[0], true)] {
                let attempt = Task(executorPreference: executor) {
                    try await central.connect(to: peer, within: .seconds(3600))
                }
                if !isEarly { try await BenchClock(executor).sleep(for: .milliseconds(200)) }
                attempt.cancel()
                let result = await attempt.result
                let error = #expect(throws: CentralError.self) { try result.get() }
                #expect(
                    error == CentralError(.timedOut, "connect to \(peer): expected a connection in time, got none"))
            }
            await central.close()
        }
    }

    /// A kernel that has forgotten that it was to scan for the peer.
    @Test func anAttemptThatGoesNowhereBeginsAnew() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "forgetful")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
            let connection = try await central.connectAndAccept(to: peer, within: .seconds(3600))
            try await central.disconnect(connection)
            await central.close()
        }
    }

    /// A bluetoothd that was started again has no channel on the connections that the kernel still has, and says of
    /// Connect that it succeeded.
    @Test(arguments: ["link-ends", "link-resolves"])
    func aConnectionOfOthersIsUsedWhenItCanBe(mode: String) throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", mode)
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
            let connection = try await central.connectAndAccept(to: peer, within: .seconds(60))
            try await central.disconnect(connection)
            await central.close()
        }
    }

    @Test func aConnectionOfOthersThatCannotBeUsedIsLeftToThem() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "link-stays")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            try await central.powerOn()
            let error = await #expect(throws: CentralError.self) {
                try await central.connect(to: peer, within: .milliseconds(200))
            }
            #expect(error?.code == .timedOut)
            #expect(error?.detail.contains("there is a connection to it that another program made") == true)
            // It ends when it is asked to disconnect.
            try await central.startScanning(ScanFilter())
            await central.close()
        }
    }

    @Test(arguments: [true, false])
    func passkeysThatBlueZChoosesAndNumbersArePassedOn(isConfirmed: Bool) throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "pairing")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        let events: [CentralEvent] = try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            let events = Mutex<[CentralEvent]>([])
            central.events.setHandler { event in
                events.withLock { $0.append(event) }
                guard case .pairingInput(let connection, _) = event else { return }
                Task(executorPreference: executor) {
                    try await central.answerPairing(.confirm(isConfirmed), on: connection)
                }
            } isOnExecutor: {
                executor.isIsolatingCurrentContext() ?? false
            } run: {
                executor.post($0)
            }
            try await central.powerOn()
            let peer = PeerID(DeviceAddress(0x240A_C400_0110, .public))
            let connection = try await central.connectAndAccept(to: peer, within: .seconds(60))
            do throws(CentralError) {
                let security = try await central.pair(connection)
                #expect(isConfirmed && security.isAuthenticated && security.isBonded)
            } catch {
                #expect(!isConfirmed && error.code == .pairingFailed(reason: 0x08), "\(error)")
            }
            try await central.disconnect(connection)
            await central.close()
            return events.withLock { $0 }
        }
        let questions = events.filter { event in
            switch event {
            case .passkeyDisplayed, .pairingInput: true
            default: false
            }
        }
        let connection = try #require(questions.first?.connection)
        #expect(
            questions == [.passkeyDisplayed(connection, 42), .pairingInput(connection, .compareNumbers(1234))])
    }

    /// The task that has asked for the objects goes on after the signals that have arrived together with them: it must not
    /// undo what those tell, e.g. a bond, which would be listed no more, and not forgotten.
    @Test(arguments: [1, 2])
    func whatIsToldTogetherWithTheObjectsIsKept(reading: Int) throws {
        let bus = try TestBus()
        defer { bus.stop() }
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "overtaken-\(reading)")
        defer { service.stop() }
        let executor = BenchExecutor(pace: .real)
        let address = DeviceAddress(0x240A_C400_0110, .public)
        try executor.run {
            let central = BlueZCentral(executor: executor, bus: bus.address)
            // The objects are read when it powers on, and when it discovers services.
            let powering = Task(executorPreference: executor) { try await central.powerOn() }
            if reading == 1 { try await Self.sleepThroughTheAnswer(executor) }
            try await powering.value
            if reading == 2 {
                let connection = try await central.connectAndAccept(to: PeerID(address), within: .seconds(60))
                let discovering = Task(executorPreference: executor) {
                    try await central.discoverServices(on: connection)
                }
                try await Self.sleepThroughTheAnswer(executor)
                _ = try await discovering.value
            }
            let bonds = try await central.bonds().map(\.identity)
            #expect(bonds == [address])
            await central.close()
        }
    }

    /// Waits until a call has been made; the executor then does nothing until long after it has been answered.
    private static func sleepThroughTheAnswer(_ executor: BenchExecutor) async throws {
        try await BenchClock(executor).sleep(for: .milliseconds(250))
        executor.post { usleep(600_000) }
        try await BenchClock(executor).sleep(for: .milliseconds(1))
    }

    @Test func anAdapterThatIsOffIsNotSwitchedOnUnlessAskedFor() throws {
        let bus = try TestBus()
        defer { bus.stop() }
        // It answers an attempt to switch on with another error.
        let service = try bus.startService("Bluetooth/BLECentralBlueZTests/Peer/strange.py", "blocked")
        defer { service.stop() }
        #expect(
            try failure(bus.address, powersOn: false)
                == CentralError(.unavailable, "the adapter hci0 is switched off", absence: .power))
    }

    @Test func rfkillBlocksTheAdapterOfItsName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-rfkill-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, name, soft, hard) in [(0, "phy0", 1, 1), (1, "hci0", 0, 0), (2, "hci1", 1, 0), (3, "hci2", 1, 1)] {
            let place = folder.appending(path: "rfkill\(number)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (file, text) in [("name", name), ("soft", "\(soft)"), ("hard", "\(hard)")] {
                try Data("\(text)\n".utf8).write(to: place.appending(path: file))
            }
        }
        let blocks = ["hci0", "hci1", "hci2", "hci3"].map { AdapterBlock.of($0, in: folder.path) }
        #expect(blocks == [nil, .soft, .hard, nil])
        #expect(AdapterBlock.of("hci0", in: folder.path + "/none") == nil)
    }

    @Test func operationsBeforePowerOnAreRefused() throws {
        let executor = BenchExecutor(pace: .real)
        let error = try executor.run {
            let central = BlueZCentral(executor: executor, bus: DBusAddress(path: "/nowhere/bus"))
            return await #expect(throws: CentralError.self) { try await central.startScanning(ScanFilter()) }
        }
        #expect(error == CentralError(.invalidState, "scan: the central is not powered on"))
    }
}
