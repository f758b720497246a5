import Bench
import BenchExecutor
import BenchModel
import ESPChips
import ESPFlasher
import ESPImage
import MonotonicTime
import SerialPort

/// A board behind a serial port, used as the board of a bench.
///
/// Its port is read at all times except while the loader is in use; the session receives no events then. The board is
/// flashed once; a short session with the loader erases the NVS to restore it.
actor SerialBoard {
    nonisolated let executor: BenchExecutor
    /// The bench's one executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let events: EventPort<BoardEvent>
    private nonisolated let configuration: HardwareBench.Configuration
    private let clock: BenchClock

    /// The port; `nil` after it was lost, until it is reopened.
    private var port: (any SerialPort)?
    private var reader: Task<Void, Never>?
    /// The session with the loader; `nil` while the board is not in its loader.
    private var session: (flasher: Flasher, board: ConnectedBoard)?
    /// The identity of the connected board.
    nonisolated let identity: ConnectedBoard
    /// The abilities of the board.
    nonisolated let abilities: Set<BenchAbility>
    /// The address ranges of the NVS partitions, from the flashed partition table.
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
        // DTR pulls IO0 low if the port belongs to a USB-UART bridge.
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

    /// Opens the board at a bench's port; the board is in its loader.
    ///
    /// - Throws: `SerialPortError`, `FlasherError`, or ``PowerSwitchError``.
    static func open(_ configuration: HardwareBench.Configuration, _ executor: BenchExecutor) async throws
        -> SerialBoard
    {
        // A board with native USB has no port while its supply is off.
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

    /// The port, reopened if it was lost.
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
        // A board with native USB loses its port with its supply.
        guard isOn != false else { return }
        events.post(.fault(message: "the board's port was lost: \(error)"))
    }

    /// Discards a port that was lost in the middle of `body`: the next case reopens it.
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

    /// Leaves the loader and starts the application.
    ///
    /// - Returns: whether the board was in its loader.
    private func leaveLoader() async throws -> Bool {
        guard let (flasher, board) = session.take() else { return false }
        try await checkingPort { try await flasher.reset(.hard, of: board) }
        return true
    }

    private func eraseStorage() async throws {
        guard configuration.freshness == .erased, !isFresh, !storage.isEmpty else { return }
        // Only a few sectors are erased: a stub or a higher baud rate would not save time.
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
            // A port that still exists is read before the board boots.
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

    /// The longest wait for a port to reappear after the supply was switched on, and the interval between attempts.
    private static let returnLimit = Duration.seconds(10)
    private static let returnInterval = Duration.milliseconds(100)

    /// Opens the port of a board whose supply has just been switched on.
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
    /// Writes the parts of `layout` that the flash lacks; leaves the board in its loader, or without supply.
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

    /// After this time without bytes, all output from before a reset has been received.
    private static let silence = Duration.milliseconds(50)
    /// The longest time for which output is dropped if the reset does not hold the board.
    private static let dropLimit = Duration.seconds(1)

    /// Drops the output that the board sent before it was held in reset.
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
        // Does not leave the board in its loader; errors are ignored, since the bench is closed.
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

    /// The address ranges of the NVS partitions, from the partition table among the regions.
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
