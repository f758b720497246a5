import Bench
import BenchExecutor
import BenchModel
import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import SerialPort

/// A board behind a serial port as the board of a bench.
///
/// Its port is read all the time, but while its loader is used: then the board is silent to the session. A fresh board is
/// one whose NVS was erased in one short session with the loader; it is flashed once.
actor SerialBoard {
    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let events: EventPort<BoardEvent>
    private nonisolated let configuration: HardwareBench.Configuration
    private let clock: BenchClock

    /// The port; `nil` after it was lost, until it is opened again.
    private var port: (any SerialPort)?
    private var reader: Task<Void, Never>?
    /// The session with the loader, while the board is in it.
    private var session: (flasher: Flasher, board: ConnectedBoard)?
    /// The identity of the connected board.
    nonisolated let identity: ConnectedBoard
    /// The abilities of the board.
    nonisolated let abilities: Set<BenchAbility>
    /// The places of the NVS, of the partition table that was flashed.
    private var storage: [Range<UInt64>] = []
    /// True if the application has not run since the NVS was erased.
    private var isFresh = false
    /// True if the supply is on; `nil`: not known.
    private var isOn: Bool?

    private init(
        _ configuration: HardwareBench.Configuration, _ port: any SerialPort, _ flasher: Flasher,
        _ board: ConnectedBoard,
        _ executor: BenchExecutor
    ) {
        session = (flasher, board)
        identity = board
        var abilities: Set<BenchAbility> = [.reset, .flash, .console]
        if configuration.power != nil { abilities.insert(.power) }
        // DTR pulls IO0 low, where the port is that of a bridge.
        if port.traits.interface == .uart, Self.chipsWithBootOnPin0.contains(board.chip) {
            abilities.insert(.bootButton)
        }
        self.abilities = abilities
        self.configuration = configuration
        self.executor = executor
        self.port = port
        isOn = configuration.power == nil ? nil : true
        clock = BenchClock(executor)
        events = EventPort(executor)
    }

    /// The chips whose BOOT button is on GPIO 0 ("Boot Mode Selection", esptool documentation).
    private static let chipsWithBootOnPin0: Set<Chip> = [.esp32, .esp32s2, .esp32s3]

    /// The board at a bench's port, in its loader.
    ///
    /// - Throws: `SerialPortError`, `FlasherError`, or ``PowerSwitchError``.
    static func open(_ configuration: HardwareBench.Configuration, _ executor: BenchExecutor) async throws
        -> SerialBoard
    {
        // Without its supply a board with a USB device of its own has no port.
        try await configuration.power?.set(true)
        let port = try await configuration.openPort()
        do {
            guard port.hasModemLines else {
                throw SerialPortError(
                    .noModemLines, port: port.name,
                    "expected a port with DTR and RTS, which reset the board and put it into its loader, got one without"
                )
            }
            let flasher = Flasher(port: port, clock: BenchClock(executor))
            let board = try await flasher.open(configuration.loader)
            return SerialBoard(configuration, port, flasher, board, executor)
        } catch {
            await port.close()
            throw error
        }
    }

    /// The port, which is opened again where it was lost.
    private func openPort() async throws -> any SerialPort {
        if let port { return port }
        let port = try await configuration.openPort()
        self.port = port
        return port
    }

    // MARK: Console

    private func startReading(_ port: any SerialPort) {
        guard reader == nil else { return }
        let events = events
        reader = Task(executorPreference: executor) { [weak self] in
            do {
                while !Task.isCancelled { events.post(.console(try await port.read(upTo: 65_536, within: nil))) }
            } catch is CancellationError {
            } catch {
                await self?.portLost(error)
            }
        }
    }

    private func stopReading() async {
        guard let reader = reader.take() else { return }
        reader.cancel()
        await reader.value
    }

    private func portLost(_ error: any Error) async {
        reader = nil
        guard let lost = port.take() else { return }
        session = nil
        await lost.close()
        // Without its supply a USB device of the board is gone as well.
        guard isOn != false else { return }
        events.post(.fault(message: "the board's port was lost: \(error)"))
    }

    /// Gives a port up that was lost in the middle of `body`: the next case opens it again.
    @discardableResult
    private func checkingPort<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            let cause = (error as? FlasherError)?.underlying ?? error
            if let cause = cause as? SerialPortError, cause.code == .disconnected { await port.take()?.close() }
            throw error
        }
    }

    // MARK: Loader

    /// The session with the loader; begins one if the application runs.
    private func enterLoader(_ options: SessionOptions) async throws -> (flasher: Flasher, board: ConnectedBoard) {
        if let session { return session }
        await stopReading()
        let flasher = Flasher(port: try await openPort(), clock: clock)
        let board = try await checkingPort { try await flasher.open(options) }
        guard identity.macAddress == board.macAddress else {
            throw FlasherError(
                .wrongChip, "\(configuration.name): expected the board that was flashed, got another one at its port")
        }
        session = (flasher, board)
        return (flasher, board)
    }

    /// Leaves the loader, and lets the application start.
    ///
    /// - Returns: whether the board was in its loader.
    private func leaveLoader() async throws -> Bool {
        guard let (flasher, board) = session.take() else { return false }
        try await checkingPort { try await flasher.reset(.hard, of: board) }
        return true
    }

    private func eraseStorage() async throws {
        guard configuration.freshness == .erased, !isFresh, !storage.isEmpty else { return }
        // A few sectors: neither a stub nor a higher rate is worth its time.
        let (flasher, board) = try await enterLoader(SessionOptions(connect: configuration.loader.connect))
        try await checkingPort { for range in storage { try await flasher.erase(range, of: board) } }
        isFresh = true
        post(StorageChanged("erased"))
    }

    private func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: "board", payload: payload)))
    }

    // MARK: Supply

    private func switchPower(_ isOn: Bool) async throws {
        guard let power = configuration.power else { throw UnsupportedByBench(.power) }
        guard self.isOn != isOn else { return }
        if isOn {
            // A port that is still there is read before the board boots.
            if let port { startReading(port) }
            try await power.set(true)
            self.isOn = true
            isFresh = false
            if port == nil { startReading(try await awaitPort()) }
        } else {
            session = nil
            self.isOn = false
            try await power.set(false)
        }
    }

    /// How long a port may take to come back after the board got its supply, and how often it is tried.
    private static let returnLimit = Duration.seconds(10)
    private static let returnInterval = Duration.milliseconds(100)

    /// Opens the port of a board that has just got its supply.
    private func awaitPort() async throws -> any SerialPort {
        let deadline = executor.now.advanced(by: Self.returnLimit)
        while true {
            do {
                return try await openPort()
            } catch {
                guard executor.now < deadline else { throw error }
                try await clock.sleep(for: Self.returnInterval)
            }
        }
    }
}

extension SerialBoard: Board {
    /// Writes what of `layout` is not in the flash yet; the board stays in its loader, or without its supply.
    func flash(_ layout: FlashLayout, progress: @escaping @Sendable (FlashProgress) -> Void) async throws {
        if configuration.power != nil { try await switchPower(true) }
        let (flasher, board) = try await enterLoader(configuration.loader)
        storage = layout.storage
        isFresh = false
        let summary = try await flasher.write(layout, to: board, progress: progress)
        for region in layout.regions where summary.skipped < summary.total {
            post(FlashWritten(count: region.bytes.count, address: Int(region.offset)))
        }
        try await eraseStorage()
        if configuration.power != nil { try await switchPower(false) }
    }

    func restore() async throws {
        guard configuration.freshness == .erased, !isFresh else { return }
        if configuration.power != nil { try await switchPower(true) }
        try await eraseStorage()
        if configuration.power != nil { try await switchPower(false) }
    }

    func setPower(_ isOn: Bool) async throws { try await switchPower(isOn) }

    nonisolated func cutPower() throws {
        guard configuration.power != nil else { throw UnsupportedByBench(.power) }
        Task(executorPreference: executor) {
            do {
                try await self.switchPower(false)
            } catch {
                self.events.post(.fault(message: "\(error)"))
            }
        }
    }

    func reset() async throws {
        isFresh = false
        if try await leaveLoader(), let port { return startReading(port) }
        await stopReading()
        let port = try await openPort()
        if port.traits.interface != .uart { try await port.discardInput() }
        try await checkingPort {
            try await ResetSequence.reset(port, intoLoader: false) { try await Self.drop(port, clock) }
        }
        startReading(port)
    }

    /// After this time without bytes everything from before a reset has arrived.
    private static let silence = Duration.milliseconds(50)
    /// How long output is dropped, should a board not be held by its reset.
    private static let dropLimit = Duration.seconds(1)

    /// Drops what the board had sent before it was held in reset, where it is silent.
    private static func drop(_ port: any SerialPort, _ clock: BenchClock) async throws {
        let end = clock.now.advanced(by: dropLimit)
        while clock.now < end, try await !port.read(upTo: 65_536, within: silence).isEmpty {}
    }

    /// Asserts DTR alone for the BOOT button.
    func setButton(pin: Int, isPressed: Bool) async throws {
        guard pin == 0, abilities.contains(.bootButton) else { throw UnsupportedByBench(.buttons) }
        let port = try await openPort()
        try await checkingPort { try await port.setModemLines(ModemLines(dtr: isPressed, rts: false)) }
    }

    func type(_ bytes: [UInt8]) async throws { try await openPort().write(bytes) }

    func closePort() async {
        await stopReading()
        // A board is not left in its loader; whether it still can be helped is nobody's concern any more.
        _ = try? await leaveLoader()
        await port.take()?.close()
    }
}

extension SerialBoard: BoardStorage {
    /// The data that the firmware stores cannot be read while it runs.
    nonisolated var storageAbilities: Set<BenchAbility> { [.storageErase] }

    func eraseNVS() async throws { try await restore() }
}

extension FlashLayout {
    /// The subtype of NVS partitions ("Partition Tables", ESP-IDF Programming Guide).
    private static let nvsSubtype: UInt8 = 0x02

    /// The places of the NVS, by the partition table among the regions.
    fileprivate var storage: [Range<UInt64>] {
        guard
            let place = regions.first(where: { $0.offset <= PartitionTable.offset && PartitionTable.offset < $0.end }),
            let table = try? PartitionTable(place.bytes.dropFirst(Int(PartitionTable.offset - place.offset)))
        else { return [] }
        return table.partitions.filter { $0.kind == .data && $0.subtype == Self.nvsSubtype }.map {
            UInt64($0.offset)..<UInt64($0.offset) + UInt64($0.size)
        }
    }
}
